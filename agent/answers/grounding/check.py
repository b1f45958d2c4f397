"""Whether a passage says what a claim says: a check by rule, for each kind of thing that goes
wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agent.answers.grounding import relations
from agent.answers.grounding.closely import DENIES, STATES, Comparison, compare
from agent.answers.grounding.names import (
    Name,
    expand,
    forms,
    known_forms,
    names,
    without_own_abbreviations,
)
from agent.answers.grounding.owners import strays
from agent.answers.grounding.polarity import directions, negated, opposites, sign_of
from agent.answers.grounding.terms import special_terms
from agent.answers.words import STOP, coverage, fold, stem, words
from corpus.chunking.sentences import split
from corpus.quoting.numbers import quantities, unstated
from corpus.quoting.verbatim import locate

LEAST_WORDS: Final = 0.5  # share of a claim's words that its passage must hold
LEAST_TOGETHER: Final = 0.34  # and that two neighbouring sentences of it must hold
FAIR: Final = 0.8  # the reverse must fit this much better to outweigh a fitting word
FAIR_SAME_WORD: Final = 0.5  # and so much where the passage has the claim's very word
CLOSE: Final = 0.85  # a sentence this near to the best one may also be the claim's source


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reasons` name what is missing, one sentence each; empty when supported."""

    supported: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    stems: frozenset[str]
    score: float


def check(passage: str, claim: str, quote: str | None = None) -> Verdict:
    """Compare a claim, and the quote it gives, with the passage it cites."""
    reasons: list[str] = []
    if quote is not None and locate(passage, quote) is None:
        reasons.append("quote: it does not stand in the passage.")
    for start, end in split(claim) or [(0, len(claim))]:
        part = claim[start:end]
        if not _is_sentence_of(passage, part):
            reasons.extend(_faults(passage, part))
    return Verdict(not reasons, tuple(dict.fromkeys(reasons)))


def _is_sentence_of(passage: str, claim: str) -> bool:
    """A claim that is a whole sentence of the passage needs no further look."""
    span = locate(passage, claim)
    if span is None or not claim.strip():
        return False
    starts, ends = zip(*split(passage), strict=True)
    first = min((start for start in starts if start >= span[0]), default=None)
    return first == span[0] and any(0 <= end - span[1] <= 1 for end in ends)


def _faults(passage: str, claim: str) -> list[str]:
    if not words(claim):
        return ["claim: it says nothing."]
    sentences = _aligned(passage, claim)
    closely = _closely(claim, sentences)
    if closely is not None:
        faults = closely.faults()
        if faults:
            return faults
    checks: tuple[Callable[[str, str, list[_Sentence]], list[str]], ...] = (
        _wording,
        _numbers,
        _owners,
        _names,
        _terms,
        _directions,
        _opposites,
        _negation,
        _roles,
    )
    skipped = (_owners, _directions, _opposites, _negation, _roles) if closely is not None else ()
    return [
        fault for one in checks if one not in skipped for fault in one(passage, claim, sentences)
    ]


def _closely(claim: str, sentences: list[_Sentence]) -> Comparison | None:
    """The comparison with the sentence that the claim nearly repeats, the least faulty one."""
    found = [compare(sentence.text, claim) for sentence in _near(sentences)[:3]]
    near = [one for one in found if one is not None]
    return min(near, key=lambda one: len(one.faults()), default=None)


@lru_cache(maxsize=2048)
def _stems(text: str) -> tuple[str, ...]:
    """Stems that carry meaning; all words of increase count as one, all of decrease as another."""
    out = []
    for word in words(expand(text)):
        if word in STOP or len(word) < 2:
            continue
        sign = sign_of(word)
        out.append("+" if sign > 0 else "-" if sign < 0 else stem(word))
    return tuple(out)


def _aligned(passage: str, claim: str) -> list[_Sentence]:
    """The passage's sentences, the nearest to the claim first."""
    wanted = set(_stems(claim)) - {"+", "-"}
    found = []
    for start, end in split(passage):
        text = passage[start:end]
        stems = frozenset(_stems(text))
        found.append(_Sentence(text, stems, coverage(wanted, stems) if wanted else 0.0))
    return sorted(found, key=lambda sentence: -sentence.score)


def _near(sentences: list[_Sentence]) -> list[_Sentence]:
    best = sentences[0].score if sentences else 0.0
    return [s for s in sentences if s.score and s.score >= CLOSE * best]


