"""Connected areas of an image: runs of ink row by row, joined where they touch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


class _Runs(NamedTuple):
    """Runs of ink in reading order: columns [start, end) of a row; (n,) each."""

    row: Ints
    start: Ints
    end: Ints


def boxes_of(ink: Flags) -> Ints:
    """Boxes (x0, y0, x1, y1), ends exclusive, of the areas that are connected, corners counted.

    Args:
        ink: (height, width) what belongs to an area.
    Returns: (n, 4), in the order of their first rows.
    """
    runs = _runs(ink)
    owner = _owners(len(runs.row), *_touching(runs, ink.shape[1]))
    order = np.argsort(owner, kind="stable")
    firsts = np.flatnonzero(np.diff(owner[order], prepend=-1))
    if not len(firsts):
        return np.empty((0, 4), np.int64)
    least, most = np.minimum.reduceat, np.maximum.reduceat
    return np.stack(
        [
            least(runs.start[order], firsts),
            least(runs.row[order], firsts),
            most(runs.end[order], firsts),
            most(runs.row[order], firsts) + 1,
        ],
        axis=1,
    )


def _runs(ink: Flags) -> _Runs:
    edges = np.diff(np.pad(ink.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, start = np.nonzero(edges == 1)
    return _Runs(row, start, np.nonzero(edges == -1)[1])


def _touching(runs: _Runs, width: int) -> tuple[Ints, Ints]:
    """Pairs of runs in following rows that touch."""
    pitch = width + 2
    below = (runs.row + 1) * pitch
    first = np.searchsorted(runs.row * pitch + runs.end, below + runs.start)
    past = np.searchsorted(runs.row * pitch + runs.start, below + runs.end, side="right")
    count = np.maximum(past - first, 0)
    upper = np.repeat(np.arange(len(count)), count)
    within = np.arange(len(upper)) - np.repeat(np.cumsum(count) - count, count)
    return upper, first[upper] + within


def _owners(count: int, upper: Ints, lower: Ints) -> Ints:
    """The least run of each run's area: owners are passed on, and owners of owners taken, until
    nothing changes.
    """
    owner = np.arange(count)
    while True:
        least = np.minimum(owner[upper], owner[lower])
        passed = owner.copy()
        np.minimum.at(passed, owner[upper], least)
        np.minimum.at(passed, owner[lower], least)
        passed = passed[passed]
        if np.array_equal(passed, owner):
            return owner
        owner = passed
