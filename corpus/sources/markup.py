"""XML of publishers and libraries: read without network or foreign entities, its inline markup
kept as text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.cleaning import one_line

Element = etree._Element

_OPTIONS: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
_HTML_HEAD = re.compile(
    rb"\s*(?:<!--(?:(?!-->).)*+-->\s*)*+<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_TEXT_BREAKS = frozenset(
    {"break", "br", "p", "title", "label", "list-item", "td", "th", "mtd", "mtr", "disp-formula"}
)
_STARTS_LIKE_NUMBER = re.compile(r"[-+\u2212\u2013]?\d")


def tag(element: Element) -> str:
    """The element's name without namespace; '' for comments, instructions and entities."""
    name = element.tag
    return name.rsplit("}", 1)[-1] if isinstance(name, str) else ""


def refuse_html(data: bytes, filename: str) -> None:
    """Raise NotThisSource for a web page (an error page of a server, say) saved where XML was
    asked for.
    """
    if _HTML_HEAD.match(data[:2000]):
        raise NotThisSource(f"{filename} is a web page, not XML.")


def parse_tree(data: bytes, filename: str) -> Element:
    """Parse a whole XML document. Raises NotThisSource for a web page, ParseError for broken
    XML.
    """
    refuse_html(data, filename)
    parser = etree.XMLParser(**_OPTIONS)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise broken_xml(filename, error) from error
    if root is None:
        raise ParseError(f"{filename} is empty.")
    refuse_entities(root, filename)
    if (unknown := undeclared_entity(root)) is not None:
        raise ParseError(f"{filename} {unknown}")
    return root


def iterate(data: bytes, filename: str) -> Iterator[tuple[str, Element]]:
    """Yield (event, element) for start and end of every element, as lxml's iterparse does,
    safely.
    """
    refuse_html(data, filename)
    checked = False
    try:
        for event, element in etree.iterparse(
            io.BytesIO(data), events=("start", "end"), **_OPTIONS
        ):
            if not checked:
                refuse_entities(element, filename)
                checked = True
            yield event, element
    except etree.XMLSyntaxError as error:
        raise broken_xml(filename, error) from error


def refuse_entities(element: Element, filename: str) -> None:
    """Raise ParseError when the file declares entities of its own: they can unfold to gigabytes."""
    declared: Any = element.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.entities()):
        raise ParseError(
            f"{filename} declares XML entities of its own, which are not read for safety: "
            "replace them by their text."
        )


def undeclared_entity(element: Element) -> str | None:
    """What is wrong with the first named entity below that nothing declares, None without one.

    Its character would be lost in silence: the document type that might tell it is never fetched.
    """
    found: Any = next(element.iter(etree.Entity), None)
    if found is None:
        return None
    return (
        f"is not well-formed XML: it uses the entity &{found.name}; in line {found.sourceline}, "
        "which it does not declare. Write the character itself."
    )


def broken_xml(filename: str, error: etree.XMLSyntaxError) -> ParseError:
    """A sentence for a curator out of libxml2's message."""
    reason = (error.msg or "no content").split(", line ")[0]
    where = f" in line {error.lineno}" if error.lineno else ""
    return ParseError(
        f"{filename} is not well-formed XML{where}: {reason}. Fetch it again or mend it."
    )


def inline_text(element: Element | None, *, skip: Callable[[Element], bool] | None = None) -> str:
    """All text inside an element on one line, markup kept readable.

    Sub- and superscripts join their word (D3, Ca2+), but an exponent after a digit keeps a caret
    (10^6), so that no number changes its value. Formulas keep their parts apart. `skip` leaves
    elements out, not their tails.
    """
    if element is None:
        return ""
    parts: list[str] = []
    _collect(element, parts, skip)
    return one_line("".join(parts))


def _collect(element: Element, parts: list[str], skip: Callable[[Element], bool] | None) -> None:
    """Depth first without recursion: libxml2 allows deeper trees than Python's stack."""
    parts.append(element.text or "")
    stack: list[tuple[Element, Iterator[Element]]] = [(element, iter(element))]
    while stack:
        parent, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            if stack:  # the tail belongs to the text around, never to what was asked for
                _close(parent, parts)
            continue
        name = tag(child)
        if not name:
            parts.append(child.tail or "")
        elif skip is not None and skip(child):
            parts.append(" " + (child.tail or ""))
        else:
            _open(child, name, parts)
            stack.append((child, iter(child)))


def _open(child: Element, name: str, parts: list[str]) -> None:
    text = child.text or ""
    if name in ("sup", "sub", "inf") and _meets_digit(parts, "".join(map(str, child.itertext()))):
        parts.append("^" if name == "sup" else "_")
    elif name in _TEXT_BREAKS:
        parts.append(" ")
    elif (joint := _math_joint(child)) is not None:
        parts.append(joint)
    parts.append(text)


def _close(child: Element, parts: list[str]) -> None:
    if tag(child) in _TEXT_BREAKS:
        parts.append(" ")
    parts.append(child.tail or "")


_MATH_JOINTS = {"msup": "^", "msub": "_", "mfrac": "/", "mover": "", "munder": "_"}


def _math_joint(child: Element) -> str | None:
    """What stands between the two parts of a MathML construct, before its second part."""
    parent = child.getparent()
    if parent is None or child.getprevious() is None:
        return None
    return _MATH_JOINTS.get(tag(parent))


def _meets_digit(parts: list[str], inner: str) -> bool:
    before = next((part for part in reversed(parts) if part), "")
    return before[-1:].isdigit() and _STARTS_LIKE_NUMBER.match(inner.strip()) is not None


def child_text(element: Element, path: str) -> str:
    """Inline text of the first match of an ElementPath, '' without one."""
    return inline_text(element.find(path))