def _wording(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    wanted = set(_stems(claim))
    present = set(_stems(passage)) | known_forms(passage)
    if coverage(wanted, present) < LEAST_WORDS:
        return ["wording: most of the claim's words are not in the passage."]
    ordered = [set(_stems(passage[start:end])) for start, end in split(passage)]
    pairs = [a | b for a, b in zip(ordered, [*ordered[1:], set()], strict=True)]
    if max((coverage(wanted, pair) for pair in pairs), default=0.0) < LEAST_TOGETHER:
        return ["wording: no part of the passage says this together."]
    return []


def _numbers(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    stated = quantities(passage)
    missing = []
    for wanted in unstated(stated, claim):
        same = [f for f in stated if f.value == wanted.value]
        kind = "number"
        if any(f.dimension == wanted.dimension for f in same):
            kind = "comparison"
        elif same or any(f.shown.split()[0] == wanted.shown.split()[0] for f in stated):
            kind = "unit"
        missing.append(f"{kind}: “{wanted.compare}{wanted.shown}” is not in the passage.")
    return missing


def _owners(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    return strays(claim, [sentence.text for sentence in sentences])


def _names(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    known = known_forms(passage)
    said = names(without_own_abbreviations(claim))
    missing = [name.shown for name in said if not _known(name, known)]
    return [f"name: “{shown}” is not in the passage." for shown in dict.fromkeys(missing)]


def _known(name: Name, known: frozenset[str]) -> bool:
    """A pair such as MDM2-p53 is known when both are."""
    parts = re.split(r"[-‐‑–]", name.shown)
    return bool(name.forms & known) or (
        len(parts) > 1 and all(len(part) > 1 and forms(part) & known for part in parts)
    )


def _terms(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    present = special_terms(passage)
    wanted = special_terms(claim)
    return [
        f"term: “{word}” is not in the passage."
        for key, word in wanted.items()
        if key not in present
    ]


def _directions(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    faults = []
    for wanted in directions(claim):
        found = relations.best_fits(claim, wanted, [s.text for s in sentences])
        fair = FAIR_SAME_WORD if found.same_word else FAIR
        if found.same is None or (found.same == 0 and found.reverse):
            faults.append(f"direction: “{wanted.word}” is not what the passage says.")
        elif found.reverse is not None and found.reverse * fair > found.same:
            faults.append(f"direction: the passage says the reverse of “{wanted.word}”.")
    return faults


def _opposites(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    near = [set(words(s.text)) | set(s.text.lower().split()) for s in _near(sentences)]
    faults = []
    for word, others in opposites(claim).items():
        said = any(word in present for present in near)
        reversed_ = any(others & present for present in near)
        if reversed_ and not said:
            faults.append(f"opposite: the passage says otherwise than “{word}”.")
    return faults


def _negation(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    conflicts = [_denial(claim, sentence.text) for sentence in _near(sentences)]
    return [conflicts[0]] if conflicts and all(conflicts) else []


def _denial(claim: str, sentence: str) -> str:
    """What is denied on one side only; empty when the two agree.

    A word of direction decides where both have it: "did not reduce mortality" against "reduced
    mortality in patients without hypoxia". Otherwise the words both share decide.
    """
    ours, theirs = _denied(claim), _denied(sentence)
    for said in directions(claim):
        matches = [d for d in directions(sentence) if d.sign == said.sign]
        root = stem(fold(said.word))
        exact = [d for d in matches if stem(fold(d.word)) == root] or matches
        if exact:
            here = any(start <= said.start < end for start, end in negated(claim))
            there = [any(s <= d.start < e for s, e in negated(sentence)) for d in exact]
            if here not in there:
                return DENIES if here else STATES
            return ""
    shared = set(_plain_stems(claim)) & set(_plain_stems(sentence))
    theirs -= _affirmed(sentence)
    if ours and not theirs & shared:
        return DENIES
    return STATES if theirs & shared and not ours else ""


def _plain_stems(text: str) -> list[str]:
    return [stem(word) for word in words(expand(text)) if word not in STOP and len(word) > 1]


def _affirmed(text: str) -> set[str]:
    """Stems that also stand where no negation reaches."""
    spans, kept, position = negated(text), [], 0
    for start, end in sorted(spans):
        kept.append(text[position : max(position, start)])
        position = max(position, end)
    return set(_plain_stems(" ".join([*kept, text[position:]])))


def _denied(text: str) -> set[str]:
    """Stems that a negation of the text reaches."""
    return {word for start, end in negated(text) for word in _plain_stems(text[start:end])}


def _roles(passage: str, claim: str, sentences: list[_Sentence]) -> list[str]:
    return relations.misplaced(claim, [sentence.text for sentence in sentences])
