"""How well a sentence answers a question: shared rare words, meaning, and the rank of its
passage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from agent.answers.extractive.units import Sentence, Wanted
from agent.answers.passages import Passage
from retrieval.lexical.analyser import index_terms

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of a question with each of some texts."""

# Weights tuned on the even half of COVID-QA (sha256 of the id); see docs/evaluation.md.
LEXICAL: Final = 0.45
MEANING: Final = 0.45
RANK: Final = 0.10
NEIGHBOUR: Final = 0.25  # what the sentences beside it add
TITLE: Final = 0.4  # a term that only the title has counts so much
KIND: Final = 0.05  # a sentence with the kind of thing that is asked for
MOST_ENCODED: Final = 40  # sentences that meet the encoder: the best by words alone

_KINDS: Final = (
    (re.compile(r"\bhow (?:many|much|long|often|old|large|high|far)\b|\bwhat (?:percent|proportion|"
                r"number|dose|rate|fraction|share)|\bprevalence\b|\bincidence\b", re.I),
     re.compile(r"\d")),
    (re.compile(r"^\s*(?:when|what year|in (?:what|which) year)\b", re.I),
     re.compile(r"\b(?:1[89]|20)\d\d\b|\b(?:days?|weeks?|months?|years?|hours?)\b", re.I)),
    (re.compile(r"^\s*why\b|\breason\b|\bcause[sd]?\b", re.I),
     re.compile(r"\b(?:because|due to|since|owing|caused?|leads? to|result(?:s|ed)? (?:in|from))\b",
                re.I)),
    (re.compile(r"^\s*(?:what (?:is|are)|define)\b", re.I),
     re.compile(r"\b(?:is|are) (?:an?|the|one of|defined|known)\b|\brefers? to\b", re.I)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence and the parts of its score; each part lies in [0, 1] but for rounding."""

    sentence: Sentence
    score: float
    lexical: float
    meaning: float | None  # cosine, None where the encoder did not look


def score(
    question: str,
    passages: Sequence[Passage],
    pool: Sequence[Sentence],
    asked: Wanted,
    similarity: Similarity | None,
) -> list[Scored]:
    """All sentences, scored, in the order of the pool."""
    titles = [frozenset(index_terms(p.title)) for p in passages]
    lexical = [_lexical(sentence, asked, titles[sentence.passage]) for sentence in pool]
    around = _with_neighbours(pool, lexical)
    best = sorted(range(len(pool)), key=lambda i: -around[i])[:MOST_ENCODED]
    meaning = _meaning(question, pool, best, similarity)
    out = []
    for index, sentence in enumerate(pool):
        cosine = meaning.get(index)
        rank = 1.0 / passages[sentence.passage].rank
        total = LEXICAL * around[index] + RANK * rank + KIND * _fits_kind(question, sentence.text)
        total += MEANING * max(0.0, cosine if cosine is not None else 0.0)
        out.append(Scored(sentence, total, lexical[index], cosine))
    return out


def _lexical(sentence: Sentence, asked: Wanted, title: frozenset[str]) -> float:
    """The share of the question in the sentence; what only its title has counts less."""
    own = asked.share(sentence.terms)
    with_title = asked.share(sentence.terms | title)
    return own + TITLE * (with_title - own)


def _with_neighbours(pool: Sequence[Sentence], values: Sequence[float]) -> list[float]:
    """Each value raised by the better of its neighbours in the same passage."""
    out = []
    for index, sentence in enumerate(pool):
        beside = [
            values[other]
            for other in (index - 1, index + 1)
            if 0 <= other < len(pool) and pool[other].passage == sentence.passage
        ]
        out.append(values[index] + NEIGHBOUR * max(beside, default=0.0))
    return out


def _meaning(
    question: str, pool: Sequence[Sentence], chosen: Sequence[int], similarity: Similarity | None
) -> dict[int, float]:
    if similarity is None or not chosen:
        return {}
    found = similarity(question, [pool[index].text for index in chosen])
    return {index: float(value) for index, value in zip(chosen, found, strict=True)}


def _fits_kind(question: str, text: str) -> float:
    asked = [shown for question_form, shown in _KINDS if question_form.search(question)]
    return float(any(shown.search(text) for shown in asked)) if asked else 0.0
