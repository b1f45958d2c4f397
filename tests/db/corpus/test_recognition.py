"""Scanned pages of a job: read in turns, kept between them, gone once the document is stored."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from corpus.models import Chunk, Document, JobFile, RecognisedPart
from corpus.services import control, jobs, uploads
from corpus.services.leases import LeaseLost
from corpus.services.recognition import keep
from corpus.sources.pdf.mupdf import mupdf
from corpus.sources.pdf.ocr.model import Recognised
from retrieval.lexical import source
from retrieval.lexical.schema import document_of
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, ingest_files
from tests.support.scans import drawn, scan

pytestmark = pytest.mark.django_db
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="tesseract is not installed"
)


@pytest.fixture
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SLICE_SECONDS", 0.0)


@pytest.mark.slow
@needs_tesseract
def test_a_scan_is_read_a_page_a_turn_and_others_get_theirs_between(short_turns: None) -> None:
    corpus = CorpusFactory()
    files = [("scan.pdf", scan(*[drawn()] * 3))]
    job = uploads.accept(corpus, "pdf", files, by=curator_of(corpus))
    file = JobFile.objects.get(job=job)

    kept = []
    while file.state != "read":
        (work,) = (work for work in jobs.lease() if isinstance(work, jobs.ReadFile))
        jobs.perform(work)
        file.refresh_from_db()
        kept.append(RecognisedPart.objects.filter(file=file).count())
        assert file.attempts in (0, 1)

    assert kept == [1, 2, 2, 0]  # stored in the third, ended in the fourth
    document = Document.objects.get(corpus=corpus)
    assert [page.method for page in document.pages.all()] == ["ocr"] * 3
    assert Chunk.objects.filter(text__contains="constant light regime").exists()


@needs_tesseract
def test_a_second_upload_of_a_scan_adds_nothing() -> None:
    corpus = CorpusFactory()
    data = scan(drawn())
    ingest_files(corpus, "pdf", [("scan.pdf", data)])
    before = list(Chunk.objects.values_list("pk", "text"))
    job = ingest_files(corpus, "pdf", [("again.pdf", data)])
    assert job.items.get().state == "unchanged"
    assert list(Chunk.objects.values_list("pk", "text")) == before


@pytest.mark.slow
@needs_tesseract
def test_a_scan_that_waited_for_an_engine_is_read_at_the_next_upload(settings: Any) -> None:
    corpus = CorpusFactory()
    data = scan(drawn())
    settings.OCR_ENGINE = "off"
    job = ingest_files(corpus, "pdf", [("scan.pdf", data)])
    assert job.items.get().state == "done"
    assert "switched off" in job.items.get().reason
    assert not Chunk.objects.exists()
    settings.OCR_ENGINE = "auto"
    ingest_files(corpus, "pdf", [("scan.pdf", data)])
    assert Document.objects.get(corpus=corpus).pages.get().report["engine"] == "tesseract"
    assert Chunk.objects.filter(text__contains="constant light regime").exists()


def half_read(corpus: Any) -> JobFile:
    job = uploads.accept(corpus, "pdf", [("scan.pdf", b"%PDF-")], by=curator_of(corpus))
    (work,) = jobs.lease()
    assert isinstance(work, jobs.ReadFile)
    file: JobFile = JobFile.objects.get(job=job)
    keep(file, file.token, {"page 1": Recognised("x", 10, 10)})
    return file


def test_a_worker_that_lost_its_lease_keeps_nothing() -> None:
    file = half_read(CorpusFactory())
    with pytest.raises(LeaseLost):
        keep(file, file.token - 1, {"page 2": Recognised("x", 10, 10)})
    assert [part.key for part in file.recognised.all()] == ["page 1"]


def test_what_was_recognised_goes_with_a_cancelled_job() -> None:
    corpus = CorpusFactory()
    file = half_read(corpus)
    control.act(file.job, "cancel", by=curator_of(corpus))
    assert not RecognisedPart.objects.exists()


@pytest.mark.slow
@needs_tesseract
def test_words_inside_a_figure_are_found_with_its_caption_and_are_no_text(
    settings: Any, sheet_with_figure: bytes
) -> None:
    settings.OCR_FIGURES = True
    corpus = CorpusFactory()
    ingest_files(corpus, "pdf", [("paper.pdf", sheet_with_figure)])
    figure = Document.objects.get(corpus=corpus).figures.get()
    assert "Fluorescence" in figure.words
    assert not Chunk.objects.filter(text__contains="Fluorescence").exists()
    passages = source.of_documents([figure.document_id])[figure.document_id]
    (caption,) = [passage for passage in passages if passage.inside]
    assert caption.chunk == figure.chunk_id
    found = document_of(caption, []).to_dict()
    assert "fluoresc" in " ".join(found["caption"])


@pytest.fixture
def sheet_with_figure() -> bytes:
    document = mupdf.open()
    page = document.new_page()
    for row in range(12):
        text = "The kinase was active in all samples that were kept at low temperature for days."
        page.insert_text((60, 80 + 13 * row), text, fontsize=10)
    picture = drawn(["Fluorescence", "Time after dose"], width=300, height=150)
    pixels = mupdf.Pixmap(mupdf.csRGB, picture.width, picture.height, picture.tobytes(), False)
    page.insert_image(mupdf.Rect(60, 260, 360, 410), pixmap=pixels)
    page.insert_text((60, 430), "Figure 1. Course of the signal over two days.", fontsize=9)
    data: bytes = document.tobytes()
    return data
