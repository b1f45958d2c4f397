"""Who acts on whom, and which word of direction belongs to which words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.answers.grounding.names import expand, names
from agent.answers.grounding.polarity import Direction, directions
from agent.answers.words import STOP, fold, stem, words

SIDE_SHARE: Final = 0.5  # what a shared word counts that stands on the other side of the direction
HALF_AT: Final = 6  # words of distance at which a shared word counts half
AIM_WORDS: Final = 8  # words after a verb that tell what it acts on
_PASSIVE: Final = re.compile(r"\b(?:is|are|was|were|be|been|being|gets?)\s+(?:\w+\s+)?$", re.I)
_BY: Final = re.compile(r"^\s+(?:[\w-]+\s+){0,3}?by\b", re.I)
_NOMINAL: Final = re.compile(r"(?:ion|ment|ance|ence|blockade|or|er|ing|al)$", re.I)
_AGENT: Final = re.compile(r"(?:or|er)s?$", re.I)
_OF: Final = re.compile(r"^s?\s+(?:of|for)\b", re.I)
_CLAUSE: Final = re.compile(
    r"[;:.(]\s|,?\s+(?:while|whereas|but|which|that|although|because|thereby|so that)\b|,\s+and\b"
)
# Verbs beyond those of direction that one thing does to another.
_VERB: Final = re.compile(
    r"\b\w+(?:ylat(?:es?|ed)|quitinat(?:es?|ed))\b|\b(?:cleav|degrad|recruit|encod|transport|secret|"
    r"catalys|catalyz|hydrolys|hydrolyz)(?:es?|s|ed)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well words of the same and of the reverse direction fit; None where there is none."""

    same: float | None = None
    reverse: float | None = None
    same_word: bool = False  # the passage has the claim's very word there


@dataclass(frozen=True, slots=True)
class Act:
    """An actor does something (`key`) to a target: comparable forms of names, empty if unknown.

    `aim` are the stems of the words that it is done to.
    """

    key: str
    actor: frozenset[str]
    target: frozenset[str]
    aim: frozenset[str]


def best_fits(claim: str, wanted: Direction, sentences: Sequence[str]) -> Fit:
    """How well the passage's words of the same and of the reverse direction fit the claim's.

    The fit counts the words around them that both share, near ones and those on the same side more.
    """
    left, right = _around(claim, wanted)
    same: float | None = None
    reverse: float | None = None
    same_word = False
    root = stem(fold(wanted.word))
    for sentence in sentences:
        for found in directions(sentence):
            fit = _fit((left, right), _around(sentence, found))
            if fit <= 0 and (left or right):
                continue
            if found.sign == wanted.sign:
                same = max(fit, same or 0.0)
                same_word = same_word or stem(fold(found.word)) == root
            else:
                reverse = max(fit, reverse or 0.0)
    return Fit(same, reverse, same_word)


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


def misplaced(claim: str, sentences: Sequence[str]) -> list[str]:
    """Acts of a claim that the passage tells of other actors, or the other way round."""
    there = [act for sentence in sentences for act in acts(sentence)]
    faults = []
    for said in acts(claim):
        found = [act for act in there if act.key == said.key]
        if said.actor and said.target and _turned(said, found):
            faults.append("roles: the passage says it the other way round.")
        elif said.actor and _anothers(said, found):
            faults.append("roles: the passage says this of something else.")
    return faults


def _turned(said: Act, found: Sequence[Act]) -> bool:
    right = any(act.actor & said.actor and act.target & said.target for act in found)
    swapped = any(act.actor & said.target and act.target & said.actor for act in found)
    return swapped and not right


def _anothers(said: Act, found: Sequence[Act]) -> bool:
    """Whether every act of the kind on the same thing has a known actor, and another one."""
    alike = [act for act in found if act.aim & said.aim]
    return bool(alike) and all(act.actor and not act.actor & said.actor for act in alike)


def acts(text: str) -> list[Act]:
    """Statements "A inhibits B" and "B is inhibited by A", clause by clause."""
    return [act for clause in _clauses(expand(text)) for act in _acts_of(clause)]


def _clauses(text: str) -> Iterator[str]:
    position = 0
    for boundary in _CLAUSE.finditer(text):
        yield text[position : boundary.start()]
        position = boundary.end()
    yield text[position:]


def _acts_of(clause: str) -> Iterator[Act]:
    verbs = [(d.start, d.end, d.word, "+" if d.sign > 0 else "-") for d in directions(clause)]
    verbs += [
        (m.start(), m.end(), m.group(), stem(fold(m.group()))) for m in _VERB.finditer(clause)
    ]
    for start, end, word, key in verbs:
        act = _act(clause[:start], word, key, clause[end:])
        if act is not None:
            yield act


def _act(before: str, word: str, key: str, after: str) -> Act | None:
    if _NOMINAL.search(word.rstrip("s")) and not (_AGENT.search(word) and _OF.match(after)):
        return None
    passive = bool(_PASSIVE.search(before))
    by = _BY.match(after)
    if passive and by:
        return _made(key, after[by.end() :], before, before)
    if passive or (word.lower().endswith("ed") and by):
        return None
    return _made(key, before, after, after)


def _made(key: str, actor: str, target: str, aim: str) -> Act:
    stems = [stem(word) for word in words(aim) if word not in STOP and len(word) > 1]
    return Act(key, _forms(actor), _forms(target), frozenset(stems[:AIM_WORDS]))


def _forms(text: str) -> frozenset[str]:
    return frozenset(form for name in names(text) for form in name.forms)
