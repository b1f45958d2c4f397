"""How well a sentence answers a question: shared rare words, meaning, and the rank of its
passage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from agent.answers.extractive.asked import OnPoint
from agent.answers.extractive.units import HAVING, Sentence, Wanted, together
from agent.answers.grounding.names import forms, names
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
CAPTION: Final = 0.8  # the same for a cell of a table, whose caption says what it is about
ALL_OF_IT: Final = 0.85
KIND: Final = 0.05  # a sentence with the kind of thing that is asked for
LISTED: Final = 0.2  # taken from a sentence that only lists names, where no list is asked for
SUBJECT: Final = 0.3  # a sentence of the very record that the question names by its identifier
ON_POINT: Final = 0.9  # the share of the question that the sentence speaks of, names and relations
ENCODED_CHARS: Final = 300  # what the encoder reads of a sentence; lists run on
MOST_ENCODED: Final = 16  # sentences that meet the encoder: the best by words alone

# What a sentence must reach with its share of the question and its nearness in meaning together.
POINT: Final = 0.8
UNNAMED: Final = 0.7  # the same where the question names nothing: its words are all there is
SURE: Final = 0.75  # so near that names alone will do
MOST_OF_IT: Final = 0.65  # so do names that are most of the question
NEARNESS: Final = 0.5
UNSEEN: Final = 0.3  # nearness of a sentence that the encoder did not see

_RECORD_ASKED: Final = re.compile(
    r"\bpathways?\b|\bbranch\b|\bidentif|\baccession\b|\bid\b|\brecords?\b|\bsymbol|"
    r"\breactome\b|\bwikipathways\b|\bhgnc\b|\buniprot\b|\bchebi\b|\bdrugbank\b|\bensembl\b|"
    r"\bstand(?:s)? for\b|\bfull name\b|\bencode",
    re.I,
)
# "SOCS3 is ... (HGNC:19391, ...)": a name and where it is kept, no finding.
_IDENTITY: Final = re.compile(
    r"\bis\b[^.;]*(?:\b(?:HGNC|CHEBI|GO|MESH|DOID|HP|CL|NCBIGene):\s?\w+|\bR-[A-Z]{3}-\d+|\bWP\d+|"
    r"\bUniProt\s\w+|\bDB\d{5})|"
    r"\bis an? [\w ]*\b(?:pathway|regulator of transcription|target gene)\b[^.;]*\bin [A-Z]\w+"
)
_LIST_ASKED: Final = re.compile(
    r"\bcontain|\bconsist|\bmembers?\b|\bparts? of\b|\bbelong|\binclude|\bmade (?:up )?of\b|"
    r"\blist\b|^\s*(?:which|what) (?:\w+ )?(?:genes|proteins|steps|reactions|pathways|drugs)\b",
    re.I,
)
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
    (_LIST_ASKED, re.compile(
        r"\b(?:take part|divided into|contains?|includes?|consists? of|members?)\b|"
        r"(?:;[^;]+){2}|(?:,[^,]+){3} and\b", re.I)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence and the parts of its score; each part lies in [0, 1] but for rounding."""

    sentence: Sentence
    score: float
    lexical: float
    meaning: float | None  # cosine, None where the encoder did not look
    share: float = 1.0  # how much of the question it speaks of, in [0, 1]
    on_point: bool = True  # whether that is enough to be quoted

    @property
    def point(self) -> float:
        """What it speaks of and how near it is in meaning, together."""
        return self.share + NEARNESS * (UNSEEN if self.meaning is None else self.meaning)


