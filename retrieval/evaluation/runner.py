"""Running a set of questions through the search that everybody uses."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.text import slugify

from accounts.models import User
from accounts.services.members import create_user
from corpus.models import Corpus, IngestJob
from corpus.services import corpora, propositions, uploads
from corpus.sources.cleaning import one_line
from flux_site.kernel.errors import InvalidInput, Unavailable
from retrieval.evaluation.gold import GoldSet
from retrieval.evaluation.table import Answered, Table, summary
from retrieval.lexical.analyser import index_terms, query_terms
from retrieval.models import EvaluationRun
from retrieval.services.search import search
from retrieval.stages.search import BEHIND, NOT_INDEXED
from retrieval.types import (
    DEFAULT_LIMIT,
    LEGS,
    MAX_LIMIT,
    Fusion,
    Hit,
    LegName,
    SearchResult,
    cleaned_query,
)

# Evaluation corpora belong to an account of their own: nobody else's searches look into them.
ACCOUNT = "evaluation@localhost"
LEAST_DOCUMENTS = 20
INDEX_WAIT_S = 600.0
POLL_S = 0.2
READY_WORDS = "ready"


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration that is measured."""

    name: str
    legs: tuple[LegName, ...] = LEGS
    fusion: Fusion | None = None


ROWS = {
    row.name: row
    for row in (
        Row("lexical", legs=("lexical",)),
        Row("dense", legs=("dense",)),
        Row("rrf", fusion="rrf"),
        Row("cc", fusion="cc"),
        Row("full"),  # whatever the site searches with
    )
}
DEFAULT_ROWS = ("lexical", "dense", "rrf", "cc")

Say = Callable[[str], None]
WorkOff = Callable[[IngestJob], None]


def rows_of(names: Iterable[str]) -> list[Row]:
    """Rows by name, each once. Raises InvalidInput with the names there are."""
    wanted = list(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in ROWS]
    if unknown or not wanted:
        raise InvalidInput(f"A row is one of {', '.join(ROWS)}.")
    return [ROWS[name] for name in wanted]


def account() -> User:
    """The account that owns evaluation corpora; nobody can sign in as it."""
    found = User.objects.filter(email=ACCOUNT).first()
    return found or create_user(ACCOUNT, None, name="Evaluation", origin="evaluation")


def load(
    gold: GoldSet, *, work_off: WorkOff, reader: User, with_propositions: bool = False
) -> Corpus:
    """The set as a corpus of the reader's, ingested like any other; what is there costs nothing.
    With propositions it is a corpus beside the plain one.

    Raises Unavailable when records of it failed.
    """
    data = gold.corpus_file.read_bytes()
    slug = f"evaluation-{gold.name}-{hashlib.sha256(data).hexdigest()[:8]}".lower()
    slug += "-propositions" if with_propositions else ""
    team = reader.personal_team
    corpus = Corpus.objects.filter(team=team, slug=slugify(slug)).first()
    if corpus is None:
        corpus = corpora.create(slug, team, by=reader, origin="evaluation")
    if corpus.propositions != with_propositions:
        work_off(propositions.switch(corpus, with_propositions, by=reader, origin="evaluation"))
    ending = ".jsonl.gz" if gold.corpus_file.suffix == ".gz" else ".jsonl"
    job = uploads.accept(corpus, "jsonl", [(gold.name + ending, data)], by=reader)
    work_off(job)
    failed = job.items.filter(state="failed").first()
    if failed is not None:
        raise Unavailable(f"{gold.name} could not be loaded: {failed.reason}")
    corpus.refresh_from_db()
    return corpus


