"""Jobs whose files come from a live source, page by page, resumable behind every page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from accounts.services.audit import record
from corpus.models import Corpus, IngestJob, JobFetch, JobFile, Watched
from corpus.services import fetching, garbage, leases, uploads
from corpus.sources.fetching import Page, Request
from flux_site.kernel import blobs
from flux_site.kernel.errors import FluxError
from flux_site.kernel.http import SourceExhausted, SourceUnavailable

MAX_ATTEMPTS = 12  # without a page in between; with growing pauses that is several hours
NOTHING = "The source has nothing for this request: check it."
NOTHING_NEW = "The source has nothing for this request that is as new as {since}."
LONGEST_PAUSE_S = 1800.0


def accept(
    corpus: Corpus,
    source: str,
    request: Request,
    *,
    by: User,
    origin: str = "",
    feed: Watched | None = None,
) -> IngestJob:
    """Make a job that fetches what the request asks for; one of `feed`, if it is that which asks.

    Raises what `uploads.accept` raises, and InvalidInput for a source that cannot be asked.
    """
    uploads.check(corpus, source, by)
    fetching.client_for(source)
    with transaction.atomic():
        job = IngestJob.objects.create(corpus=corpus, user=by, source=source, feed=feed)
        JobFetch.objects.create(job=job, request=asdict(request))
        record(by, "ingest.start", job, origin=origin, after={"request": asdict(request)})
    return job


def fetch_slice(fetch: JobFetch, token: int, over: Callable[[], bool]) -> None:
    """Take the next pages until `over`; each is a file of the job, in one transaction with the
    cursor.

    A source that does not answer is asked again later, one whose quota is used up when it renews; a
    refusal ends the fetch with its reason. Raises LeaseLost when another worker holds the fetch.
    """
    JobFetch.objects.filter(pk=fetch.pk, token=token).update(attempts=F("attempts") + 1)
    request = Request(**{**fetch.request, "ids": tuple(fetch.request.get("ids", ()))})
    notes: list[str] = []
    with leases.kept(JobFetch, [(fetch.pk, token)]):
        try:
            for page in fetching.client_for(fetch.job.source)(request, fetch.cursor, notes.append):
                _keep(fetch, token, page, notes)
                if over():
                    return
            _end(fetch, token, "fetched", "", notes)
        except SourceUnavailable as away:
            _wait(fetch, token, away.message, timezone.now() + _pause(fetch, away.wait_s))
        except SourceExhausted as used_up:
            _wait(fetch, token, used_up.message, used_up.until)
        except leases.LeaseLost:
            raise
        except FluxError as refused:
            _end(fetch, token, "failed", refused.message, notes)


def _keep(fetch: JobFetch, token: int, page: Page, notes: list[str]) -> None:
    with garbage.keeping(), transaction.atomic():
        row = leases.confirm(JobFetch, fetch.pk, token)
        sha256 = blobs.put(page.data)
        JobFile.objects.create(
            job_id=row.job_id, name=page.name, sha256=sha256, size=len(page.data)
        )
        row.cursor, row.state, row.pages = page.state, "fetching", row.pages + 1
        row.attempts, row.reason, row.not_before = 0, "", None
        row.notes = _joined(row.notes, notes)
        row.save(
            update_fields=[
                "cursor",
                "state",
                "pages",
                "attempts",
                "reason",
                "not_before",
                "notes",
            ]
        )


def _end(fetch: JobFetch, token: int, state: str, reason: str, notes: list[str]) -> None:
    with transaction.atomic():
        row = leases.confirm(JobFetch, fetch.pk, token)
        row.state, row.reason, row.not_before, row.leased_until = state, reason, None, None
        if state == "fetched" and not row.pages:
            if since := row.request.get("since"):
                notes = [*notes, NOTHING_NEW.format(since=since)]
            else:
                row.state, row.reason = "failed", NOTHING
        row.notes = _joined(row.notes, notes)
        row.save(update_fields=["state", "reason", "not_before", "leased_until", "notes"])


def _wait(fetch: JobFetch, token: int, reason: str, until: datetime) -> None:
    with transaction.atomic():
        row = leases.confirm(JobFetch, fetch.pk, token)
        if row.attempts >= MAX_ATTEMPTS:
            row.state = "failed"
            reason = f"{reason} It was asked {row.attempts} times; retry the job later."
        row.reason, row.not_before, row.leased_until = reason, until, None
        row.save(update_fields=["state", "reason", "not_before", "leased_until"])


def _pause(fetch: JobFetch, asked_s: float) -> timedelta:
    """What the source asks for, or twice as long each time."""
    growing = fetching.SHORTEST_PAUSE_S * 2.0 ** min(fetch.attempts, 10)
    return timedelta(seconds=max(asked_s, min(growing, LONGEST_PAUSE_S)))


def _joined(known: list[str], new: list[str]) -> list[str]:
    return list(dict.fromkeys([*known, *new]))
