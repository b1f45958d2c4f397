"""Reading several corpora's indexes as if they were one.

Documents are counted over the corpora of the request only: a corpus that the reader may not see
changes neither what is found nor its scores.
"""

from __future__ import annotations

import math
import threading
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tantivy

from retrieval.lexical.analyser import Term
from retrieval.lexical.index import META, BrokenIndex, IndexFolders, tantivy_errors
from retrieval.lexical.schema import NO_YEAR, WEIGHTS, entity_key, schema, section_key
from retrieval.types import Candidate, Filters

TIE_BREAKER = 0.2  # what the weaker ways of writing one thing add to the best one
MAX_TERMS = 128  # of a question; the rarest stay
OPEN_TRIES = 3
LAST_YEAR = 9999

Occur = tantivy.Occur
Query = tantivy.Query


@dataclass(frozen=True, slots=True)
class Version:
    """Which state of an index was opened."""

    inode: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """A corpus's index at one version."""

    corpus: uuid.UUID
    path: Path
    version: Version
    searcher: tantivy.Searcher


class LexicalReader:
    """Keeps indexes open and notices when the follower has committed. Safe for several threads."""

    def __init__(self, root: Path) -> None:
        self._folders = IndexFolders(root)
        self._open: dict[uuid.UUID, OpenIndex] = {}
        self._lock = threading.Lock()

    def open(self, corpus: uuid.UUID) -> OpenIndex | None:
        """The newest version of a corpus's index; None when there is none that can be read."""
        path = self._folders.current(corpus)
        version = _version(path)
        with self._lock:
            if version is None:
                self._open.pop(corpus, None)
                return None
            known = self._open.get(corpus)
            if known is None or known.version != version:
                known = self._opened(corpus, path)
                if known is not None:
                    self._open[corpus] = known
            return known

    def _opened(self, corpus: uuid.UUID, path: Path) -> OpenIndex | None:
        for _ in range(OPEN_TRIES):
            version = _version(path)
            if version is None:
                return None
            try:
                with tantivy_errors(path):
                    index = tantivy.Index.open(str(path))
                    index.config_reader("manual", 0)
                    index.reload()
                    return OpenIndex(corpus, path, version, index.searcher())
            except BrokenIndex:
                # A merge may have removed the files between reading their list and opening them.
                if _version(path) == version:
                    break
        self._folders.suspect(corpus)
        self._open.pop(corpus, None)
        return None

    def search(
        self,
        corpora: Sequence[uuid.UUID],
        terms: Sequence[Term],
        *,
        filters: ResolvedFilters,
        limit: int,
    ) -> Found:
        """The best passages of the corpora for a question's terms.

        Scores are BM25 (k1 = 1.2, b = .75) with document frequencies summed over the corpora given.
        """
        opened = {corpus: self.open(corpus) for corpus in corpora}
        indexes = [index for index in opened.values() if index is not None]
        missing = [corpus for corpus, index in opened.items() if index is None]
        statistics = Statistics(indexes)
        chosen = statistics.rarest(terms, MAX_TERMS)
        hits: list[tuple[float, int, int]] = []
        for index in indexes:
            try:
                with tantivy_errors(index.path):
                    hits += _search_one(index, chosen, statistics, filters, limit)
            except BrokenIndex:
                self._folders.suspect(index.corpus)
                missing.append(index.corpus)
        hits.sort(key=lambda hit: (-hit[0], hit[1]))
        found = tuple(Candidate(chunk, score) for score, _, chunk in hits[:limit])
        return Found(found, tuple(missing))

    def close(self) -> None:
        """Forget what is open."""
        with self._lock:
            self._open.clear()


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, best first, and the corpora whose index could not be read."""

    candidates: tuple[Candidate, ...]
    missing: tuple[uuid.UUID, ...]


@dataclass(frozen=True, slots=True)
class ResolvedFilters:
    """Filters with database ids in place of public ones."""

    plain: Filters
    documents: tuple[int, ...] | None = None  # None: any


def _version(path: Path) -> Version | None:
    try:
        found = (path / META).stat()
    except OSError:
        return None
    return Version(found.st_ino, found.st_mtime_ns)


class Statistics:
    """Document counts and frequencies, by corpus and over all of them."""

    def __init__(self, indexes: Sequence[OpenIndex]) -> None:
        self._searchers = {index.corpus: index.searcher for index in indexes}
        self._documents = sum(searcher.num_docs for searcher in self._searchers.values())
        self._frequencies: dict[tuple[str, str], dict[uuid.UUID, int]] = {}

    def frequencies(self, field: str, form: str) -> dict[uuid.UUID, int]:
        """Passages with a form in a field, by corpus; corpora without it are left out."""
        key = (field, form)
        if key not in self._frequencies:
            counts = {c: s.doc_freq(field, form) for c, s in self._searchers.items()}
            self._frequencies[key] = {corpus: n for corpus, n in counts.items() if n}
        return self._frequencies[key]

    def boost(self, corpus: uuid.UUID, field: str, form: str) -> float:
        """idf over the scope / idf in the corpus: makes scores of several indexes compare."""
        by_corpus = self.frequencies(field, form)
        if len(self._searchers) == 1:
            return 1.0
        own = idf(self._searchers[corpus].num_docs, by_corpus[corpus])
        return idf(self._documents, sum(by_corpus.values())) / own

    def rarest(self, terms: Sequence[Term], limit: int) -> list[Term]:
        """At most `limit` terms that occur, those of the rarest forms; in the question's order."""
        found = {
            term: count
            for term in terms
            if (count := max(map(self._everywhere, (*term.forms, *term.parts))))
        }
        kept = set(sorted(found, key=lambda term: found[term])[:limit])
        return [term for term in terms if term in kept]

    def _everywhere(self, form: str) -> int:
        return sum(self.frequencies("words", form).values())


