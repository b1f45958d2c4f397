"""Fine print of the first page: addresses, dates, licence, in blocks of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from corpus.sources.pdf.model import Line, PageContent
from corpus.sources.pdf.typography import Typography

SMALL: Final = 0.945  # notes are set smaller than this share of the body's size, itself rounded
_LOW: Final = 0.45  # of the page's height: above it stands the head of the paper
_LONGEST: Final = 30  # lines
_SAYS = re.compile(
    r"\bcorresponden[ct]|\bcorresponding author|\be-?mails?\b|\breceived\b.*\d{4}|\u00a9|"
    r"\bcopyright\b|creative ?commons|\bopen access article\b|\ball rights reserved\b",
    re.IGNORECASE,
)


def is_fine_print(run: Sequence[Line], page: PageContent, typography: Typography) -> bool:
    """Whether a run of lines low on the first page is small throughout and says what such print
    says.
    """
    if page.number != 1 or not 0 < len(run) <= _LONGEST:
        return False
    small = all(line.size < SMALL * typography.size for line in run)
    low = min(line.rect.y0 for line in run) > _LOW * page.height
    return small and low and says_fine_print(" ".join(line.text for line in run))


def says_fine_print(text: str) -> bool:
    """Whether a text speaks of addresses, dates or licence as fine print does."""
    return _SAYS.search(text) is not None
