"""Text recognition of a job's file over many turns: some seconds each, so that it holds up no
other file.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import transaction

from corpus.models import Document, JobFile, RecognisedPart
from corpus.services import leases
from corpus.sources.pdf.ocr import engines
from corpus.sources.pdf.ocr.model import OcrOptions, Recognised
from corpus.sources.pdf.ocr.reader import OcrTurn


def options() -> OcrOptions:
    """What the settings allow."""
    return OcrOptions(
        engine=settings.OCR_ENGINE,
        languages=tuple(settings.OCR_LANGUAGES),
        dpi=settings.OCR_DPI,
        max_pages=settings.OCR_MAX_PAGES,
        figures=settings.OCR_FIGURES,
    )


def turn_of(file: JobFile, seconds: float) -> OcrTurn:
    """A turn that goes on behind what earlier ones have read."""
    known = {row.key: Recognised.from_json(row.found) for row in file.recognised.all()}
    return OcrTurn(options(), known, seconds)


def keep(file: JobFile, token: int, found: Mapping[str, Recognised]) -> None:
    """Keep what a turn has read, if the lease is still ours. Raises LeaseLost otherwise."""
    with transaction.atomic():
        row = leases.confirm(JobFile, file.pk, token)
        RecognisedPart.objects.bulk_create(
            [
                RecognisedPart(file=row, key=key, found=part.as_json())
                for key, part in found.items()
            ],
            ignore_conflicts=True,
        )


def forget(file: JobFile) -> None:
    """Drop what was kept: the document is stored, or there will be none."""
    file.recognised.all().delete()


def is_due(document: Document) -> bool:
    """Whether pages were left unread for want of an engine that is there now."""
    return bool(document.metadata.get("unrecognised")) and engines.choose(options()) is not None
