"""What the first page says of a paper's own record: its DOI and the year of publication."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from corpus.sources.pdf.model import Line

_DOI: Final = re.compile(r"(?<![\d.])10\.\d{4,9}/[^\s\"<>,;]+", re.ASCII)
_LABEL: Final = re.compile(r"doi(?:\.org/|[:\s]*)", re.IGNORECASE)
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)(?!\d)"
# The surest first: "Published online: 20 June 2015", "© The Author(s) 2017", "2012;1:e00353",
# "(2017) 12:652", "Accepted: 3 October 2018".
_YEARS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bpublished(?:\s+online)?\s*:?\s*(?:\d{{1,2}}\s+)?(?:[a-z]+\.?\s+)?(?:\d{{1,2}},?\s+)?{_YEAR}",
        rf"(?:©|\(c\)|copyright|the authors?\(s\)|the authors).{{0,40}}?\b{_YEAR}",
        rf"\b{_YEAR}\s*[;,:]\s*\d+\s*[(:,]",
        rf"\({_YEAR}\)\s*,?\s*\d+\s*[(:,]",
        rf"\baccepted\b.{{0,25}}?\b{_YEAR}",
    )
)


def find_doi(lines: Iterable[Line]) -> str:
    """The first DOI, in small letters; "" for none. One that is labelled may be set with blanks."""
    for line in lines:
        text = line.text
        label = _LABEL.search(text)
        found = _DOI.search(text) or (
            _DOI.search(text[label.end() :].replace(" ", "")) if label else None
        )
        if found:
            return found.group().rstrip(".)").lower()
    return ""


def find_year(lines: Sequence[Line]) -> str:
    """The year of publication as four digits; "" where no line tells it as one."""
    for pattern in _YEARS:
        for line in lines:
            found = pattern.search(line.text)
            if found:
                return found["year"]
    return ""
