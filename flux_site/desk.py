"""The first page of the admin: what waits, what failed, how far behind, what it cost, who answers.

Everything here is a count over a partial index or of at most so many rows: it is asked for on
every visit.
"""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.sites import AdminSite
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from accounts.models import ModelCall, User
from accounts.web.formats import ago, grouped, money, shortened
from corpus.models import (
    Change,
    Corpus,
    Document,
    Follower,
    IngestJob,
    JobFetch,
    JobFile,
    JobItem,
    WorkConflict,
)
from corpus.services.fingerprint import PIPELINE
from flux_site import health

MOST = 10_000  # counted of anything that has no index for it
FAILURES = 8
STAGE_WORDS = {"store": "to store", "link": "to find entities in", "embed": "to embed"}


def index(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
    """The list of desks, with the state of the house above it."""
    shown = dashboard(cast(User, request.user))
    return AdminSite.index(admin.site, request, (extra_context or {}) | shown)


def parts(request: HttpRequest) -> HttpResponse:
    """Whether each part of the installation answers: asked for by itself, since it takes a second.

    For site admins.
    """
    if not cast(User, request.user).is_superuser:
        raise PermissionDenied
    return TemplateResponse(request, "admin/parts.html", {"parts": health.states()})


def dashboard(user: User) -> dict[str, Any]:
    """What a person sees of the house: a site admin all of it, others what they may read."""
    everything = user.is_superuser
    jobs: Any = IngestJob.objects.all() if everything else IngestJob.objects.visible_to(user)
    corpora: Any = Corpus.objects.all() if everything else Corpus.objects.visible_to(user)
    return {
        "queue": _queue(jobs),
        "failures": _failures(jobs),
        "documents": _documents(corpora, everything),
        "followers": _followers() if everything else [],
        "spend": _spend() if everything else "",
        "doubles": _bounded(WorkConflict.objects.all()) if everything else "",
        "everything": everything,
    }


def _queue(jobs: Any) -> list[tuple[str, str]]:
    """What waits in which stage."""
    is_open = {"job__in": jobs.filter(state__in=["queued", "running", "paused"]).values("pk")}
    states = dict(jobs.order_by().values_list("state").annotate(n=Count("pk")))
    items = JobItem.objects.filter(state="running", **is_open).order_by()
    rows = [
        ("jobs open", sum(states.get(name, 0) for name in ("queued", "running"))),
        ("jobs paused", states.get("paused", 0)),
        ("fetches under way", _open(JobFetch, ["queued", "fetching"], is_open)),
        ("files to read", _open(JobFile, ["queued", "reading"], is_open)),
    ]
    waiting = dict(items.values_list("stage").annotate(n=Count("pk")))
    rows += [(f"documents {word}", waiting.get(stage, 0)) for stage, word in STAGE_WORDS.items()]
    return [(label, grouped(n)) for label, n in rows]


def _open(model: Any, states: list[str], of_jobs: dict[str, Any]) -> int:
    return int(model.objects.filter(state__in=states, **of_jobs).count())


def _failures(jobs: Any) -> list[dict[str, str]]:
    """The newest failures, one a job, with their reasons."""
    rows = JobItem.objects.filter(state="failed", job__in=jobs.values("pk"))
    newest = rows.select_related("job__corpus").order_by("-pk")[: FAILURES * 10]
    by_job: dict[int, JobItem] = {}
    for row in newest:
        by_job.setdefault(row.job_id, row)
    return [
        {
            "url": reverse("admin:corpus_ingestjob_change", args=[row.job_id]),
            "job": f"{row.job.source} into {row.job.corpus.name}",
            "when": ago(row.updated_at),
            "reason": shortened(row.reason or row.code, 200),
        }
        for row in list(by_job.values())[:FAILURES]
    ]


def _documents(corpora: Any, everything: bool) -> list[tuple[str, str, str]]:
    """Documents by state: label, count, and the list that shows them."""
    sums = corpora.aggregate(documents=Sum("document_count"), passages=Sum("chunk_count"))
    mine: Any = Document.objects.all()
    if not everything:
        mine = mine.filter(corpus__in=corpora.values("pk"))
    states = [
        ("being deleted", mine.exclude(deletion=None), "state=deleting"),
        ("to be read anew", mine.filter(deletion=None).exclude(pipeline=PIPELINE), "state=due"),
        ("entities not yet found", mine.filter(deletion=None, lexicon=""), "state=unlinked"),
        (
            "with a notice",
            mine.filter(Q(retracted=True) | Q(concern=True) | Q(corrected=True)),
            "standing=any",
        ),
    ]
    rows = [("documents", grouped(sums["documents"] or 0), "")]
    rows += [(label, _bounded(found), query) for label, found, query in states]
    return [*rows, ("passages", grouped(sums["passages"] or 0), "")]


def _bounded(rows: Any) -> str:
    n = rows.order_by()[: MOST + 1].count()
    return grouped(n) if n <= MOST else f"over {grouped(MOST)}"


def _followers() -> list[dict[str, str]]:
    """How far behind the change log each follower is."""
    found = []
    for row in Follower.objects.order_by("name", "host"):
        ahead = Change.objects.filter(Q(xid__gt=row.xid) | Q(xid=row.xid, pk__gt=row.change))
        name, seen = f"{row.name} on {row.host}", ago(row.seen_at)
        found.append({"name": name, "behind": _bounded(ahead), "seen": seen})
    return found


def _spend() -> str:
    """What the site spent on models today (UTC); open calls count in full."""
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    calls = ModelCall.objects.filter(reserved_at__gte=today).exclude(state="released")
    amount = Coalesce("settled_microusd", "reserved_microusd")
    return money(calls.aggregate(sum=Sum(amount, default=0))["sum"])
