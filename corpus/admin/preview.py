"""A document as a curator looks at it: what it holds, what was said of it, who sees it."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse

from accounts.web.formats import counted, shortened
from corpus.admin.base import is_site_admin
from corpus.models import (
    Chunk,
    Corpus,
    Document,
    Figure,
    JobItem,
    Mention,
    Page,
    Section,
    Table,
    WorkConflict,
)
from corpus.services.fingerprint import pipeline
from corpus.sources.registry import SOURCES

PASSAGES, PARTS, ENTITIES, SECTIONS, ITEMS, ROWS = 12, 8, 24, 40, 10, 6
PASSAGE_CHARS, CAPTION_CHARS = 700, 240


def of(row: Document, visible: Any, request: HttpRequest) -> dict[str, Any]:
    """What the template shows. `visible` are the documents that the person may see here."""
    return {
        "document": row,
        "facts": facts(row),
        "standing": standing_words(row),
        "reader_url": reverse("corpus:document", args=[row.public_id]),
        "remove_url": f"{reverse('admin:corpus_document_remove')}?pk={row.pk}",
        "can_read_again": bool(row.file_sha256) and row.deletion_id is None,
        "readers": readers(row.corpus),
        "siblings": _siblings(row, visible),
        "suspected": _suspected(row),
        **_parts(row),
        "mentions": _mentions(row),
        "items": _items(row, request),
    }


def standing_words(row: Document) -> list[str]:
    """How its paper stands, in words; nothing where it stands as published."""
    flags = {
        "retracted": row.retracted,
        "expression of concern": row.concern,
        "corrected": row.corrected,
    }
    return [word for word, holds in flags.items() if holds]


def facts(row: Document) -> list[tuple[str, str]]:
    """Its columns as label and value; what is empty is left out."""
    ids = ", ".join(f"{name} {value}" for name, value in (row.identifiers or {}).items() if value)
    names = ", ".join(row.authors[:6]) + (" et al." if len(row.authors) > 6 else "")
    known = SOURCES.get(row.source)
    pairs = [
        ("Source", f"{known.label if known else row.source}, {row.external_id}"),
        ("Identifiers", ids),
        ("Type", row.type),
        ("Authors", names),
        ("Journal", row.journal),
        ("Published", row.published or str(row.year or "")),
        ("Licence", row.licence),
        ("Language", row.language),
        ("Tags", ", ".join(row.tags[:20])),
        ("Records in it", str(row.records) if row.records > 1 else ""),
        ("Pipeline", _pipeline(row)),
        ("Lexicon", row.lexicon or "entities not yet found"),
        ("Read from", f"record {row.file_position + 1} of {row.file_sha256[:12]}…"),
        ("Public id", str(row.public_id)),
    ]
    return [(label, shortened(value, 400)) for label, value in pairs if value]


def _pipeline(row: Document) -> str:
    present = pipeline(row.corpus.chunker)
    if row.pipeline == present:
        return f"version {present}, the present one"
    return f"version {row.pipeline or '0'}; the present one is {present}: to be read anew"


def readers(corpus: Corpus) -> list[str]:
    """Who sees what the corpus holds, a line each."""
    who = {
        "site": "everyone who is signed in",
        "team": f"members of {corpus.team.name}",
        "private": f"owners of {corpus.team.name}",
    }[corpus.visibility]
    grants = corpus.grants.select_related("team", "user")[:20]
    lines = [f"{grant.team or grant.user}, as {grant.role}" for grant in grants]
    external = "" if corpus.external_models_allowed else "never sent to an external model"
    return [line for line in (who, *lines, external) if line]


def _siblings(row: Document, visible: Any) -> list[dict[str, str]]:
    """Other records of the same paper."""
    if row.work_id is None:
        return []
    rows = visible.filter(work=row.work_id).exclude(pk=row.pk).select_related("corpus")
    return [
        {
            "url": reverse("admin:corpus_document_change", args=[other.pk]),
            "title": shortened(other.title or other.external_id, 90),
            "line": f"{other.source} {other.external_id[:40]}, {other.corpus.name}",
        }
        for other in rows[:PARTS]
    ]


def _suspected(row: Document) -> list[str]:
    """Pages of pairs that this paper is part of."""
    if row.work_id is None:
        return []
    pairs = WorkConflict.objects.filter(one=row.work_id) | WorkConflict.objects.filter(
        two=row.work_id
    )
    keys = pairs.values_list("pk", flat=True)[:PARTS]
    return [reverse("admin:corpus_workconflict_change", args=[pk]) for pk in keys]


def _parts(row: Document) -> dict[str, Any]:
    mine: dict[str, Any] = {"document": row}
    passages = Chunk.objects.filter(**mine).order_by("content_type", "chunk_index")
    figures, tables = Figure.objects.filter(**mine), Table.objects.filter(**mine)
    counts = {
        "pages": Page.objects.filter(**mine).count(),
        "passages": passages.count(),
        "figures": figures.count(),
        "tables": tables.count(),
    }
    return {
        "counts": ", ".join(counted(n, name[:-1]) for name, n in counts.items() if n) or "no text",
        "sections": [str(one) for one in Section.objects.filter(**mine)[:SECTIONS]],
        "passages": [
            {
                "kind": one.get_content_type_display(),
                "section": one.section_title,
                "page": one.page_start,
                "text": shortened(one.text, PASSAGE_CHARS),
            }
            for one in passages[:PASSAGES]
        ],
        "figures": [_captioned(one) for one in figures[:PARTS]],
        "tables": [_captioned(one) | {"rows": one.rows[:ROWS]} for one in tables[:PARTS]],
        "more_passages": max(0, counts["passages"] - PASSAGES),
    }


def _captioned(part: Any) -> dict[str, Any]:
    return {
        "label": part.label or "without a label",
        "caption": shortened(part.caption, CAPTION_CHARS),
        "page": part.page,
        "has_picture": bool(part.image_sha256),
    }


def _mentions(row: Document) -> list[dict[str, Any]]:
    """Entities that it names, the most frequent first."""
    found = Mention.objects.filter(chunk__document=row).order_by()
    counts = found.values("node__curie", "node__label").annotate(n=Count("pk"))
    return [
        {"label": one["node__label"], "curie": one["node__curie"], "count": one["n"]}
        for one in counts.order_by("-n", "node__curie")[:ENTITIES]
    ]


def _items(row: Document, request: HttpRequest) -> list[dict[str, str]]:
    """What jobs said of it, the newest first."""
    rows = JobItem.objects.filter(document=row).select_related("job")
    if not is_site_admin(request):
        rows = rows.visible_to(request.user)
    return [
        {
            "url": reverse("admin:corpus_ingestjob_change", args=[item.job_id]),
            "when": f"{item.updated_at:%d %b %Y %H:%M}",
            "state": item.get_state_display(),
            "reason": item.reason,
        }
        for item in rows.order_by("-pk")[:ITEMS]
    ]
