"""Sentences of passages, with what they share with the question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.answers.passages import Passage
from corpus.chunking.sentences import split
from corpus.sources.tables import BETWEEN
from retrieval.lexical.analyser import index_terms, query_terms

SHORTEST: Final = 25  # characters; a shorter piece is a heading or a fragment
LONGEST: Final = 900  # a longer one is a list or a table run together: cut at a clause
ASKING: Final = frozenset(
    [
        "answer",
        "explain",
        "describe",
        "tell",
        "list",
        "give",
        "show",
        "name",
        "find",
        "role",
        "type",
        "kind",
        "mean",
        "evidence",
        "known",
        "contain",
        "involve",
        "effect",
        "affect",
        "relat",
        "associ",
        "caus",
        "play",
        "exist",
        "happen",
        "work",
        "import",
    ]
)
_HAVING: Final = (
    "have has had got get carry carries bear bore hold held show showed reach reached display "
    "possess exhibit"
)
HAVING: Final = frozenset(term for word in _HAVING.split() for term in index_terms(word))
"""Terms of what a cell says without a word: that its row has its value."""
_HOW: Final = re.compile(
    r"\bhow\s+(many|much|often|frequent(?:ly)?|common(?:ly)?|rare(?:ly)?|high|low|long|short|large|big|"
    r"small|wide|deep|tall|thick|old|fast|strong|heavy|warm|hot|cold|far)\b",
    re.I,
)
_NUMBER: Final = re.compile(r"\bN(?:[or]\.|[\u00ba\u00b0])|\u2116")  # "No. of mice"
_CLAUSE: Final = re.compile(r"[;:]\s+|,\s+(?=and|but|which|whereas)|\n+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage: [start, end) in the passage's text."""

    passage: int  # its place in the list of passages
    number: int  # in its passage, from 0
    start: int
    end: int
    text: str
    terms: frozenset[str]
    is_cell: bool = False  # a cell of a table with its row and column: it stands alone


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the question asks for: alternatives of one term together, each with its weight."""

    terms: tuple[tuple[frozenset[str], float], ...]

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return sum(weight for _, weight in self.terms)

    def share(self, present: frozenset[str]) -> float:
        """The weighted share of the question's terms that are present, in [0, 1]."""
        if not self.terms:
            return 0.0
        found = sum(weight for forms, weight in self.terms if forms & present)
        return found / self.total


def sentences(passages: Sequence[Passage]) -> list[Sentence]:
    """All sentences that may be quoted, in the order of their passages."""
    found = []
    for place, passage in enumerate(passages):
        prose = passage.heading if passage.cells else passage.text
        spans = [piece for start, end in split(prose) for piece in _cut(prose, start, end)]
        for number, (start, end) in enumerate([*spans, *passage.cells]):
            text = passage.text[start:end]
            is_cell = number >= len(spans)
            if is_cell and (_names_its_row(text) or _is_only_a_label(passage.text, start, end)):
                continue
            if end - start >= SHORTEST or is_cell or len(spans) == 1:
                terms = terms_of(text)
                found.append(Sentence(place, number, start, end, text, terms, is_cell))
    return found


def terms_of(text: str) -> frozenset[str]:
    """The index terms of a text; "No." is a number too."""
    terms = frozenset(index_terms(text))
    return terms | {"number"} if _NUMBER.search(text) else terms


def amounts(question: str) -> frozenset[str]:
    """Terms that ask how much: `often` of "how often". A number says them."""
    return frozenset(term for word in _HOW.findall(question) for term in index_terms(word))


def _names_its_row(cell: str) -> bool:
    """Whether a cell is part of its row's own label, 'Control, day 7 \u2014 Day: day 7': all that
    it says stands in the statement of every other cell of the row.
    """
    label, _, stated = cell.partition(BETWEEN)
    value = stated.rpartition(": ")[2]
    return any(map(str.isalpha, value)) and value in label.split(", ")


def _is_only_a_label(text: str, start: int, end: int) -> bool:
    """Whether a cell is the label of its row under no head: the next one says it again."""
    return text.startswith(f"; {text[start:end]}{BETWEEN}", end)


def together(one: Sentence, other: Sentence) -> bool:
    """Whether two sentences stand in one passage of running text; cells stand alone."""
    return one.passage == other.passage and not one.is_cell and not other.is_cell


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence of tolerable length as it is; a longer one in pieces, cut where a clause ends."""
    pieces = []
    while end - start > LONGEST:
        cuts = [m.end() for m in _CLAUSE.finditer(text, start + LONGEST // 3, start + LONGEST)]
        spaces = text.rfind(" ", start, start + LONGEST)
        cut = cuts[-1] if cuts else (spaces + 1 if spaces > start else start + LONGEST)
        pieces.append((start, start + len(text[start:cut].rstrip())))
        start = cut
    return [*pieces, (start, end)] if end > start else pieces


def wanted(question: str, pool: Sequence[Sentence]) -> Wanted:
    """The question's terms, rarer ones in the pool of sentences heavier; words of asking left
    out.
    """
    counts = Counter(term for sentence in pool for term in sentence.terms)
    asking = ASKING | amounts(question)
    weighed = []
    for term in query_terms(question):
        forms = frozenset(term.forms)
        if forms <= asking:
            continue
        frequency = max((counts[form] for form in forms), default=0)
        weight = math.log(1 + (len(pool) - frequency + 0.5) / (frequency + 0.5))
        weighed.append((forms, max(weight, 0.1)))
    return Wanted(tuple(weighed))
