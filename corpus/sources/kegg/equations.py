"""KEGG's reaction equations: '2 C00001 + C00003 <=> C00004(n+1)'."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_ARROW = re.compile(r"\s*(?:<=>|<->|<=|=>|->)\s*")
_PART = re.compile(
    r"(?:(?P<count>\(?[0-9n][0-9n+-]*\)?|\d+)\s+)?(?P<id>\S.*?)(?:\((?P<n>[nmx0-9+-]+)\))?"
)
_PLUS: Final = re.compile(r"\s\+\s")


@dataclass(frozen=True, slots=True)
class Part:
    """A compound of one side; `count` as printed ('2', 'n+1'), '1' where nothing is."""

    id: str
    count: str = "1"


def sides(equation: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The left and the right side; both empty where there is no arrow."""
    halves = _ARROW.split(equation.strip(), maxsplit=1)
    if len(halves) != 2:
        return (), ()
    return _side(halves[0]), _side(halves[1])


def _side(text: str) -> tuple[Part, ...]:
    parts = []
    for piece in _PLUS.split(text):
        found = _PART.fullmatch(piece.strip())
        if found:
            parts.append(Part(found["id"].strip(), found["count"] or found["n"] or "1"))
    return tuple(parts)
