"""What a question asks, and how much of it a sentence speaks of: names, relations, other words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agent.answers.extractive.families import (
    DOWN,
    OPPOSITE,
    UP,
    families,
    families_in,
    families_of_phrases,
)
from agent.answers.extractive.units import ASKING, HAVING, Sentence, amounts, terms_of, together
from agent.answers.grounding.names import Name, defined_in, expand, explained_in, known_forms, names
from agent.answers.passages import Passage
from retrieval.lexical.analyser import index_terms, query_terms

NAME: Final = 2.0  # weights of the parts of a question
ACT: Final = 2.0  # what one thing does to another
RELATION: Final = 1.5  # other words with a family
ATTRIBUTE: Final = 1.5  # `dose` of "what is the dose of"
AMOUNT: Final = 2.0  # a number, where "how often" is asked
WORD: Final = 1.0
KIND: Final = 0.4  # `kinase` of "which kinases": an answer is one, and seldom says so
PEOPLE: Final = 0.4  # whom a study is about goes without saying
BESIDE: Final = 0.7  # what only the title, the section or a neighbouring sentence has counts so
OF_CELL: Final = 0.85  # the same for a cell of a table: its caption says what it is about
ACT_BESIDE: Final = 0.4  # what is done to what is said in one sentence, if it is
AGAINST: Final = 0.6  # the reverse relation, where yes or no is asked

ACTS: Final = frozenset([UP, DOWN, "phosphorylate", "dephosphorylate", "cleave", "bind", "destroy"])
_PEOPLE: Final = frozenset(
    ["peopl", "person", "patient", "human", "man", "bodi", "cell", "studi", "paper", "author"]
)
_YES_NO: Final = re.compile(
    r"^\s*(?:is|are|was|were|do|does|did|can|could|may|might|will|would|should|has|have)\b", re.I
)
_AUX: Final = r"(?:is|are|was|were|do|does|did|has|have|can|could|may|will|should)\b"
_WHICH: Final = re.compile(
    rf"\b(?:which|whose)\s+(?!{_AUX})([\w-]+)|\bwhat\s+(?!{_AUX})([\w-]+)(?=\s+(?:of\s|{_AUX}))",
    re.I,
)
_ATTRIBUTE: Final = re.compile(
    r"\bwhat\s+(?:is|are|was|were)\s+the\s+((?:[\w-]+\s+){1,3}?)(?:of|for|in)\b", re.I
)
# Numbers of references: "[12]", "(Ferro 2011)".
_CITED: Final = re.compile(
    r"\[[\d,;\s\u2013-]+\]|\((?=[^()]*[A-Za-z])[^()]*?\b(?:1[89]|20)\d\d[a-z]?\b[^()]*\)"
)
_DIGIT: Final = re.compile(r"(?<![\w-])\d+(?:[.,]\d+)?")
_PRONOUN: Final = re.compile(r"^\W*(?:it|its|they|their|this|these|both|the (?:protein|drug|gene|"
                             r"kinase|receptor|antibody|enzyme|cytokine)s?)\b", re.I)  # fmt: skip
_TOKEN: Final = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_LISTED: Final = re.compile(
    r"(?:[\s,;/()&\d]|\b(?:and|or|both|pmid|more|the|of|with|as well as)\b)*", re.I
)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that the question says: forms of a name, or of a word with its families."""

    forms: frozenset[str]
    weight: float
    families: frozenset[str] = frozenset()
    is_name: bool = False
    is_amount: bool = False  # `often` of "how often"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in parts. `triple`: it asks whether one name does something to another."""

    parts: tuple[Part, ...]
    yes_no: bool
    triple: bool

    @property
    def has_names(self) -> bool:
        """Whether it is about something with a name of its own."""
        return any(part.is_name for part in self.parts)


def asked(question: str) -> Asked:
    """The parts of a question."""
    plain = expand(question)
    named = [Part(name.forms, NAME, is_name=True) for name in names(plain)]
    others = tuple(_others(plain, _without_names(plain)))
    yes_no = bool(_YES_NO.search(question))
    related = any(part.families & ACTS for part in others)
    return Asked(
        tuple(dict.fromkeys([*named, *others])),
        yes_no,
        yes_no and related and len(dict.fromkeys(named)) >= 2,
    )


