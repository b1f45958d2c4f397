"""Passages further down that speak of what the question asks, where the first ones do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.answers.extractive.asked import OnPoint
from agent.answers.extractive.scoring import is_bare
from agent.answers.extractive.units import sentences
from agent.answers.grounding.names import expand
from agent.answers.passages import Passage

ENOUGH: Final = 0.8  # share of the question in one sentence: then nothing further is looked for
GAIN: Final = 0.1  # by how much a passage from further down must say more
PLACES: Final = 3  # of the first passages, the last so many give way
_INTERLEUKIN: Final = re.compile(r"\bIL[-‐ ]?(\d{1,2})\b")  # as prose of reviews writes it


def respelled(question: str) -> str | None:
    """The question with its names in their long form, or in their short one; None without any."""
    long = _INTERLEUKIN.sub(r"interleukin-\1", question)
    other = long if long != question else expand(question)
    return other if other != question else None


def falls_short(question: str, passages: Sequence[Passage]) -> bool:
    """Whether no sentence of the passages says most of what is asked."""
    return max(_shares(question, passages), default=0.0) < ENOUGH


def best_places(question: str, passages: Sequence[Passage], *, most: int) -> list[int]:
    """Places of the `most` passages to read, in their order.

    The first ones, unless no sentence of theirs says most of the question: then up to PLACES of the
    last of them give way to later ones that say more. Names with identifiers are no sentences here.
    """
    first = list(range(min(most, len(passages))))
    if len(passages) <= most:
        return first
    reached = max(_shares(question, passages[:most]))
    if reached >= ENOUGH:
        return first
    shares = _shares(question, passages)
    later = [place for place in range(most, len(passages)) if shares[place] >= reached + GAIN]
    found = sorted(later, key=lambda place: -shares[place])[:PLACES]
    return [*first[: most - len(found)], *sorted(found)]


def _shares(question: str, passages: Sequence[Passage]) -> list[float]:
    """The largest share of the question that a sentence of each passage speaks of."""
    pool = sentences(passages)
    point = OnPoint(question, passages, pool)
    best = [0.0] * len(passages)
    for index, sentence in enumerate(pool):
        share = point.share(index)
        if share <= best[sentence.passage] or not point.says_relation(index):
            continue
        if not is_bare(question, sentence.text, share):
            best[sentence.passage] = share
    return best