def wait_for_index(corpus: Corpus, *, reader: User, timeout_s: float = INDEX_WAIT_S) -> None:
    """Return when the words of all of a corpus can be searched.

    Raises Unavailable when that takes too long: then the follower does not run.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        result = search(READY_WORDS, reader=reader, corpora=[corpus.public_id], legs=("lexical",))
        if not {BEHIND, NOT_INDEXED} & set(result.notes):
            return
        if time.monotonic() > deadline:
            raise Unavailable("The lexical follower does not run: start it with bin/up.")
        time.sleep(POLL_S)


def run(
    gold: GoldSet, corpus: Corpus, rows: Sequence[Row], *, reader: User, say: Say
) -> dict[str, Any]:
    """Ask every question in every row; the JSON of `evaluate retrieval`.

    Rows take turns question by question, so that they meet the machine in the same state.
    """
    names = {one_line(document): document for document in gold.document_ids}
    _ask(gold.questions[0].text, rows[0], corpus, reader, names)  # loads models and indexes
    table = Table()
    for number, question in enumerate(gold.questions, start=1):
        for row in rows:
            table.add(row.name, _ask(question.text, row, corpus, reader, names))
        if number % 100 == 0:
            say(f"{number} of {len(gold.questions)} questions")
    result = {"set": gold.name, **summary(gold.questions, table), "versions": versions(corpus)}
    EvaluationRun.objects.create(
        name=f"retrieval {gold.name}",
        questions=len(gold.questions),
        rows=result["rows"],
        paired=result["paired"],
        versions=result["versions"],
    )
    result["questions"] = [
        {
            "id": question.id,
            "rankings": {row: list(found[place].ranking) for row, found in table.rows.items()},
        }
        for place, question in enumerate(gold.questions)
    ]
    return result


def versions(corpus: Corpus) -> dict[str, str | int]:
    """What the figures depend on."""
    return {
        "encoder": settings.DEFAULT_ENCODER,
        "fusion": settings.DEFAULT_FUSION,
        "passages": corpus.chunk_count,
        "revision": corpus.revision,
    }


def _ask(text: str, row: Row, corpus: Corpus, reader: User, names: dict[str, str]) -> Answered:
    try:
        cleaned_query(text)
    except InvalidInput:
        return Answered((), 0.0)  # a question that cannot be searched for finds nothing
    started = time.perf_counter()
    result = _search(text, row, corpus, reader, DEFAULT_LIMIT)
    took_ms = (time.perf_counter() - started) * 1000
    covered = term_coverage(text, result.hits[:5])
    found, limit = ranking_of(result.hits), DEFAULT_LIMIT
    # What a reader sees comes first; several passages of one document make room for later ones.
    while len(found) < LEAST_DOCUMENTS and len(result.hits) == limit < MAX_LIMIT:
        limit = min(limit * 4, MAX_LIMIT)
        result = _search(text, row, corpus, reader, limit)
        found = list(dict.fromkeys([*found, *ranking_of(result.hits)]))
    ranking = padded(found, names)
    return Answered(tuple(names[document] for document in ranking), took_ms, covered)


def _search(text: str, row: Row, corpus: Corpus, reader: User, limit: int) -> SearchResult:
    return search(
        text,
        reader=reader,
        corpora=[corpus.public_id],
        limit=limit,
        fusion=row.fusion,
        legs=row.legs,
    )


def ranking_of(hits: Iterable[Hit]) -> list[str]:
    """Documents in the order of their best passage."""
    return list(dict.fromkeys(hit.external_id for hit in hits))


def padded(ranking: Sequence[str], documents: Collection[str]) -> list[str]:
    """A ranking of at least 20: documents that the row has no score for are equal, and follow by
    their ids.
    """
    found = [document for document in ranking if document in documents]
    if len(found) >= LEAST_DOCUMENTS:
        return found
    rest = sorted(set(documents).difference(found))
    return found + rest[: LEAST_DOCUMENTS - len(found)]


def term_coverage(question: str, hits: Sequence[Hit]) -> float:
    """Share of the question's words that the passages hold, in any way of writing."""
    terms = query_terms(question)
    held = {term for hit in hits for term in index_terms(f"{hit.title}\n{hit.text}")}
    found = [term for term in terms if not held.isdisjoint((*term.forms, *term.parts))]
    return len(found) / len(terms) if terms else 0.0
