"""Feeds: a query of a live source, asked again each day for what is new.

Each asking is a job like any fetch, so what is here already is left as it is. What a day has missed
(a source that was away, a job that was cancelled) the next asking makes up for: it goes back to the
last one that came to its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from corpus.models import Document, IngestJob, JobFile, JobItem, Watched
from corpus.services import control, garbage, live, watching
from corpus.sources.fetching import Request
from flux_site.kernel.errors import FluxError

EVERY: Final = timedelta(days=1)
# How long before the last asking the next one begins: sources list records some days after the date
# by which they are asked. OpenAlex knows days of publication alone.
LAG: Final = timedelta(days=7)
LAGS: Final[Mapping[str, timedelta]] = MappingProxyType({"openalex": timedelta(days=60)})
KEPT: Final = timedelta(days=30)  # an asking that brought nothing
TRIMMED_AT_ONCE: Final = 500


def due() -> list[int]:
    """Feeds to ask, the longest unasked first."""
    return list(_due().order_by("scanned_at", "pk").values_list("pk", flat=True))


def _due() -> QuerySet[Watched]:
    is_due = Q(scanned_at=None) | Q(scanned_at__lte=timezone.now() - EVERY)
    return _at_rest().filter(is_due)


def _at_rest() -> QuerySet[Watched]:
    """Feeds whose last asking is over."""
    asking = IngestJob.objects.filter(feed=OuterRef("pk")).exclude(state__in=control.OVER)
    rows: QuerySet[Watched] = Watched.objects.feeds().filter(~Exists(asking))
    return rows


def ask(pk: int, *, early: bool = False) -> IngestJob | None:
    """Ask a feed's source if it is due, or before that: the job which does it, in one transaction
    with the time of asking.

    None when it is paused, gone, not due or being asked already, or another worker is at it; also
    when nobody may ask: why is its `error` then, a sentence, until an asking goes through.
    """
    with transaction.atomic():
        rows = Watched.objects.feeds().select_for_update(skip_locked=True, of=("self",))
        row = rows.select_related("corpus").filter(pk=pk).first()
        ready = _at_rest() if early else _due()  # looked up while nobody else can ask
        if row is None or not ready.filter(pk=pk).exists():
            return None
        job: IngestJob | None = None
        try:
            with transaction.atomic():
                job = _asked(row)
            row.error = ""
        except FluxError as why:
            row.error = why.message
        row.scanned_at = timezone.now()
        row.save(update_fields=["scanned_at", "error"])
    return job


def _asked(row: Watched) -> IngestJob:
    by = watching.check_user(row)
    since = _since(row)
    request = Request(query=row.query, since=since.isoformat() if since else "", limit=row.limit)
    return live.accept(row.corpus, row.source, request, by=by, origin="watch", feed=row)


def _since(row: Watched) -> date | None:
    """The day from which on records are asked for; None for all."""
    whole = row.jobs.filter(fetch__state="fetched").order_by("-pk").first()
    if whole is None:
        return row.since
    last: date = (whole.created_at - LAGS.get(row.source, LAG)).date()
    return max(last, row.since) if row.since else last


def trim() -> int:
    """Delete old askings that brought nothing new; how many.

    The last that came to its end stays, since the next begins there, and so does the last one with
    a file that a document was read from.
    """
    with transaction.atomic():
        rows = _spent().select_for_update(of=("self",), skip_locked=True).order_by("pk")
        jobs = list(rows.values_list("pk", flat=True)[:TRIMMED_AT_ONCE])
        files = JobFile.objects.filter(job__in=jobs).exclude(sha256="")
        garbage.note(set(files.values_list("sha256", flat=True)))
        IngestJob.objects.filter(pk__in=jobs).delete()
    return len(jobs)


def _spent() -> QuerySet[IngestJob]:
    this = OuterRef("pk")
    later = IngestJob.objects.filter(feed=OuterRef("feed"), fetch__state="fetched", pk__gt=this)
    brought = JobItem.objects.filter(job=this).exclude(state="unchanged")
    read = Document.objects.filter(corpus=OuterRef("job__corpus"), file_sha256=OuterRef("sha256"))
    again = JobFile.objects.filter(
        job__corpus=OuterRef("job__corpus"), sha256=OuterRef("sha256"), job__gt=OuterRef("job")
    )
    files = JobFile.objects.filter(Exists(read), ~Exists(again), job=this).exclude(sha256="")
    rows: QuerySet[IngestJob] = IngestJob.objects.filter(
        Exists(later),
        ~Exists(brought),
        ~Exists(files),
        state__in=control.OVER,
        finished_at__lt=timezone.now() - KEPT,
    )
    return rows
