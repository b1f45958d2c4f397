"""Corpora, documents and jobs as the rows and cards that pages show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.types import Role
from accounts.web.formats import ago, counted, grouped, percent
from corpus.models import Chunk, Corpus, Document, Figure, IngestJob, JobItem, Page, Table
from corpus.web.kinds import source_label
from corpus.web.links import corpus_url, document_url, shown_id

LIVE = ("queued", "running")
END_STATES = ("done", "unchanged", "failed", "skipped")
SHOWN_ITEMS = 40
ETA_AFTER = 5  # items: an estimate from fewer jumps about


@dataclass(frozen=True, slots=True)
class State:
    """A state as glyph, word and colour."""

    label: str
    tone: str
    icon: str
    live: bool = False


JOB_STATES = {
    "queued": State("Queued", "acc", "clock", live=True),
    "running": State("Working", "acc", "spin", live=True),
    "paused": State("Paused", "warn", "pause"),
    "done": State("Done", "ok", "ok"),
    "failed": State("Done, with failures", "bad", "bad"),
    "stopped": State("Stopped", "line", "stop"),
}
ITEM_STATES = {
    "running": State("in progress", "run", "spin"),
    "done": State("done", "ok", "ok"),
    "unchanged": State("already here", "ok", "check"),
    "failed": State("failed", "bad", "bad"),
    "skipped": State("skipped", "", "info"),
}
STAGE_WORDS = {"store": "reading", "embed": "stored; vectors are being made", "end": "ending"}


def corpora_of(user: User) -> list[Corpus]:
    """Every corpus that the user may read, with its team, by name."""
    return list(Corpus.objects.readable_by(user).select_related("team"))


def ambiguous_slugs(corpora: Iterable[Corpus]) -> set[str]:
    """Slugs that two readable corpora share."""
    slugs = [corpus.slug for corpus in corpora]
    return {slug for slug in slugs if slugs.count(slug) > 1}


def corpus_cards(
    corpora: Sequence[Corpus], user: User, current: Corpus | None = None
) -> list[dict[str, Any]]:
    """Cards of corpora; a curator's card shows the job under way."""
    doubles = ambiguous_slugs(corpora)
    progress = _progress(user, corpora)
    return [
        {
            "url": corpus_url(corpus, ambiguous=corpus.slug in doubles),
            "name": corpus.name,
            "icon": "lock" if corpus.visibility == "private" else "library",
            "current": current is not None and corpus.pk == current.pk,
            "line": f"{counted(corpus.document_count, 'document')} · "
            f"{counted(corpus.chunk_count, 'passage')}",
            "note": readers_of(corpus),
            "percent": progress.get(corpus.pk),
        }
        for corpus in corpora
    ]


def readers_of(corpus: Corpus) -> str:
    """Who can read the corpus, in a phrase."""
    who = {
        "site": "Everyone signed in can read",
        "team": f"Team {corpus.team.name} can read",
    }.get(corpus.visibility, "Private")
    return f"{who} · comes with Flux" if corpus.is_demo else who


def _progress(user: User, corpora: Sequence[Corpus]) -> dict[int, float]:
    jobs = IngestJob.objects.visible_to(user).filter(corpus__in=corpora, state__in=LIVE)
    rows = jobs.values("corpus").annotate(
        total=Count("items"), ended=Count("items", filter=Q(items__state__in=END_STATES))
    )
    return {row["corpus"]: percent(row["ended"], row["total"]) for row in rows}


def document_rows(documents: Sequence[Document], reader: User) -> list[dict[str, Any]]:
    """Documents of one page of the table, their parts counted in four queries."""
    passages = _counts(Chunk.objects.visible_to(reader), documents)
    pages = _counts(Page.objects.visible_to(reader), documents)
    figures = _counts(Figure.objects.visible_to(reader), documents)
    tables = _counts(Table.objects.visible_to(reader), documents)
    return [
        {
            "url": document_url(document.public_id),
            "title": document.title or document.external_id,
            "ident": shown_id(document),
            "source": source_label(document.source),
            "status": status_of(document, passages.get(document.pk, 0)),
            "year": document.year,
            "pages": pages.get(document.pk),
            "passages": passages.get(document.pk),
            "figures": figures.get(document.pk),
            "tables": tables.get(document.pk),
            "added": ago(document.created_at),
            "iso": document.created_at.isoformat(),
        }
        for document in documents
    ]


def _counts(rows: QuerySet[Any], documents: Sequence[Document]) -> dict[int, int]:
    """Parts by document."""
    found = rows.filter(document__in=[document.pk for document in documents])
    return dict(found.order_by().values_list("document").annotate(Count("pk")))


def status_of(document: Document, passages: int) -> State:
    """Whether a document can be used in answers."""
    if document.retracted:
        return State("Retracted", "bad", "alert")
    if not passages:
        return State("No text", "warn", "alert")
    return State("Ready", "ok", "ok")


def job_counts(jobs: Sequence[IngestJob], reader: User) -> dict[int, dict[str, int]]:
    """Items of jobs by state."""
    items = JobItem.objects.visible_to(reader).filter(job__in=jobs)
    rows = items.order_by().values("job", "state")
    out: dict[int, dict[str, int]] = {}
    for row in rows.annotate(n=Count("pk")):
        out.setdefault(row["job"], {})[row["state"]] = row["n"]
    return out


def job_rows(jobs: Sequence[IngestJob], reader: User) -> list[dict[str, Any]]:
    """Jobs as lines of a table or of the status column."""
    counts = job_counts(jobs, reader)
    return [_job_row(job, counts.get(job.pk, {})) for job in jobs]