def score(
    question: str,
    passages: Sequence[Passage],
    pool: Sequence[Sentence],
    asked: Wanted,
    similarity: Similarity | None,
) -> list[Scored]:
    """All sentences, scored, in the order of the pool."""
    titles = [frozenset(index_terms(f"{p.title} {p.external_id} {p.heading}")) for p in passages]
    named = named_records(question, passages)
    lexical = [_lexical(one, asked, titles[one.passage], _title_counts(one, named)) for one in pool]
    around = _with_neighbours(pool, lexical)
    point = OnPoint(question, passages, pool)
    shares = [point.share(index) for index in range(len(pool))]
    hopes = [around[i] + shares[i] + (sentence.passage in named) for i, sentence in enumerate(pool)]
    best = sorted(range(len(pool)), key=lambda i: -hopes[i])[:MOST_ENCODED]
    meaning = _meaning(question, pool, best, similarity)
    out = []
    for index, sentence in enumerate(pool):
        cosine = meaning.get(index)
        rank = 1.0 / passages[sentence.passage].rank
        total = LEXICAL * around[index] + RANK * rank + KIND * _fits_kind(question, sentence.text)
        total += MEANING * max(0.0, cosine if cosine is not None else 0.0)
        total += SUBJECT * (sentence.passage in named)
        total -= LISTED * (_is_list(sentence.text) and not _LIST_ASKED.search(question))
        total += ON_POINT * shares[index]
        fits = sentence.passage in named or (
            _on_point(point, index, shares[index], cosine)
            and not is_bare(question, sentence.text, shares[index])
        )
        out.append(Scored(sentence, total, lexical[index], cosine, shares[index], fits))
    return out


def _on_point(point: OnPoint, index: int, share: float, cosine: float | None) -> bool:
    """Whether a sentence speaks of enough of the question to be quoted."""
    near = cosine if cosine is not None else UNSEEN
    if point.only_names(index) and share < MOST_OF_IT and near < SURE:
        return False
    least = POINT if point.asked.has_names else UNNAMED
    return share + NEARNESS * near >= least and point.says_relation(index)


def is_bare(question: str, text: str, share: float) -> bool:
    """A name with its identifier, or names between commas, where the question asks for neither.

    A list that says nearly all of the question is an answer all the same.
    """
    if _RECORD_ASKED.search(question) or _LIST_ASKED.search(question):
        return False
    return bool(_IDENTITY.search(text)) or (_is_list(text) and share < ALL_OF_IT)


def named_records(question: str, passages: Sequence[Passage]) -> frozenset[int]:
    """Places of the passages whose record the question names by its identifier."""
    asked = frozenset(form for name in names(question) for form in name.forms)
    return frozenset(
        place for place, passage in enumerate(passages) if asked & forms(passage.external_id)
    )


def _title_counts(sentence: Sentence, named: frozenset[int]) -> float:
    """What a term counts that only the title or the caption has: a cell lives by its caption."""
    if sentence.passage in named:
        return 1.0
    return CAPTION if sentence.is_cell else TITLE


def _lexical(sentence: Sentence, asked: Wanted, title: frozenset[str], counts: float) -> float:
    """The share of the question in the sentence; what only its title has counts less."""
    terms = sentence.terms | HAVING if sentence.is_cell else sentence.terms
    own = asked.share(terms)
    with_title = asked.share(terms | title)
    return own + counts * (with_title - own)


def _with_neighbours(pool: Sequence[Sentence], values: Sequence[float]) -> list[float]:
    """Each value raised by the better of its neighbours in the same passage."""
    out = []
    for index, sentence in enumerate(pool):
        beside = [
            values[other]
            for other in (index - 1, index + 1)
            if 0 <= other < len(pool) and together(pool[other], sentence)
        ]
        out.append(values[index] + NEIGHBOUR * max(beside, default=0.0))
    return out


def _meaning(
    question: str, pool: Sequence[Sentence], chosen: Sequence[int], similarity: Similarity | None
) -> dict[int, float]:
    if similarity is None or not chosen:
        return {}
    found = similarity(question, [pool[index].text[:ENCODED_CHARS] for index in chosen])
    return {index: float(value) for index, value in zip(chosen, found, strict=True)}


def _is_list(text: str) -> bool:
    """Mostly names between commas: more separators than a sentence of prose has."""
    return len(re.findall(r"[,;]\s", text)) >= max(8, len(text) // 40)


def _fits_kind(question: str, text: str) -> float:
    asked = [shown for question_form, shown in _KINDS if question_form.search(question)]
    return float(any(shown.search(text) for shown in asked)) if asked else 0.0
