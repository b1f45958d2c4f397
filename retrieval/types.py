"""What goes into a search and what comes out. Frozen, plain, without Django."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from flux_site.kernel.errors import InvalidInput

LegName = Literal["dense", "lexical"]
Fusion = Literal["cc", "rrf"]

LEGS: tuple[LegName, ...] = ("dense", "lexical")
FUSIONS: tuple[Fusion, ...] = ("cc", "rrf")
MAX_QUERY_CHARS = 20_000
MAX_LIMIT = 5_000
DEFAULT_LIMIT = 20

_YEARS = re.compile(r"(\d{4})(?:-(\d{4}))?")
_BOOLEANS = {"true": True, "false": False}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def cleaned_query(text: str) -> str:
    """A question as it is searched for: no control characters, single spaces.

    Raises InvalidInput when nothing is left or it is too long.
    """
    cleaned = " ".join(_UNPRINTABLE.sub(" ", text).split())
    if not cleaned:
        raise InvalidInput("The question is empty: write what you look for.")
    if len(cleaned) > MAX_QUERY_CHARS:
        raise InvalidInput(
            f"The question has {len(cleaned):,} characters; at most {MAX_QUERY_CHARS:,} can be "
            "searched for."
        )
    return cleaned


@dataclass(frozen=True, slots=True)
class Filters:
    """Which passages are looked at. Of one key any value fits; all keys must fit."""

    years: tuple[tuple[int, int], ...] = ()  # first and last, both included
    sources: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    documents: tuple[uuid.UUID, ...] = ()
    retracted: bool | None = None
    sections: tuple[str, ...] = ()  # a heading anywhere above the passage, in any case
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()  # CURIE or label of an entity that the passage mentions
    content_types: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    @classmethod
    def parse(cls, pairs: Iterable[str]) -> Filters:
        """Filters from `key=value` texts. Raises InvalidInput that says what is wrong."""
        values: dict[str, list[str]] = {}
        for pair in pairs:
            key, equals, value = pair.partition("=")
            if not equals or not value.strip():
                raise InvalidInput(f"A filter is written key=value; {pair!r} is not.")
            values.setdefault(key.strip(), []).append(value.strip())
        return cls.of(values)

    @classmethod
    def of(cls, values: Mapping[str, Iterable[str]]) -> Filters:
        """Filters from lists of texts by key, as a query string gives them."""
        unknown = set(values) - set(_READERS)
        if unknown:
            names, known = ", ".join(sorted(unknown)), ", ".join(_READERS)
            raise InvalidInput(f"No filter is called {names}; there are: {known}.")
        read: dict[str, Any] = {}
        for key, given in values.items():
            texts = list(given)
            name, reader = _READERS[key]
            if any("\x00" in text for text in texts):
                raise InvalidInput(f"The filter {key} holds a character that no text has.")
            found = tuple(dict.fromkeys(reader(text) for text in texts))
            if name == "retracted":
                read[name] = found[0] if len(found) == 1 else None  # both: no restriction
            else:
                read[name] = found
        return cls(**read)


NO_FILTERS = Filters()


def _years(text: str) -> tuple[int, int]:
    found = _YEARS.fullmatch(text.replace(" ", ""))
    if found is None:
        raise InvalidInput(f"year is a year or a span such as 2015-2020; {text!r} is neither.")
    first = int(found[1])
    return first, int(found[2] or first)


def _truth(text: str) -> bool:
    if text.lower() not in _BOOLEANS:
        raise InvalidInput("retracted is true or false.")
    return _BOOLEANS[text.lower()]


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as wrong:
        raise InvalidInput(f"document is the id of a document; {text!r} is not.") from wrong


_READERS: dict[str, tuple[str, Any]] = {
    "year": ("years", _years),
    "source": ("sources", str),
    "type": ("types", str),
    "document": ("documents", _uuid),
    "retracted": ("retracted", _truth),
    "section": ("sections", str),
    "tag": ("tags", str),
    "entity": ("entities", str),
    "content_type": ("content_types", str),
}


@dataclass(frozen=True, slots=True)
class Scope:
    """The corpora a search looks into: already those its reader may read."""

    corpora: tuple[ScopedCorpus, ...]

    @property
    def ids(self) -> list[int]:
        """Database ids, ascending."""
        return [corpus.pk for corpus in self.corpora]

    @property
    def has_propositions(self) -> bool:
        """Whether some of its passages may be found by their statements."""
        return any(corpus.has_propositions for corpus in self.corpora)


@dataclass(frozen=True, slots=True)
class ScopedCorpus:
    """What the legs need to know of a corpus."""

    pk: int
    public_id: uuid.UUID
    slug: str
    revision: int
    chunk_count: int
    has_propositions: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A search made ready: text cleaned, limits set."""

    text: str
    scope: Scope
    filters: Filters = NO_FILTERS
    limit: int = DEFAULT_LIMIT
    fusion: Fusion = "cc"
    legs: tuple[LegName, ...] = LEGS


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that a leg found: database id and the leg's own score, higher is better."""

    chunk: int
    score: float


