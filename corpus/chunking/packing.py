"""Grouping of units (sentences, rows) into pieces of about one size."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.chunking.placing import Unit

# A rest this small joins the piece before it instead of standing alone.
TAIL_SHARE = 0.15
# A last sentence longer than this share of the target is not said twice.
OVERLAP_SHARE = 0.5


def pack(units: Sequence[Unit], *, target: int, overlap: bool) -> list[tuple[int, int]]:
    """Group units greedily; return (first, past the last) index pairs that cover all units in
    order.

    A group spans at most `target` characters unless one unit alone is longer or a small rest is
    taken in. With `overlap` the last unit of a group opens the next one, where that leaves room for
    something new.
    """
    groups: list[tuple[int, int]] = []
    first = 0
    while first < len(units):
        last = first + 1
        while last < len(units) and _length(units, first, last + 1) <= target:
            last += 1
        if last < len(units) and _length(units, first, len(units)) <= target * (1 + TAIL_SHARE):
            last = len(units)
        groups.append((first, last))
        if last == len(units):
            break
        first = last - 1 if overlap and _repeats(units, first, last, target) else last
    return groups


def _length(units: Sequence[Unit], first: int, last: int) -> int:
    return units[last - 1].end - units[first].start


def _repeats(units: Sequence[Unit], first: int, last: int, target: int) -> bool:
    return (
        last - 1 > first
        and _length(units, last - 1, last) <= target * OVERLAP_SHARE
        and _length(units, last - 1, last + 1) <= target
    )
