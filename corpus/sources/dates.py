"""Dates as precise as their source: 2019, 2019-03 or 2019-03-14."""

from __future__ import annotations

import re
from typing import Final

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")


def iso_date(year: str, month: str = "", day: str = "") -> str:
    """Join year, month (number or English name) and day; what is missing or impossible is left
    out.
    """
    found = _YEAR.search(year)
    if not found:
        return ""
    number = month_number(month)
    if not number:
        return found.group(1)
    if not (day.strip().isdigit() and 1 <= int(day) <= 31):
        return f"{found.group(1)}-{number:02d}"
    return f"{found.group(1)}-{number:02d}-{int(day):02d}"


def month_number(month: str) -> int:
    """1 to 12 for a number or an English month name, 0 for anything else (a season, say)."""
    text = month.strip().lower()
    if text.isdigit():
        return int(text) if 1 <= int(text) <= 12 else 0
    return _MONTHS.index(text[:3]) + 1 if text[:3] in _MONTHS else 0


def loose_date(text: str) -> str:
    """Read the first year, and a month name after it, out of '1998 Dec-1999 Jan' or 'Spring
    2003'.
    """
    found = _YEAR.search(text)
    if not found:
        return ""
    after = re.match(r"\s+([A-Za-z]+)", text[found.end() :])
    return iso_date(found.group(1), after.group(1) if after else "")
