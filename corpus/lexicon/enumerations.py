"""Names that are written once for several things: "VEGFR1-3", "VEGFR-1, -2 and -3", "IL-1α/β"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from corpus.lexicon.folding import GREEK
from corpus.lexicon.loaders import GENE_KINDS

if TYPE_CHECKING:
    from corpus.lexicon.matcher import Match

_LETTERS = "|".join(sorted({*GREEK, *GREEK.values()}, key=len, reverse=True))
_TO = re.compile(r"[-–—]\s?(\d{1,2})(?![\w-])")
_FROM = re.compile(r"(?<![\w-])([^\W\d_][\w-]*?[^\W\d_])(-?)(\d{1,2})\s?$")
_LONGEST_STEM = 24
_MEMBER = re.compile(
    rf"(?:\s*,?\s*(?:and|or|&)\s*|\s*,\s*|/)(?P<hyphen>[-–]?)(?P<last>\d{{1,2}}|{_LETTERS})(?![\w])"
)
_LAST = re.compile(rf"^(?P<stem>.*?)(?P<last>\d{{1,2}}|{_LETTERS})$")
_MOST = 12  # members of a range


def members(
    text: str, found: Iterable[Match], named: Callable[[str], Match | None]
) -> Iterator[Match]:
    """Further members that a text names by their number or Greek letter alone.

    Of a range: its stem, where that is an entity, and each member with the span of the whole.
    """
    seen = {(match.start, match.end, match.curie) for match in found}
    for match in _both(text, found, named):
        key = (match.start, match.end, match.curie)
        if key not in seen:
            seen.add(key)
            yield match


def _both(
    text: str, found: Iterable[Match], named: Callable[[str], Match | None]
) -> Iterator[Match]:
    for match in _TO.finditer(text):
        yield from _range(match, named)
    for entity in found:
        if entity.kind in GENE_KINDS:
            yield from _following(text, entity, named)


def _range(match: re.Match[str], named: Callable[[str], Match | None]) -> Iterator[Match]:
    text, at = match.string, max(0, match.start() - _LONGEST_STEM)
    found = _FROM.search(text[at : match.start()])
    if not found:
        return
    stem, hyphen, low, high = found[1], found[2], int(found[3]), int(match[1])
    if not low < high <= low + _MOST:
        return
    begin = at + found.start()
    if (family := named(stem)) and family.kind in GENE_KINDS:
        yield replace(family, start=begin, end=begin + len(stem), text=stem, reason="stem")
    for number in range(low, high + 1):
        member = named(f"{stem}{hyphen}{number}")
        if member and member.kind in GENE_KINDS:
            end = match.end() if number > low else at + found.end(3)
            yield replace(member, start=begin, end=end, text=text[begin:end], reason="range")


def _following(text: str, entity: Match, named: Callable[[str], Match | None]) -> Iterator[Match]:
    parts = _LAST.match(entity.text)
    if not parts or not parts["stem"]:
        return
    place = entity.end
    while match := _MEMBER.match(text, place):
        place = match.end()
        is_number = match["last"].isdigit()
        if is_number != parts["last"].isdigit():
            return
        if is_number and not match["hyphen"] and match[0][0] != "/":
            return  # "IL-6 and 10 patients"
        member = named(parts["stem"] + match["last"])
        if member and member.kind in GENE_KINDS:
            start = match.start("hyphen") if is_number else match.start("last")
            yield replace(
                member, start=start, end=place, text=text[start:place], reason="enumeration"
            )
