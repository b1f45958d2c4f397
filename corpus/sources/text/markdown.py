"""Markdown (CommonMark with tables) as sections, paragraphs, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from corpus.sources.cleaning import clean_text, one_line
from corpus.sources.prose import Outline, PartKind, Prose, hidden_note, labelled
from corpus.sources.text.frontmatter import about, split_front_matter
from corpus.sources.webtext import html_paragraphs
from corpus.types import FigureDraft, TableDraft

# Emphasis and links are looked for in time that grows with the square of a paragraph; beyond this
# length its marks stay as they are.
MAX_PARAGRAPH: Final = 20_000
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_HIDING = re.compile(
    r"<[a-z][^<>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|\shidden\b)",
    re.IGNORECASE,
)
_TAG_NAME = re.compile(r"</?([a-z][a-z0-9]*)", re.IGNORECASE)


def read_markdown(text: str) -> Prose:
    """Read a Markdown file: front matter, then blocks in order."""
    front, body = split_front_matter(clean_text(text))
    told = about(front)
    tokens = _parse(body)
    title = told["title"] or _only_title(tokens)
    outline = Outline(title)
    reader = _Reader(outline)
    reader.read(tokens)
    return Prose(
        sha256="",
        fallback="",
        parts=tuple(outline.parts),
        figures=tuple(outline.figures),
        tables=tuple(outline.tables),
        metadata={"format": "markdown"},
        notes=hidden_note(reader.hidden),
        **{**told, "title": title},
    )


def _parse(body: str) -> list[Token]:
    parser = MarkdownIt("commonmark").enable("table")
    if any(len(part) > MAX_PARAGRAPH for part in re.split(r"\n[ \t]*\n", body)):
        parser.disable(["emphasis", "link", "image", "autolink", "html_inline", "backticks"])
    return parser.parse(body)


def _only_title(tokens: Sequence[Token]) -> str:
    """The first heading when it opens the text and no other heading has its rank."""
    opens = [number for number, token in enumerate(tokens) if token.type == "heading_open"]
    if not opens or opens[0] > 3:
        return ""
    rank = tokens[opens[0]].tag
    if rank > "h2" or sum(tokens[number].tag <= rank for number in opens) > 1:
        return ""
    return one_line(inline(tokens[opens[0] + 1])[0])


class _Reader:
    """Walks the flat list of tokens; nesting is a count of lists and quotations around."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.hidden = 0
        self._numbers: list[int | None] = []  # of each list around; None for bullets
        self._label = ""
        self._rows: list[list[str]] | None = None
        self._heads = 0

    def read(self, tokens: Sequence[Token]) -> None:
        """Add every block of the file."""
        for number, token in enumerate(tokens):
            if token.type == "inline":
                self._inline(token, tokens[number - 1])
            elif token.type in ("fence", "code_block"):
                self.outline.add("paragraph", token.content.strip("\n"))
            elif token.type == "html_block":
                self._html(token.content)
            else:
                self._structure(token)

    def _structure(self, token: Token) -> None:
        if token.type == "bullet_list_open":
            self._numbers.append(None)
        elif token.type == "ordered_list_open":
            self._numbers.append(int(token.attrGet("start") or 1))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._numbers.pop()
        elif token.type == "list_item_open":
            self._label = f"{token.info}{token.markup} " if token.info else ""
        elif token.type == "table_open":
            self._rows, self._heads = [], 0
        elif token.type == "tr_open" and self._rows is not None:
            self._rows.append([])
        elif token.type == "thead_close" and self._rows is not None:
            self._heads = len(self._rows)
        elif token.type == "table_close":
            self._table()

    def _inline(self, token: Token, before: Token) -> None:
        text, hidden = inline(token)
        self.hidden += hidden
        if before.type == "heading_open":
            self.outline.heading(int(before.tag[1]), text)
        elif self._rows is not None:
            self._rows[-1].append(one_line(text))
        elif not self._figure(token):
            kind: PartKind = "list" if self._numbers else "paragraph"
            self.outline.add(kind, one_line(self._label + text) if text.strip() else "")
            self._label = ""

    def _figure(self, token: Token) -> bool:
        """A paragraph of one picture is a figure; its other text is the caption."""
        children = [child for child in token.children or [] if child.content or child.children]
        if len(children) != 1 or children[0].type != "image":
            return False
        image = children[0]
        _, label, caption = labelled(one_line(str(image.attrGet("title") or "") or image.content))
        source = one_line(str(image.attrGet("src") or ""))
        name = "" if source.startswith("data:") else source.split("?")[0].rsplit("/", 1)[-1]
        self.outline.figure(FigureDraft(label, caption, source_ref=name[:200]))
        return True

    def _table(self) -> None:
        rows, self._rows = self._rows or [], None
        width = max(map(len, rows), default=0)
        grid = tuple((*row, *[""] * (width - len(row))) for row in rows)
        label, caption = self.outline.take_caption("table")
        self.outline.table(TableDraft(label, caption, grid, self._heads))

    def _html(self, content: str) -> None:
        shown, count = _HIDDEN.subn(" ", content)
        self.hidden += count
        if _HIDING.search(shown):
            self.hidden += 1
            return
        for paragraph in html_paragraphs(shown):
            self.outline.add("paragraph", paragraph)


def inline(token: Token) -> tuple[str, int]:
    """(text, number of hidden pieces) of an inline token: marks taken off, pictures left out."""
    parts: list[str] = []
    hidden = 0
    for child in token.children or []:
        if child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "html_inline":
            hidden += child.content.startswith("<!--")
            parts.append(_joint(child.content, parts))
        elif child.type in ("text", "code_inline", "text_special"):
            parts.append(child.content)
    return "".join(parts), hidden


def _joint(markup: str, parts: list[str]) -> str:
    """An exponent after a digit keeps a caret, so that no number changes its value."""
    found = _TAG_NAME.match(markup)
    name = found.group(1).lower() if found else ""
    if name == "br":
        return " "
    if markup.startswith("</") or name not in ("sup", "sub"):
        return ""
    after_digit = bool(parts) and parts[-1][-1:].isdigit()
    return ("^" if name == "sup" else "_") if after_digit else ""