def idf(documents: int, frequency: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)), as tantivy has it; deleted passages may make n > N."""
    documents = max(documents, frequency)
    return math.log(1.0 + (documents - frequency + 0.5) / (frequency + 0.5))


def _search_one(
    index: OpenIndex,
    terms: Sequence[Term],
    statistics: Statistics,
    filters: ResolvedFilters,
    limit: int,
) -> list[tuple[float, int, int]]:
    """(score, tie breaker, chunk) of an index's best passages."""
    wanted = [
        (Occur.Should, query)
        for term in terms
        if (query := _term_query(index.corpus, term, statistics)) is not None
    ]
    if not wanted:
        return []
    query = Query.boolean_query(wanted)
    conditions = list(_conditions(filters))
    if conditions:
        query = Query.boolean_query([(Occur.Must, query), *conditions])
    found = index.searcher.search(query, limit, count=False).hits
    addresses = [address for _, address in found]
    chunks = index.searcher.fast_field_values("chunk", addresses)
    ties = index.searcher.fast_field_values("tie", addresses)
    return [
        (score, int(tie or 0), int(chunk or 0))
        for (score, _), tie, chunk in zip(found, ties, chunks, strict=True)
    ]


def _term_query(corpus: uuid.UUID, term: Term, statistics: Statistics) -> tantivy.Query | None:
    """One place of the question: the best of its ways of writing counts, the others a little."""
    forms = [list(_form_queries(corpus, form, statistics)) for form in term.forms]
    parts = [query for part in term.parts for query in _form_queries(corpus, part, statistics)]
    ways = [_any_of(queries) for queries in (*forms, parts) if queries]
    if not ways:
        return None
    return ways[0] if len(ways) == 1 else Query.disjunction_max_query(ways, TIE_BREAKER)


def _form_queries(corpus: uuid.UUID, form: str, statistics: Statistics) -> Iterator[tantivy.Query]:
    for field, weight in WEIGHTS.items():
        if corpus in statistics.frequencies(field, form):
            boost = weight * statistics.boost(corpus, field, form)
            query = Query.term_query(schema(), field, form, index_option="freq")
            yield query if boost == 1.0 else Query.boost_query(query, boost)


def _any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    if len(queries) == 1:
        return queries[0]
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def _conditions(filters: ResolvedFilters) -> Iterator[tuple[tantivy.Occur, tantivy.Query]]:
    """Each filter as a clause that must hold and adds nothing to the score."""
    plain = filters.plain
    texts: list[tuple[str, Iterable[str]]] = [
        ("source", plain.sources),
        ("type", plain.types),
        ("content_type", plain.content_types),
        ("section", map(section_key, plain.sections)),
        ("tag", plain.tags),
        ("entity", map(entity_key, plain.entities)),
    ]
    for field, values in texts:
        yield from _must(_exact(field, value) for value in values)
    if plain.years:
        yield from _must(_years(first, last) for first, last in plain.years)
    if plain.retracted is not None:
        yield from _must([_exact("retracted", int(plain.retracted))])
    if filters.documents is not None:
        ids = list(filters.documents)
        query = Query.term_set_query(schema(), "document", ids) if ids else Query.empty_query()
        yield Occur.Must, Query.const_score_query(query, 0.0)


def _must(queries: Iterable[tantivy.Query]) -> Iterator[tuple[tantivy.Occur, tantivy.Query]]:
    """Any of the queries, at no score: an unwrapped clause would let rare values win."""
    listed = list(queries)
    if listed:
        yield Occur.Must, Query.const_score_query(_any_of(listed), 0.0)


def _exact(field: str, value: str | int) -> tantivy.Query:
    return Query.term_query(schema(), field, value, index_option="basic")


def _years(first: int, last: int) -> tantivy.Query:
    low, high = max(first, NO_YEAR + 1), min(last, LAST_YEAR)
    if low > high:
        return Query.empty_query()
    return Query.range_query(schema(), "year", tantivy.FieldType.Unsigned, low, high)
