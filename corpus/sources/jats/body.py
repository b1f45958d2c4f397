"""The text of an article in reading order: sections by path, floats after the section's text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from corpus.sources.grid import read_table
from corpus.sources.jats.inline import FLOATS, INSET, formula_text, paragraph_text, text_of
from corpus.sources.jats.shape import JatsFigure, JatsPart, JatsTable, PartKind, Path
from corpus.sources.markup import Element, tag

# Real articles nest six deep; what lies beneath is read as running text.
MAX_DEPTH = 24
_DIVISIONS: Final = frozenset({"sec", "app", "ack", "notes", "glossary", "boxed-text", "app-group"})
_DEFAULT_TITLES: Final = {"ack": "Acknowledgments", "glossary": "Glossary", "app": "Appendix"}
_UNREAD: Final = frozenset(
    {"title", "label", "ref-list", "sub-article", "response", "media", "sec-meta", "object-id"}
)
# Who did what and where they are now: no evidence for anything.
_ABOUT_AUTHORS: Final = frozenset({"con", "corresp", "present-address", "equal", "deceased"})
_PASSED_THROUGH: Final = frozenset({"disp-quote", "statement", "fn-group", "verse-group", "speech"})


class Walker:
    """Collects the parts, figures and tables of one article."""

    def __init__(self) -> None:
        self.parts: list[JatsPart] = []
        self.figures: list[JatsFigure] = []
        self.tables: list[JatsTable] = []
        self._floats: list[JatsPart] = []
        self._seen: set[Element] = set()
        self._handlers: dict[str, Callable[[Element, Path, int], None]] = {
            "p": self._paragraph,
            "list": self._list,
            "def-list": self._definitions,
            "disp-formula": self._formula,
            "disp-formula-group": self.division_content,
            "fig": self._figure,
            "fig-group": self._group,
            "table-wrap": self._table,
            "table-wrap-group": self._group,
            "graphic": self._loose_graphic,
            "alternatives": self._loose_graphic,
            "supplementary-material": self._supplement,
            "fn": self._footnote,
        }

    def walk(self, element: Element, path: Path = ()) -> None:
        """Read a body, a back, an abstract or a floats group."""
        self.division_content(element, path, 0)
        self._settle()

    def add_missed(self, article: Element) -> None:
        """Take in figures and tables that stand in places where no one looks for them."""
        for element in article.iter("{*}fig", "{*}table-wrap"):
            if element not in self._seen and not _is_foreign(element):
                self._handle(element, (), 0)
        self._settle()

    def division_content(self, element: Element, path: Path, depth: int) -> None:
        """Read the children of a section-like element under `path`."""
        for child in element:
            self._handle(child, path, depth)

    def _handle(self, child: Element, path: Path, depth: int) -> None:
        name = tag(child)
        if not name or name in _UNREAD:
            return
        if name in _DIVISIONS and depth < MAX_DEPTH:
            self._division(child, path, depth)
        elif name in _PASSED_THROUGH and depth < MAX_DEPTH:
            self.division_content(child, path, depth + 1)
        elif name in self._handlers:
            self._handlers[name](child, path, depth)
        else:
            self._add("paragraph", text_of(child), path)

    def _division(self, element: Element, path: Path, depth: int) -> None:
        """A section: the floats of the text before it come first, its own at its end."""
        if element in self._seen:
            return
        self._seen.add(element)
        self._settle()
        title = text_of(element.find("{*}title")) or text_of(element.find("{*}caption/{*}title"))
        title = title or _DEFAULT_TITLES.get(tag(element), "")
        label = text_of(element.find("{*}label"))
        if label and title and not title.startswith(label):
            title = f"{label} {title}"
        inner = (*path, title) if title else path
        if title:
            self._add("heading", title, inner)
        self.division_content(element, inner, depth + 1)
        self._settle()

    def _paragraph(self, element: Element, path: Path, depth: int) -> None:
        self._add("paragraph", paragraph_text(element), path)
        for child in element.iter():
            name = tag(child)
            if name in FLOATS and child not in self._seen:
                if name == "boxed-text":
                    self._division(child, path, depth + 1)
                else:
                    self._handle(child, path, depth + 1)
            elif name in INSET and not _is_inside(child, element, INSET | FLOATS):
                if name == "disp-quote":
                    self.division_content(child, path, depth + 1)
                else:
                    self._handle(child, path, depth + 1)
            elif name in ("graphic", "alternatives") and tag(_parent(child)) == "p":
                self._loose_graphic(child, path, depth)

    def _list(self, element: Element, path: Path, depth: int) -> None:
        for item in element:
            if tag(item) == "list-item":
                label = text_of(item.find("{*}label"))
                pieces = [text_of(child) for child in item if tag(child) not in ("label", "")]
                text = " ".join(filter(None, [label, *pieces])) or text_of(item)
                self._add("list", text, path)

    def _definitions(self, element: Element, path: Path, depth: int) -> None:
        for item in element.iter("{*}def-item"):
            term, meaning = text_of(item.find("{*}term")), text_of(item.find("{*}def"))
            self._add("list", ": ".join(filter(None, (term, meaning))), path)

    def _formula(self, element: Element, path: Path, depth: int) -> None:
        self._add("formula", formula_text(element), path)

    def _group(self, element: Element, path: Path, depth: int) -> None:
        for child in element:
            if tag(child) in ("fig", "table-wrap"):
                self._handle(child, path, depth + 1)

    def _figure(self, element: Element, path: Path, depth: int) -> None:
        if element in self._seen:
            return
        self._seen.add(element)
        figure = JatsFigure(text_of(element.find("{*}label")), _caption(element), _files(element))
        self._float("figure", path, len(self.figures))
        self.figures.append(figure)

    def _table(self, element: Element, path: Path, depth: int) -> None:
        if element in self._seen:
            return
        self._seen.add(element)
        label, caption = text_of(element.find("{*}label")), _caption(element)
        files = _files(element)
        grids = [read_table(table, text_of) for table in _own_tables(element)] or [((), 0, ())]
        for rows, header_rows, spans in grids:
            self._float("table", path, len(self.tables))
            self.tables.append(JatsTable(label, caption, rows, header_rows, spans, files))
        for foot in element.iter("{*}table-wrap-foot"):
            notes = [text_of(child) for child in foot if tag(child)] or [text_of(foot)]
            text = " ".join(filter(None, notes))
            if text:
                self._floats.append(JatsPart("footnote", text, path))

    def _loose_graphic(self, element: Element, path: Path, depth: int) -> None:
        """A picture outside any figure: kept by its file, without a caption."""
        files = _files(element) if tag(element) == "alternatives" else _file(element)
        if element in self._seen or not files:
            return
        self._seen.update(element.iter())
        self._float("figure", path, len(self.figures))
        self.figures.append(JatsFigure("", "", files))

    def _supplement(self, element: Element, path: Path, depth: int) -> None:
        if element in self._seen:
            return
        self._seen.add(element)
        label, caption = text_of(element.find("{*}label")), _caption(element)
        self._add("paragraph", ". ".join(filter(None, (label.rstrip("."), caption))), path)

    def _footnote(self, element: Element, path: Path, depth: int) -> None:
        if element.get("fn-type") not in _ABOUT_AUTHORS:
            self._add("footnote", text_of_footnote(element), path)

    def _add(self, kind: PartKind, text: str, path: Path) -> None:
        if text:
            self.parts.append(JatsPart(kind, text, path))

    def _float(self, kind: PartKind, path: Path, index: int) -> None:
        self._floats.append(JatsPart(kind, "", path, index))

    def _settle(self) -> None:
        self.parts += self._floats
        self._floats = []


def text_of_footnote(element: Element) -> str:
    """A footnote with its sign in front."""
    label = text_of(element.find("{*}label"))
    pieces = [text_of(child) for child in element if tag(child) not in ("label", "")]
    return " ".join(filter(None, [label, *pieces]))


def _caption(element: Element) -> str:
    caption = element.find("{*}caption")
    if caption is None:
        return ""
    pieces = [text_of(child) for child in caption if tag(child)]
    return " ".join(filter(None, pieces)) or text_of(caption)


def _own_tables(wrap: Element) -> list[Element]:
    return [table for table in wrap.iter("{*}table") if not _is_inside(table, wrap, {"td", "th"})]


def _files(element: Element) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for g in element.iter("{*}graphic") for name in _file(g)))


def _file(graphic: Element) -> tuple[str, ...]:
    name = graphic.get("{http://www.w3.org/1999/xlink}href", "").strip()
    return (name,) if name else ()


def _parent(element: Element) -> Element:
    parent = element.getparent()
    return element if parent is None else parent


def _is_inside(element: Element, limit: Element, names: frozenset[str] | set[str]) -> bool:
    """Whether an element of these names stands between `element` and `limit`."""
    parent = element.getparent()
    while parent is not None and parent is not limit:
        if tag(parent) in names:
            return True
        parent = parent.getparent()
    return False


def _is_foreign(element: Element) -> bool:
    return any(tag(above) in ("sub-article", "response") for above in element.iterancestors())
