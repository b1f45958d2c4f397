"""Which sentences to quote: good ones that say different things, each with a neighbour it needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.answers.extractive.scoring import Scored
from agent.answers.extractive.units import together

MOST_QUOTES: Final = 5
FLOOR: Final = 0.7  # of the best quote's score; below it a quote adds little
LATER: Final = 0.8  # of what the first quote speaks of; a later one must reach it
BESIDE: Final = 0.75  # of what a sentence speaks of; then its neighbour is quoted with it
NOVELTY: Final = 0.3  # weight of likeness to what is chosen already (MMR)
SAME: Final = 0.7  # share of common words above which a sentence repeats another
LONGEST_QUOTE: Final = 600  # characters; a second sentence is added only within it


_POINTS_BACK: Final = re.compile(
    r"^\W*(?:it|its|they|their|these|this|those|such|both|he|she|in turn|therefore|thus|hence|"
    r"however|also|the (?:same|latter|former)|one reason|as a result|for example)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Quote:
    """One or two neighbouring sentences of a passage: [start, end) in its text."""

    passage: int
    start: int
    end: int
    score: float
    best: Scored


def select(scored: Sequence[Scored], *, most: int = MOST_QUOTES) -> list[Quote]:
    """The quotes of an answer, best first."""
    fit = [one for one in scored if one.on_point]
    left = sorted(fit, key=lambda one: (-one.score, one.sentence.passage, one.sentence.number))
    chosen: list[Quote] = []
    taken: list[Scored] = []
    while left and len(chosen) < most:
        best = max(left, key=lambda one: one.score - NOVELTY * _likeness(one, taken) * one.score)
        left.remove(best)
        if chosen and best.score < FLOOR * chosen[0].score:
            break
        if taken and best.point < LATER * taken[0].point:
            continue
        if _likeness(best, taken) > SAME or _inside(best, chosen):
            continue
        chosen.append(_quote(best, scored, chosen))
        taken.append(best)
    return _in_reading_order(chosen)


def _in_reading_order(chosen: Sequence[Quote]) -> list[Quote]:
    """The best quote first; then passage by passage, the better passages first, each as it
    reads.
    """
    if not chosen:
        return []
    ranked = sorted(chosen, key=lambda quote: -quote.score)
    passages = list(dict.fromkeys(quote.passage for quote in ranked))
    rest = sorted(ranked[1:], key=lambda quote: (passages.index(quote.passage), quote.start))
    return [ranked[0], *rest]


def _likeness(one: Scored, taken: Sequence[Scored]) -> float:
    """The largest share of words in common with what is chosen already, in [0, 1]."""
    words = one.sentence.terms
    if not words:
        return 1.0
    shares = [len(words & other.sentence.terms) / len(words) for other in taken]
    return max(shares, default=0.0)


def _inside(one: Scored, chosen: Sequence[Quote]) -> bool:
    sentence = one.sentence
    return any(
        quote.passage == sentence.passage
        and quote.start < sentence.end
        and sentence.start < quote.end
        for quote in chosen
    )


def _belongs(other: Scored, best: Scored) -> bool:
    """Whether a neighbour adds to a sentence: it is what that points back to, or to the point."""
    if other.sentence.number < best.sentence.number and _POINTS_BACK.search(best.sentence.text):
        return True
    return other.point >= BESIDE * best.point


def _quote(best: Scored, scored: Sequence[Scored], chosen: Sequence[Quote]) -> Quote:
    """The sentence, with the better neighbour when both fit."""
    sentence = best.sentence
    beside = [
        other
        for other in scored
        if together(other.sentence, sentence)
        and abs(other.sentence.number - sentence.number) == 1
        and not _inside(other, chosen)
        and _belongs(other, best)
    ]
    start, end = sentence.start, sentence.end
    for other in sorted(beside, key=lambda one: -one.score):
        first = min(start, other.sentence.start)
        last = max(end, other.sentence.end)
        if last - first <= LONGEST_QUOTE:
            start, end = first, last
            break
    return Quote(sentence.passage, start, end, best.score, best)