def _job_row(job: IngestJob, counts: dict[str, int]) -> dict[str, Any]:
    total = sum(counts.values())
    ended = sum(counts.get(state, 0) for state in END_STATES)
    return {
        "url": corpus_url(job.corpus) + "#jobs",
        "title": f"{source_label(job.source)} into {job.corpus.name}",
        "corpus": job.corpus.name,
        "state": JOB_STATES[job.state],
        "done": grouped(ended),
        "total": grouped(total),
        "failed": counts.get("failed", 0),
        "percent": percent(ended, total),
        "counted": f"{grouped(ended)} of {grouped(total)}" if total else "not read yet",
        "line": JOB_STATES[job.state].label,
        "when": ago(job.created_at),
        "iso": job.created_at.isoformat(),
    }


def job_block(job: IngestJob, reader: User) -> dict[str, Any]:
    """One job with its items, as partials/job.html shows it."""
    counts = job_counts([job], reader).get(job.pk, {})
    row = _job_row(job, counts)
    files = list(job.files.values("state", "name"))
    unread = sum(file["state"] in {"queued", "reading"} for file in files)
    ended = sum(counts.get(state, 0) for state in END_STATES)
    row |= {
        "id": str(job.public_id),
        "live": job.state in LIVE,
        "title": _job_title(job, [file["name"] for file in files]),
        "rate": _rate(job, ended),
        "left": _minutes_left(job, ended, sum(counts.values()), unread),
        "line": _job_line(job, unread),
        "items": [_item_row(item, several=len(files) > 1) for item in _items(job, reader)],
        "items_title": _items_title(counts),
        "more": _more(counts),
        "actions": _actions(job, counts),
    }
    return row


def _job_title(job: IngestJob, names: Sequence[str]) -> str:
    what = names[0] if len(names) == 1 else counted(len(names), "file")
    return f"{source_label(job.source)}: {what}"


def _job_line(job: IngestJob, unread: int) -> str:
    by = f" by {job.user.display_name}" if job.user else ""
    started = f"Started {ago(job.created_at)}{' ago' if ago(job.created_at) != 'now' else ''}{by}"
    waiting = f" · {counted(unread, 'file')} still to be read" if unread else ""
    return f"{started}{waiting} · finished documents can be searched at once"


def _items(job: IngestJob, reader: User) -> list[JobItem]:
    """Failures first, since they ask for something; then what is under way, then the newest."""
    visible = JobItem.objects.visible_to(reader).filter(job=job)
    items = visible.select_related("document", "file").order_by("-updated_at")
    failed = list(items.filter(state="failed")[:SHOWN_ITEMS])
    running = list(items.filter(state="running")[: SHOWN_ITEMS - len(failed)])
    rest = SHOWN_ITEMS - len(failed) - len(running)
    return failed + running + list(items.exclude(state__in=["failed", "running"])[:rest])


def _item_row(item: JobItem, *, several: bool) -> dict[str, Any]:
    """One item; of which file it is, where the job has several."""
    state = ITEM_STATES[item.state]
    elsewhere = several and item.file.name != item.name
    word = STAGE_WORDS.get(item.stage, state.label) if item.state == "running" else state.label
    return {
        "tone": state.tone,
        "icon": state.icon,
        "name": item.name,
        "state": f"{word}, in {item.file.name}" if elsewhere else word,
        "reason": item.reason,
        "url": document_url(item.document.public_id) if item.document else "",
    }


def _items_title(counts: dict[str, int]) -> str:
    if not counts:
        return "Nothing read yet"
    words = [
        ("failed", "failed"),
        ("skipped", "skipped"),
        ("done", "done"),
        ("unchanged", "already here"),
    ]
    parts = [f"{grouped(counts[state])} {word}" for state, word in words if counts.get(state)]
    return ", ".join(parts) or "In progress"


def _more(counts: dict[str, int]) -> str:
    hidden = sum(counts.values()) - SHOWN_ITEMS
    return f"and {grouped(hidden)} more" if hidden > 0 else ""


def _rate(job: IngestJob, ended: int) -> str:
    seconds = _seconds(job)
    return f"{ended / seconds:.1f}" if job.state in LIVE and ended and seconds > 1 else ""


def _minutes_left(job: IngestJob, ended: int, total: int, unread: int) -> int | None:
    """Whole minutes, once there is something to go by and every file was read."""
    if job.state not in LIVE or ended < ETA_AFTER or unread:
        return None
    return max(1, round(_seconds(job) / ended * (total - ended) / 60)) if total > ended else None


def _seconds(job: IngestJob) -> float:
    return (timezone.now() - (job.started_at or job.created_at)).total_seconds()


def _actions(job: IngestJob, counts: dict[str, int]) -> list[dict[str, str]]:
    """What a curator may do with the job now."""
    url = reverse("corpus:job", args=[job.public_id])
    offered: list[tuple[str, str, str]] = []
    if job.state in LIVE:
        offered = [("pause", "Pause", "pause"), ("cancel", "Cancel", "x")]
    elif job.state == "paused":
        offered = [("resume", "Resume", "refresh"), ("cancel", "Cancel", "x")]
    elif counts.get("failed") or job.state == "failed":
        offered = [("retry", "Retry failed", "refresh")]
    return [{"url": url, "value": v, "label": text, "icon": icon} for v, text, icon in offered]


def may_fill(user: User, corpus: Corpus) -> bool:
    """Whether the user may add documents."""
    return bool(Corpus.objects.with_role(user, Role.CURATOR).filter(pk=corpus.pk).exists())


def corpus_names(corpora: Sequence[Corpus]) -> dict[int, str]:
    """How forms name each corpus: its slug, or TEAM/SLUG where two share it."""
    doubles = ambiguous_slugs(corpora)
    return {
        corpus.pk: f"{corpus.team.slug}/{corpus.slug}" if corpus.slug in doubles else corpus.slug
        for corpus in corpora
    }
