"""Whose number it is: a sentence that gives one figure for each of two groups supports no mix of
them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.answers.grounding.names import expand
from agent.answers.words import STOP, stem, words
from corpus.quoting.numbers import Quantity, quantities

CLEARLY: Final = 1.6  # how much nearer to the claim's words another figure must stand
HALF_AT: Final = 6  # words of distance at which a word counts half
_ORDERED: Final = re.compile(r"\brespectively\b", re.I)


def strays(claim: str, sentences: Sequence[str]) -> list[str]:
    """Figures of a claim that the passage gives for something else.

    Compared are figures of one kind in one sentence, by how near each stands to the words that the
    claim shares with it. Sentences that sort their figures by "respectively" are left alone.
    """
    plain = expand(claim)
    found = []
    for wanted in quantities(plain):
        verdicts = [_is_anothers(plain, wanted, expand(one)) for one in sentences]
        known = [verdict for verdict in verdicts if verdict is not None]
        if known and all(known):
            found.append(f"number: the passage gives “{wanted.shown}” for something else.")
    return found


def _is_anothers(claim: str, wanted: Quantity, sentence: str) -> bool | None:
    """Whether the figure belongs to other words in this sentence; None where it does not stand."""
    there = quantities(sentence)
    same = [one for one in there if one.states(wanted)]
    if not same:
        return None
    rivals = [
        one for one in there if one.dimension == same[0].dimension and one.value != same[0].value
    ]
    if not rivals or _ORDERED.search(sentence):
        return False
    shared = _stems(claim) & _stems(sentence)
    own = max(_nearness(sentence, one, shared) for one in same)
    other = max(_nearness(sentence, one, shared) for one in rivals)
    return other > CLEARLY * own


def _stems(text: str) -> set[str]:
    return {
        stem(word)
        for word in words(text)
        if word not in STOP and len(word) > 1 and not word.isdigit()
    }


def _nearness(sentence: str, quantity: Quantity, shared: set[str]) -> float:
    """How near the shared words stand to a figure, each counted once at its nearest."""
    best: dict[str, float] = {}
    before = list(reversed(words(sentence[: quantity.start])))
    for side in (before, words(sentence[quantity.end :])):
        for distance, word in enumerate(side, start=1):
            root = stem(word)
            if root in shared:
                best[root] = max(best.get(root, 0.0), HALF_AT / (HALF_AT + distance))
    return sum(best.values())
