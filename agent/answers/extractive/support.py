"""Whether the passages support an answer at all, by what the best of them share with the
question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.answers.extractive.scoring import Scored, named_records
from agent.answers.extractive.units import HAVING, Wanted, terms_of
from agent.answers.grounding.names import known_forms, names
from agent.answers.grounding.polarity import sign_of
from agent.answers.passages import Passage
from agent.answers.schema import RetrievalQuality

UNSEEN: Final = 0.3
CLOSE: Final = 3  # passages that count for what is covered


@dataclass(frozen=True, slots=True)
class Signs:
    """What the evidence shows, each in [0, 1]."""

    together: float  # best share of the question's words in one sentence with its title
    covered: float  # share of the question's words in the best passages together
    meaning: float  # best cosine of a sentence with the question
    passage: float  # best cosine of a passage with the question
    named: float  # share of the question's names that the best passages hold


@dataclass(frozen=True, slots=True)
class Support:
    """`probability` that the passages answer; `missing` are words of the question found nowhere."""

    probability: float
    signs: Signs
    missing: tuple[str, ...]

    @property
    def quality(self) -> RetrievalQuality:
        """The judge's word for it."""
        if self.probability >= GOOD:
            return "good"
        return "partial" if self.probability >= ANSWERS else "bad"


# Logistic weights fitted on questions asked with and without their gold documents (even half of
# COVID-QA, SciFact train) and on off-topic questions; see docs/evaluation.md.
BIAS: Final = -8.1
WEIGHTS: Final = Signs(together=3.5, covered=0.1, meaning=5.9, passage=2.0, named=1.2)
RECORD: Final = 0.7
HALF: Final = 0.5
SPEAKS: Final = 0.95  # point of a sentence that speaks of the named thing and what is asked of it
PLAIN: Final = 0.3
ANSWERS: Final = 0.22
GOOD: Final = 0.6


def signs(
    question: str, passages: Sequence[Passage], scored: Sequence[Scored], asked: Wanted
) -> Signs:
    """The signs of support in some scored passages."""
    near = passages[:CLOSE]
    present = _present(near)
    cosines = [one.meaning for one in scored if one.meaning is not None]
    similar = [p.similarity for p in passages if p.similarity is not None]
    together = max((one.lexical for one in scored), default=0.0)
    unseen = UNSEEN + together / 2  # what an encoder would say, on average, of such words
    return Signs(
        together=together,
        covered=asked.share(present),
        meaning=max(cosines, default=unseen),
        passage=max(similar, default=unseen),
        named=_named(question, near),
    )


def _present(passages: Sequence[Passage]) -> frozenset[str]:
    """Terms of some passages with what stands above them; cells say that their rows have them."""
    said = [terms_of(f"{p.title} {p.external_id} {p.text}") for p in passages]
    return frozenset().union(*said, *(HAVING for p in passages if p.cells))


def support(
    question: str, passages: Sequence[Passage], scored: Sequence[Scored], asked: Wanted
) -> Support:
    """How likely the passages answer the question."""
    found = signs(question, passages, scored, asked)
    near = _present(passages[:CLOSE])
    absent = [min(forms, key=len) for forms, _ in asked.terms if not forms & near]
    missing = tuple(word for word in absent if not sign_of(word))
    probability = _probability(found)
    if found.covered >= HALF and named_records(question, passages[:CLOSE]):
        probability = max(probability, RECORD)  # it is asked for by name, and it is here
    best = max((one.point for one in scored if one.on_point), default=0.0)
    if best >= SPEAKS and names(question):
        probability = max(probability, PLAIN)
    return Support(probability, found, missing)


def _probability(found: Signs) -> float:
    total = BIAS + sum(
        getattr(WEIGHTS, name) * getattr(found, name) for name in Signs.__dataclass_fields__
    )
    return 1 / (1 + math.exp(-total))


def _named(question: str, passages: Sequence[Passage]) -> float:
    """Names of the question (genes, drugs, identifiers) that the passages hold; 1 without names."""
    asked = names(question)
    if not asked:
        return 1.0
    known = frozenset().union(
        *(known_forms(f"{p.title} {p.external_id} {p.text}") for p in passages)
    )
    return sum(bool(name.forms & known) for name in asked) / len(asked)
