"""Raised parts of words told apart: exponents, citations, and the marks of notes in tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

_CITATION = re.compile(r"\d{1,3}(?:[,\u2013-]\d{1,3})*,?")
_CITED = re.compile(r"(?:[a-z]{3}|[.,;:)\]%\u201d\"])$")
# A mark or a few ("b", "a,b", "12"), or an exponent of a unit ("−1", "2+").
_MARK = re.compile(r"[a-pr-z](?:,?[a-pr-z]){0,2}|[-\u2212+]?\d{1,3}(?:,\d{1,3})*[-\u2212+]?")
_RAISED: Final = str.maketrans(
    "abcdefghijklmnoprstuvwxyz0123456789+-\u2212",
    "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻",
)


def in_text(texts: Sequence[str], spans: Sequence[dict[str, Any]]) -> str:
    """The glyphs of a word as running text has it.

    An exponent after a digit is set off by a caret (10^6, not 106); numbers raised after a word or
    a full stop are citations and stand in brackets (shown.[4,5]).
    """
    return _joined(texts, spans, _raised_in_text)


def in_cell(texts: Sequence[str], spans: Sequence[dict[str, Any]]) -> str:
    """The same as a cell has it: marks of notes and exponents of units stay raised (RIᵇ, kg⁻¹)."""
    return _joined(texts, spans, _raised_in_cell)


def _joined(
    texts: Sequence[str], spans: Sequence[dict[str, Any]], raised: Callable[[str, str], str]
) -> str:
    parts: list[str] = []
    run: list[str] = []
    was_raised = bool(spans[0]["flags"] & 1)

    def close() -> None:
        text, before = "".join(run), parts[-1] if parts else ""
        parts.append(raised(text, before) if was_raised else text)

    for text, span in zip(texts, spans, strict=True):
        is_raised = bool(span["flags"] & 1)
        if is_raised != was_raised:
            close()
            run, was_raised = [], is_raised
        run.append(text)
    close()
    return "".join(parts)


def _is_exponent(text: str, before: str) -> bool:
    return before[-1:].isdigit() and (text[0].isdigit() or text[0] in "-\u2212\u2013+")


def _raised_in_text(text: str, before: str) -> str:
    if _is_exponent(text, before):
        return f"^{text}"
    if _CITATION.fullmatch(text) and _CITED.search(before):
        return f"[{text}]"
    return text


def _raised_in_cell(text: str, before: str) -> str:
    if _is_exponent(text, before):
        return f"^{text}"
    return text.translate(_RAISED) if _MARK.fullmatch(text) else text
