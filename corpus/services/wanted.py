"""Papers that a corpus's reference lists name by id and of which it holds no text yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.db.models import Exists, OuterRef

from corpus.models import Corpus, Document, IngestJob, JobFetch, JobFile, JobItem, Section
from corpus.sources import ids
from corpus.sources.fetching import Request
from flux_site.kernel.errors import InvalidInput

# PMIDs are asked of the one, DOIs of other papers of the other.
LABELS: Final = {"pubmed": "PubMed", "openalex": "OpenAlex"}
NOT_FOUND: Final = "not_found"
LIST_NAME: Final = "ids that were asked for"


def request(corpus: Corpus, source: str) -> Request:
    """What to ask a source for, to have the named papers that it may know.

    Raises InvalidInput when there is nothing to ask it for.
    """
    wanted = named(corpus).get(source, [])
    if not wanted:
        raise InvalidInput(
            f"Reference lists of {corpus.name} name no paper that {LABELS.get(source, source)} can "
            "be asked for and that is not here or on its way."
        )
    return Request(ids=tuple(wanted))


def named(corpus: Corpus) -> dict[str, list[str]]:
    """By source, the ids of named papers of which no record with text is here or on its way."""
    asked = _on_their_way(corpus)
    found: dict[str, dict[str, None]] = {}
    for identifiers in _without_text(corpus):
        source, wanted = _of(identifiers)
        if wanted and (source, wanted) not in asked:
            found.setdefault(source, {})[wanted] = None
    return {source: list(values) for source, values in found.items()}


def _of(identifiers: dict[str, str]) -> tuple[str, str]:
    if pmid := identifiers.get("pmid"):
        return "pubmed", pmid
    return "openalex", identifiers.get("doi", "")


def _without_text(corpus: Corpus) -> Iterator[dict[str, str]]:
    """Ids of entries without an abstract, whose paper no other record of the corpus is of."""
    records = Document.objects.filter(corpus=corpus, deletion=None).exclude(source="references")
    abstract = Section.objects.filter(document=OuterRef("pk"), path=["Abstract"])
    entries = Document.objects.filter(corpus=corpus, source="references", deletion=None)
    entries = entries.exclude(Exists(records.filter(work=OuterRef("work")))).exclude(
        Exists(abstract)
    )
    yield from entries.order_by("pk").values_list("identifiers", flat=True)


def _on_their_way(corpus: Corpus) -> set[tuple[str, str]]:
    open_jobs = JobFetch.objects.filter(
        job__corpus=corpus, job__state__in=["queued", "running", "paused"]
    )
    rows = open_jobs.values_list("job__source", "request")
    return {(source, one) for source, request in rows for one in request.get("ids", ())}


def write_missing(job: IngestJob, fetch: JobFetch) -> None:
    """An item for each id that was asked for by itself and that the source does not know."""
    missing = _missing(job, fetch) if job.source in LABELS else []
    job.files.filter(name=LIST_NAME).delete()  # of an earlier try
    if not missing:
        return
    file = JobFile.objects.create(job=job, name=LIST_NAME, size=0, state="failed")
    JobItem.objects.bulk_create(
        JobItem(
            **{"job": job, "file": file, "position": position, "name": one, "records": 0},
            **{"state": "failed", "stage": "end", "code": NOT_FOUND},
            reason=f"{LABELS[job.source]} has no record with the id {one}: check it.",
        )
        for position, one in enumerate(missing)
    )


def _missing(job: IngestJob, fetch: JobFetch) -> Sequence[str]:
    asked = fetch.request.get("ids", ())[: fetch.request.get("limit")]
    items = job.items.exclude(external_id="")
    found = set(items.values_list("external_id", flat=True))
    for identifiers in items.values_list("document__identifiers", flat=True):
        found |= set((identifiers or {}).values())
    if job.items.filter(code="deleted").exists():
        return []  # what was deleted meanwhile has left no id to compare
    return [one for one in dict.fromkeys(asked) if not _forms(one) & found]


def _forms(one: str) -> set[str]:
    """An id as records give it."""
    return {form for form in (ids.openalex(one), ids.doi(one), ids.pmid(one)) if form}