@dataclass(frozen=True, slots=True)
class LegResult:
    """A leg's list, best first. `note` says what a reader should know: not available, behind.

    `failed` legs gave nothing because they could not, not because nothing fits.
    """

    leg: LegName
    candidates: tuple[Candidate, ...] = ()
    note: str = ""
    failed: bool = False
    method: str = ""  # exact or approximate, for the trace
    took_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """All that is known of a hit's place. None: that leg has no value for it."""

    dense: float | None = None  # cosine of the best window
    bm25: float | None = None
    dense_rank: int | None = None  # in the leg's list, from 1
    lexical_rank: int | None = None
    rrf: float | None = None
    cc: float | None = None

    def as_json(self) -> dict[str, float | int | None]:
        """Rounded, as commands and API give them."""
        return {
            "dense": _rounded(self.dense),
            "bm25": _rounded(self.bm25),
            "dense_rank": self.dense_rank,
            "lexical_rank": self.lexical_rank,
            "rrf": _rounded(self.rrf),
            "cc": _rounded(self.cc),
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate after fusion: which passage, and the score that decided."""

    chunk: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a reader may read, with what is needed to show and to cite it."""

    rank: int
    chunk_pk: int  # stays inside: no database number leaves the server
    document_pk: int
    corpus_pk: int
    chunk_id: uuid.UUID
    document_id: uuid.UUID
    corpus: str
    source: str
    external_id: str
    title: str
    text: str
    page: int | None
    section: str
    content_type: str
    chunk_index: int
    year: int | None
    retracted: bool
    image_hash: str
    score: float
    scores: Scores
    why: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The hit as commands and API give it (FORMS)."""
        return {
            "rank": self.rank,
            "chunk_id": str(self.chunk_id),
            "document_id": str(self.document_id),
            "corpus": self.corpus,
            "source": self.source,
            "external_id": self.external_id,
            "title": self.title,
            "text": self.text,
            "page": self.page,
            "section": self.section,
            "content_type": self.content_type,
            "chunk_index": self.chunk_index,
            "year": self.year,
            "retracted": self.retracted,
            "image_hash": self.image_hash,
            "score": _rounded(self.score),
            "scores": self.scores.as_json(),
            "why": list(self.why),
            "also_in": list(self.also_in),
        }


@dataclass(frozen=True, slots=True)
class StageTrace:
    """One step of the pipeline: how long, and how many passages it left."""

    stage: str
    took_ms: float
    count: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and how they came about."""

    query: str
    hits: tuple[Hit, ...]
    index_version: str
    fusion: Fusion
    legs: tuple[LegName, ...]  # those that answered
    notes: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    trace: tuple[StageTrace, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The result as commands and API give it (FORMS)."""
        return {
            "hits": [hit.as_json() for hit in self.hits],
            "timings": dict(self.timings),
            "index_version": self.index_version,
            "fusion": self.fusion,
            "legs": list(self.legs),
            "notes": list(self.notes),
            "trace": [
                {
                    "stage": step.stage,
                    "ms": step.took_ms,
                    "count": step.count,
                    "detail": step.detail,
                }
                for step in self.trace
            ],
        }
