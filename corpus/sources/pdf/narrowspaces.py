"""Spaces that a line has only as gaps too narrow to be taken for any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, Final

_LONG_WORD: Final = 14  # letters a word on average, from which a line lacks spaces
_FEWEST: Final = 30  # letters; shorter lines are names and formulas
_TOUCHING: Final = 0.03  # ems between letters of a word that is not spaced out
_GAP: Final = 0.08  # ems between words of a condensed face, set tight


def narrow_space(spans: Sequence[dict[str, Any]]) -> float:
    """The gap, in ems, that parts words of an upright raw line; infinite where its own spaces do.

    MuPDF puts a space where a gap is as wide as one usually is. A line of touching letters that has
    next to none of those has narrower ones.
    """
    words = "".join([char["c"] for span in spans for char in span["chars"]]).split()
    if sum(map(len, words)) < max(_FEWEST, _LONG_WORD * len(words)):
        return float("inf")
    gaps = list(_gaps([(char, span["size"]) for span in spans for char in span["chars"]]))
    return _GAP if gaps and median(gaps) <= _TOUCHING else float("inf")


def _gaps(chars: Sequence[tuple[dict[str, Any], float]]) -> Iterator[float]:
    for (one, size), (other, _) in pairwise(chars):
        if not (one["c"].isspace() or other["c"].isspace()):
            yield (other["bbox"][0] - one["bbox"][2]) / size