def _without_names(plain: str) -> str:
    out, position = [], 0
    for name in names(plain):
        out.append(plain[position : max(position, name.start)])
        position = max(position, name.end)
    return " ".join([*out, plain[position:]])


def _kinds(plain: str) -> frozenset[str]:
    """Terms of the noun behind `which` or `what`: the kind of thing that an answer is."""
    nouns = [first or second for first, second in _WHICH.findall(plain)]
    return frozenset(term for noun in nouns for term in index_terms(noun))


def _attributes(plain: str) -> frozenset[str]:
    """Terms of what is asked of a thing: `dose` of "what is the dose of"."""
    nouns = [words.split()[-1] for words in _ATTRIBUTE.findall(plain)]
    return frozenset(term for noun in nouns for term in index_terms(noun))


def _others(plain: str, rest: str) -> Iterator[Part]:
    said = {term: word for word in _TOKEN.findall(rest) for term in index_terms(word)}
    kinds, attributes, much = _kinds(plain), _attributes(plain), amounts(plain)
    phrases = families_of_phrases(plain)
    for term in query_terms(rest):
        forms = frozenset(term.forms)
        if forms <= ASKING:
            continue
        word = next((said[form] for form in term.forms if form in said), None)
        if word is None or (len(word) == 1 and word.isdigit()):
            continue  # words side by side, which their parts stand for
        found = families(word) | phrases.get(word, frozenset())
        if forms & much:
            yield Part(forms, AMOUNT, found, is_amount=True)
            continue
        if any(char.isdigit() for char in word):
            yield Part(forms, WORD if word.isdigit() else NAME, is_name=not word.isdigit())
        elif forms & kinds:
            yield Part(forms, KIND, found)
        elif forms & _PEOPLE:
            yield Part(forms, PEOPLE)
        elif forms & attributes:
            yield Part(forms, ATTRIBUTE, found)
        else:
            yield Part(forms, ACT if found & ACTS else RELATION if found else WORD, found)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text in the ways in which parts are looked for."""

    names: frozenset[str]
    terms: frozenset[str]
    families: frozenset[str]
    has_number: bool


@lru_cache(maxsize=4_096)
def _read(text: str) -> _Text:
    plain = expand(text)
    terms = terms_of(text)
    if plain != text:
        terms |= frozenset(index_terms(plain))
    has_number = bool(_DIGIT.search(_CITED.sub("", text)))
    return _Text(known_forms(plain), terms, families_in(plain), has_number)


def _shortener(question: str, passages: Sequence[Passage]) -> Callable[[str], str]:
    """Writes the long forms in the question that the passages abbreviate as they do."""
    pairs = [
        (re.compile(r"\b" + r"[\W_]+".join(map(re.escape, long)) + r"\b", re.I), short)
        for passage in passages
        for short, long in _short_forms(passage.text)
    ]
    used = {pattern: short for pattern, short in pairs if pattern.search(question)}

    def shorten(text: str) -> str:
        for pattern, short in used.items():
            text = pattern.sub(short, text)
        return text

    return shorten


@lru_cache(maxsize=1_024)
def _short_forms(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Short forms that a text defines, with their words; in brackets one word is too few."""
    defined = ((short, long) for short, long in defined_in(text).items() if len(long) > 1)
    return (*defined, *explained_in(text).items())


