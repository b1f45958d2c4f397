"""Who acts on whom, and which word of direction belongs to which words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.answers.grounding.names import Name, expand, names
from agent.answers.grounding.polarity import Direction, directions
from agent.answers.words import STOP, stem, words

SIDE_SHARE: Final = 0.5  # what a shared word counts that stands on the other side of the direction
HALF_AT: Final = 6  # words of distance at which a shared word counts half
_PASSIVE: Final = re.compile(r"\b(?:is|are|was|were|be|been|being|gets?)\s+(?:\w+\s+)?$", re.I)
_BY: Final = re.compile(r"^\s+(?:[\w-]+\s+){0,3}?by\b", re.I)
_NOMINAL: Final = re.compile(r"(?:ion|ment|ance|ence|blockade|or|er|ing|al)$", re.I)
_OF: Final = re.compile(r"^s?\s+(?:of|for)\b", re.I)


@dataclass(frozen=True, slots=True)
class Act:
    """An actor raises (+1) or lowers (-1) a target; both as comparable forms of names."""

    actor: frozenset[str]
    target: frozenset[str]
    sign: int


def best_fits(
    claim: str, wanted: Direction, sentences: Sequence[str]
) -> tuple[float | None, float | None]:
    """How well the passage's words of the same and of the reverse direction fit the claim's.

    The fit counts the words around them that both share, near ones and those on the same side more.
    None where the passage has no such word beside anything that the claim speaks of.
    """
    left, right = _around(claim, wanted)
    same: float | None = None
    reverse: float | None = None
    for sentence in sentences:
        for found in directions(sentence):
            fit = _fit((left, right), _around(sentence, found))
            if fit <= 0 and (left or right):
                continue
            if found.sign == wanted.sign:
                same = max(fit, same or 0.0)
            else:
                reverse = max(fit, reverse or 0.0)
    return same, reverse


def _around(text: str, direction: Direction) -> tuple[dict[str, int], dict[str, int]]:
    """Stems before and after a word, with their distance from it in words (from 1)."""
    before = _distances(list(reversed(words(expand(text[: direction.start])))))
    after = _distances(words(expand(text[direction.end :])))
    return before, after


def _distances(ordered: Sequence[str]) -> dict[str, int]:
    out: dict[str, int] = {}
    for distance, word in enumerate(ordered, start=1):
        if word not in STOP and len(word) > 1:
            out.setdefault(stem(word), distance)
    return out


def _fit(
    claim: tuple[dict[str, int], dict[str, int]], found: tuple[dict[str, int], dict[str, int]]
) -> float:
    total = 0.0
    for side in (0, 1):
        for word in claim[side]:
            weight = HALF_AT / (HALF_AT + claim[side][word])
            here, there = found[side].get(word), found[1 - side].get(word)
            near = HALF_AT / (HALF_AT + here) if here else 0.0
            far = SIDE_SHARE * HALF_AT / (HALF_AT + there) if there else 0.0
            total += weight * max(near, far)
    return total


def acts(text: str) -> list[Act]:
    """Statements "A inhibits B" and "B is inhibited by A" between two names."""
    plain = expand(text)
    found = names(plain)
    out = []
    for direction in directions(plain):
        act = _act(plain, direction, found)
        if act is not None:
            out.append(act)
    return out


def _act(text: str, direction: Direction, found: Sequence[Name]) -> Act | None:
    before = [name for name in found if name.end <= direction.start]
    after = [name for name in found if name.start >= direction.end]
    if not before or not after:
        return None
    left, right = before[-1], after[0]
    if re.search(r"[;.]", text[left.end : right.start]):
        return None
    rest = text[direction.end :]
    if _NOMINAL.search(direction.word.rstrip("s")):
        return (
            Act(left.forms, right.forms, direction.sign)
            if _OF.match(rest) and _is_agent(direction.word)
            else None
        )
    passive = bool(_PASSIVE.search(text[: direction.start]))
    if passive and _BY.match(rest):
        return Act(right.forms, left.forms, direction.sign)
    if passive or (direction.word.lower().endswith("ed") and _BY.match(rest)):
        return None
    return Act(left.forms, right.forms, direction.sign)


def _is_agent(word: str) -> bool:
    return word.lower().rstrip("s").endswith(("or", "er"))
