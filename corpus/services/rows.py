"""Storing the rows of a document: relations, signatures, terms."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from corpus.models import Document, RelationDraft, Signature, Term
from corpus.services import fingerprint
from corpus.types import NormalizedDocument

BATCH = 2000  # rows a statement: a vocabulary has tens of thousands
LONGEST = 255  # characters of a CURIE or name that is looked up


KINDS: tuple[Any, ...] = (RelationDraft, Signature, Term)


def clear(document: Document) -> None:
    """Remove a document's rows."""
    for model in KINDS:
        model.objects.filter(document=document).delete()


def write(document: Document, draft: NormalizedDocument) -> None:
    """Store the draft's rows for a document that has none. Call inside its transaction."""
    parts: tuple[Sequence[Any], ...] = (draft.relations, draft.signatures, draft.terms)
    for model, drafts in zip(KINDS, parts, strict=True):
        model.objects.bulk_create(
            (
                model(document=document, position=position, **_values(part))
                for position, part in enumerate(drafts)
            ),
            batch_size=BATCH,
        )


def _values(part: Any) -> dict[str, Any]:
    """A draft's fields as columns."""
    values = {field.name: getattr(part, field.name) for field in dataclasses.fields(part)}
    if "fields" in values:
        values["fields"] = fingerprint.plain(values["fields"])
    for name in ("subject", "object", "perturbation"):
        if name in values:
            values[name] = values[name][:LONGEST]
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}