class OnPoint:
    """How much of a question the sentences of some passages speak of, each in [0, 1]."""

    def __init__(
        self, question: str, passages: Sequence[Passage], pool: Sequence[Sentence]
    ) -> None:
        shorten = _shortener(question, passages)
        self.asked = asked(shorten(question))
        self._titles = [
            _read(shorten(f"{p.title} {p.external_id} {p.section} {p.heading}")) for p in passages
        ]
        self._texts = [_read(shorten(sentence.text)) for sentence in pool]
        self._pool = pool

    def share(self, index: int) -> float:
        """The weighted share of the question in a sentence; less for what is only beside it."""
        total = sum(part.weight for part in self.asked.parts)
        if not total:
            return 0.0
        return sum(part.weight * self._credit(part, index) for part in self.asked.parts) / total

    def only_names(self, index: int) -> bool:
        """Whether all that it shares with the question are names, where more than that is asked."""
        others = [part for part in self.asked.parts if not part.is_name]
        asked_for = any(part.weight >= WORD for part in others)
        return asked_for and not any(self._credit(part, index) for part in others)

    def says_relation(self, index: int) -> bool:
        """Where two names and what one does to the other are asked for: whether it says that."""
        if not self.asked.triple:
            return True
        wanted = [part for part in self.asked.parts if part.families & ACTS]
        return any(self._acts(part, index) for part in wanted)

    def _credit(self, part: Part, index: int) -> float:
        own = self._matches(part, self._texts[index])
        if part.is_amount:
            return own  # a number beside it measures something else
        if part.families & ACTS and self.asked.triple:
            return self._acts(part, index)
        if own >= BESIDE:
            return own
        if self._pool[index].is_cell and part.forms & HAVING:
            return OF_CELL
        beside = [self._titles[self._pool[index].passage]]
        beside += [self._texts[other] for other in self._neighbours(index)]
        counts = ACT_BESIDE if part.families & ACTS else BESIDE
        if self._pool[index].is_cell:
            counts = OF_CELL
        return max(own, counts * max(self._matches(part, text) for text in beside))

    def _matches(self, part: Part, text: _Text) -> float:
        if part.is_name:
            return float(bool(part.forms & text.names or part.forms & text.terms))
        if part.forms & text.terms or part.families & text.families:
            return 1.0
        if part.is_amount:
            return float(text.has_number)
        reverse = {OPPOSITE[one] for one in part.families if one in OPPOSITE}
        return AGAINST if self.asked.yes_no and reverse & text.families else 0.0

    def _acts(self, part: Part, index: int) -> float:
        """Whether the sentence says the relation of two of the question's names."""
        text = expand(self._pool[index].text)
        wanted = [one.forms for one in self.asked.parts if one.is_name]
        found = names(text)
        if _PRONOUN.search(text) and index - 1 in self._neighbours(index):
            found.insert(0, Name("it", self._texts[index - 1].names, 0, 0))
        best = 0.0
        for match in _TOKEN.finditer(text):
            credit = self._says(part, match.group())
            if credit > best and _joins(text, match, found, wanted):
                best = credit
        return best

    def _says(self, part: Part, word: str) -> float:
        found = families(word)
        if part.families & found or part.forms & frozenset(index_terms(word)):
            return 1.0
        return AGAINST if {OPPOSITE[one] for one in part.families if one in OPPOSITE} & found else 0

    def _neighbours(self, index: int) -> list[int]:
        return [
            other
            for other in (index - 1, index + 1)
            if 0 <= other < len(self._pool) and together(self._pool[other], self._pool[index])
        ]


def _joins(
    text: str, word: re.Match[str], found: Sequence[Name], wanted: Sequence[frozenset[str]]
) -> bool:
    """Whether a word stands between two different names that are wanted, with none nearer."""
    before = [name for name in found if name.end <= word.start()]
    after = [name for name in found if name.start >= word.end()]
    left = _which(wanted, _together(text, before[::-1]))
    right = _which(wanted, _together(text, after))
    return bool(left and right) and len(left | right) > 1


def _which(wanted: Sequence[frozenset[str]], group: Sequence[Name]) -> frozenset[int]:
    return frozenset(
        place for place, forms in enumerate(wanted) if any(forms & name.forms for name in group)
    )


def _together(text: str, ordered: Sequence[Name]) -> list[Name]:
    """The first of some names, nearest first, with those that are listed beside it."""
    group = list(ordered[:1])
    for name in ordered[1:]:
        last = group[-1]
        gap = text[min(last.end, name.end) : max(last.start, name.start)]
        if not _LISTED.fullmatch(gap):
            break
        group.append(name)
    return group
