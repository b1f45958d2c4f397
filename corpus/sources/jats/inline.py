"""Inline text of JATS: what belongs to a paragraph, and what floats beside it."""

from __future__ import annotations

import re
from typing import Final

from corpus.sources.markup import Element, inline_text, tag

# Blocks that JATS allows inside a paragraph but that are told on their own.
FLOATS: Final = frozenset(
    {"fig", "fig-group", "table-wrap", "table-wrap-group", "supplementary-material", "boxed-text"}
)
INSET: Final = frozenset({"list", "def-list", "disp-quote", "disp-formula-group"})
_APART: Final = FLOATS | INSET
_UNREAD: Final = frozenset({"graphic", "inline-graphic", "media", "object-id", "fn", "index-term"})
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def prepare(article: Element) -> None:
    """Rewrite what reads wrongly as plain text, in place.

    A superscript citation becomes [1], so that it neither raises a number to a power nor glues
    to a word. TeX beside MathML goes; TeX alone loses its preamble.
    """
    for sup in list(article.iter("{*}sup")):
        if any(ref.get("ref-type") == "bibr" for ref in sup.iter("{*}xref")):
            _bracket(sup)
        else:
            parent = sup.getparent()
            if parent is not None and tag(parent) == "xref" and parent.get("ref-type") == "bibr":
                _bracket(sup)
    for tex in list(article.iter("{*}tex-math")):
        body = _TEX_BODY.search(tex.text or "")
        alone = not any(True for _ in _around(tex).iter("{*}math"))
        tex.text = (body.group(1) if body else tex.text or "").strip("$ \n") if alone else ""


def _around(element: Element) -> Element:
    """The formula (or what stands directly around) that an element is one form of."""
    parent = element.getparent()
    if parent is None:
        return element
    if tag(parent) == "alternatives" and (above := parent.getparent()) is not None:
        return above
    return parent


def _bracket(sup: Element) -> None:
    sup.tag = "cite-mark"
    sup.text = "[" + (sup.text or "").lstrip()
    if len(sup):
        sup[-1].tail = (sup[-1].tail or "").rstrip() + "]"
    else:
        sup.text += "]"


def text_of(element: Element | None) -> str:
    """Inline text without graphics and footnotes."""
    return inline_text(element, skip=lambda child: tag(child) in _UNREAD)


def paragraph_text(element: Element) -> str:
    """A paragraph's own text: floats, lists and quotations inside it are left out."""
    return inline_text(element, skip=lambda child: tag(child) in _UNREAD or tag(child) in _APART)


def formula_text(element: Element) -> str:
    """A displayed formula with its number; '' when it is only a picture."""
    label = ""
    for child in element:
        if tag(child) == "label":
            label = text_of(child)
    body = inline_text(element, skip=lambda child: tag(child) in _UNREAD or tag(child) == "label")
    return f"{body} {label}".strip() if body else ""
