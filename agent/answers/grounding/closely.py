"""A claim that nearly repeats a sentence: what exactly was put in, left out or replaced."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from agent.answers.grounding.names import forms, known_forms, names
from agent.answers.grounding.polarity import negated, negations, opposites, sign_of
from agent.answers.words import fold, stem
from corpus.quoting.numbers import quantities

NEARLY: Final = 0.7  # share of the claim's words that stand in the sentence in the same order
DENIES: Final = "negation: the claim denies what the passage does not deny."
STATES: Final = "negation: the claim states what the passage denies."
_WORD: Final = re.compile(r"[^\W_]+(?:[-.,'’/][^\W_]+)*|[%<>≤≥]")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A sentence's words and a claim's words that stand in the same place, one side maybe empty."""

    source: tuple[_Word, ...]
    claim: tuple[_Word, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences of a claim from the sentence it nearly repeats, and where both agree."""

    sentence: str
    said: str
    differences: tuple[Difference, ...]
    agreed: tuple[_Word, ...]  # as they stand in the sentence
    agreed_in_claim: tuple[_Word, ...]

    def faults(self) -> list[str]:
        """What the differences change in meaning, one sentence each."""
        found = [
            fault for one in self.differences for fault in _replaced(one, self.sentence, self.said)
        ]
        denial = self._denial()
        return found + ([denial] if denial else [])

    def _denial(self) -> str:
        """A negation put in, left out or moved that reaches words which both share."""
        here, there = negated(self.said), negated(self.sentence)
        for mine, source in zip(self.agreed_in_claim, self.agreed, strict=True):
            if sign_of(mine.text) and _within(mine, here) != _within(source, there):
                return DENIES if _within(mine, here) else STATES
        ours = _cues(self.said, self.agreed_in_claim)
        theirs = _cues(self.sentence, self.agreed)
        if ours % 2 == theirs % 2:
            return ""
        return DENIES if ours else STATES


def compare(sentence: str, claim: str) -> Comparison | None:
    """Align the words of both; None when the claim is not nearly the sentence's wording."""
    source, said = _words(sentence), _words(claim)
    if not said:
        return None
    matcher = SequenceMatcher(
        None, [_same(w) for w in source], [_same(w) for w in said], autojunk=False
    )
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if sum(block.size for block in blocks) < NEARLY * len(said):
        return None
    first, last = blocks[0].a, blocks[-1].a + blocks[-1].size
    differences = [
        Difference(tuple(source[a1:a2]), tuple(said[b1:b2]))
        for kind, a1, a2, b1, b2 in matcher.get_opcodes()
        if kind != "equal" and (b2 > b1 or (a1 >= first and a2 <= last))
    ]
    agreed = [source[i] for block in blocks for i in range(block.a, block.a + block.size)]
    mine = [said[i] for block in blocks for i in range(block.b, block.b + block.size)]
    return Comparison(sentence, claim, tuple(differences), tuple(agreed), tuple(mine))


def _words(text: str) -> list[_Word]:
    return [_Word(fold(m.group()), m.start(), m.end()) for m in _WORD.finditer(text)]


def _same(word: _Word) -> str:
    """How words are matched: "shorten" stands for "shortened"."""
    return stem(word.text) if word.text.isalpha() else word.text


def _replaced(one: Difference, sentence: str, claim: str) -> list[str]:
    if not one.source or not one.claim or len(one.source) > 6:
        return []
    before = sentence[one.source[0].start : one.source[-1].end]
    after = claim[one.claim[0].start : one.claim[-1].end]
    signs = {sign_of(w.text) for w in one.source}, {sign_of(w.text) for w in one.claim}
    turned = (1 in signs[0] and signs[1] == {-1}) or (-1 in signs[0] and signs[1] == {1})
    reverse = opposites(after).values()
    kinds = {
        "direction": turned,
        "opposite": any(others & {w.text for w in one.source} for others in reverse),
        "number": not _values(after) <= _values(before) if _values(before) else False,
        "name": _swapped(before, after, sentence),
    }
    said = f"the passage says “{before}”, the claim “{after}”."
    return [f"{kind}: {said}" for kind, found in kinds.items() if found]


def _values(text: str) -> set[object]:
    return {(q.value, q.dimension) for q in quantities(text)}


def _swapped(before: str, after: str, sentence: str) -> bool:
    """Whether nothing but names stands in the passage's place, and the claim has others there.

    Another word that the sentence does not have counts too: "Glipizide" where "Metformin" stands.
    """
    there, here = names(before), names(after)
    if not there or len(there) != len(before.split()):
        return False
    known = known_forms(before)
    if here and len(here) == len(after.split()):
        return not any(name.forms & known for name in here)
    one_word = len(after.split()) == 1 and len(after) > 3
    return one_word and not here and not forms(after) & known_forms(sentence)


def _within(word: _Word, spans: list[tuple[int, int]]) -> bool:
    return any(start <= word.start < end for start, end in spans)


def _cues(text: str, agreed: tuple[_Word, ...]) -> int:
    """Negations that stand only here and reach a word that both sides share."""
    count = 0
    for one in negations(text):
        shared = any(word.start <= one.at < word.end for word in agreed)
        reaches = any(one.start <= word.start < one.end for word in agreed)
        count += reaches and not shared
    return count
