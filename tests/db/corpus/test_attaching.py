"""PDFs that come with a reference list are read with the entry that names them."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pymupdf
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Document, IngestJob
from corpus.services import jobs, scanning, uploads, watching, works
from corpus.web import received
from tests.db.corpus.test_watching import seen_twice
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, ingest_files

pytestmark = pytest.mark.django_db

BIBTEX = r"""
@article{mensah_2018,
  title = {Loss of a kinase brake lets memory {T} cells relapse},
  author = {Mensah, Ada and Lind, Jo}, journal = {J Clin Invest}, year = {2018},
  doi = {10.5555/jci.9}, annote = {Read again: the dose differs.},
  file = {Full Text PDF:files/12/Mensah 2018.pdf:application/pdf}
}
@article{lind_2020, title = {Cold cells}, author = {Lind, Jo}, year = {2020},
  file = {:Lind2020.pdf:PDF}
}
@article{ek_2021, title = {A paper whose file stayed at home}, year = {2021},
  doi = {10.5555/ek}, file = {:Ek2021.pdf:PDF}
}
"""
RIS = """TY  - JOUR
TI  - Loss of a kinase brake lets memory T cells relapse
AU  - Mensah, Ada
PY  - 2018
DO  - 10.5555/jci.9
L1  - internal-pdf://1234567/Mensah 2018.pdf
ER  -
"""
CSL = json.dumps(
    [
        {
            "id": "mensah",
            "type": "article-journal",
            "title": "Loss of a kinase brake lets memory T cells relapse",
            "DOI": "10.5555/jci.9",
            "author": [{"family": "Mensah", "given": "Ada"}],
            "issued": {"date-parts": [[2018]]},
            "note": "PDF: files/12/Mensah 2018.pdf",
        }
    ]
)


def pdf(*sentences: str) -> bytes:
    """A page of text in one size, so that no line of it looks like a title."""
    document = pymupdf.open()
    page = document.new_page()
    for number, sentence in enumerate(sentences):
        page.insert_text((72, 90 + 16 * number), sentence, fontsize=11)
    return bytes(document.tobytes(deflate=True, no_new_id=True))


MENSAH = ("Mensah 2018.pdf", pdf("the kinase was lost in memory cells.", "they relapsed."))
LIND = ("Lind2020.pdf", pdf("cells were kept cold for a day.", "most of them lived on."))
BIB = ("zotero.bib", BIBTEX.encode())


def stored() -> dict[tuple[str, str], tuple]:
    """What is stored, by source and id, without what differs from one installation to the next."""
    return {
        (document.source, document.external_id): (
            document.title,
            document.identifiers,
            document.authors,
            document.year,
            document.note,
            document.content_sha256,
            [chunk.text for chunk in document.chunks.order_by("pk")],
        )
        for document in Document.objects.all()
    }


def paper(name: str) -> Document:
    return Document.objects.get(source="pdf", metadata__filename=name)


@pytest.mark.slow
@pytest.mark.parametrize("order", list(permutations([BIB, MENSAH, LIND])))
def test_the_order_of_the_files_does_not_matter(order):
    corpus = CorpusFactory()
    ingest_files(corpus, "references", list(order))
    now = stored()
    assert len(now) == 5

    Document.objects.all().delete()
    ingest_files(CorpusFactory(), "references", [BIB, MENSAH, LIND])

    assert stored() == now


def test_a_pdf_has_what_its_entry_knows_and_is_one_work_with_it():
    ingest_files(CorpusFactory(), "references", [MENSAH, BIB, LIND])

    mensah = paper("Mensah 2018.pdf")

    assert mensah.title == "Loss of a kinase brake lets memory T cells relapse"
    assert (mensah.authors, mensah.year) == (["Ada Mensah", "Jo Lind"], 2018)
    assert mensah.identifiers["doi"] == "10.5555/jci.9"
    assert "Named by the entry mensah_2018 of zotero.bib." in mensah.note
    assert "Read again: the dose differs." in mensah.chunks.values_list("text", flat=True)
    assert mensah.work == Document.objects.get(external_id="doi:10.5555/jci.9").work


def test_an_entry_without_ids_and_with_a_short_title_is_one_work_with_its_pdf_too():
    ingest_files(CorpusFactory(), "references", [MENSAH, BIB, LIND])

    lind = paper("Lind2020.pdf")
    entry = Document.objects.get(title="Cold cells", source="references")

    assert lind.title == "Cold cells"
    assert lind.work == entry.work is not None
    assert works.same_work(lind, curator_of(lind.corpus)) == [entry]


def test_an_entry_whose_file_is_missing_says_so():
    ingest_files(CorpusFactory(), "references", [BIB, MENSAH, LIND])

    notes = dict(Document.objects.filter(source="references").values_list("metadata__key", "note"))

    assert "not uploaded with the list: Ek2021.pdf." in notes["ek_2021"]
    assert "not uploaded" not in notes["mensah_2018"]


@pytest.mark.parametrize("given", [("endnote.ris", RIS), ("mendeley.bib", BIBTEX)])
def test_lists_of_other_managers_name_files_too(given):
    ingest_files(CorpusFactory(), "references", [MENSAH, (given[0], given[1].encode())])

    assert paper("Mensah 2018.pdf").identifiers["doi"] == "10.5555/jci.9"


def test_a_list_that_comes_after_its_pdf_was_stored_still_tells_of_it():
    corpus = CorpusFactory()
    ingest_files(corpus, "pdf", [MENSAH])
    assert paper("Mensah 2018.pdf").title == "Mensah 2018"

    job = ingest_files(corpus, "references", [BIB, MENSAH])

    assert paper("Mensah 2018.pdf").identifiers["doi"] == "10.5555/jci.9"
    assert job.items.filter(state="failed").count() == 0


def test_a_pdf_that_comes_later_than_its_list_is_joined_with_its_entry():
    corpus = CorpusFactory()
    ingest_files(corpus, "references", [BIB])
    ingest_files(corpus, "pdf", [MENSAH])
    ingest_files(corpus, "references", [LIND, ("other.ris", b"TY  - JOUR\nTI  - Other\nER  - \n")])

    mensah, lind = paper("Mensah 2018.pdf"), paper("Lind2020.pdf")

    assert "Named by the entry mensah_2018 of zotero.bib." in mensah.note
    assert mensah.identifiers["doi"] == "10.5555/jci.9"
    assert lind.work == Document.objects.get(title="Cold cells", source="references").work


def test_what_came_later_ends_as_what_came_together():
    apart, together = CorpusFactory(), CorpusFactory()
    ingest_files(together, "references", [BIB, MENSAH, LIND])
    now = stored()
    Document.objects.all().delete()

    ingest_files(apart, "references", [BIB])
    ingest_files(apart, "pdf", [LIND, MENSAH])
    job = ingest_files(apart, "references", [BIB])

    assert stored() == now
    assert set(job.items.values_list("state", flat=True)) == {"done", "unchanged"}


def test_an_entry_is_not_said_to_lack_a_pdf_that_is_here():
    corpus = CorpusFactory()
    ingest_files(corpus, "references", [BIB, MENSAH, LIND])
    before = stored()

    again = ingest_files(corpus, "references", [BIB])

    assert stored() == before
    assert set(again.items.values_list("state", flat=True)) == {"unchanged"}


def test_neither_a_deleted_entry_nor_one_of_another_corpus_tells_of_a_pdf():
    corpus = CorpusFactory()
    ingest_files(CorpusFactory(), "references", [BIB])
    ingest_files(corpus, "references", [BIB])
    Document.objects.filter(corpus=corpus, metadata__key="mensah_2018").delete()

    ingest_files(corpus, "pdf", [MENSAH])

    assert paper("Mensah 2018.pdf").title == "Mensah 2018"
    assert "named_by" not in paper("Mensah 2018.pdf").metadata


def test_reading_again_changes_nothing_and_forgets_nothing():
    corpus = CorpusFactory()
    ingest_files(corpus, "references", [BIB, MENSAH, LIND])
    before = stored()

    again = ingest_files(corpus, "references", [LIND, MENSAH, BIB])
    assert set(again.items.values_list("state", flat=True)) == {"unchanged"}
    Document.objects.filter(source="pdf").update(pipeline="an older one", content_sha256="")
    ingest_files(corpus, "pdf", [MENSAH, LIND])

    assert stored() == before


def test_a_list_that_cannot_be_read_fails_alone():
    broken = ("broken.bib", b"\x00\x01\x02\x03" * 100)
    job = ingest_files(CorpusFactory(), "references", [broken, MENSAH])

    states = dict(job.items.values_list("file__name", "state"))

    assert states["broken.bib"] in {"failed", "skipped"}
    assert states["Mensah 2018.pdf"] == "done"


def uploaded(*files: tuple[str, bytes]) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, data) for name, data in files]


def test_the_page_puts_pdfs_into_the_job_of_their_list(monkeypatch):
    monkeypatch.setattr(received, "start_now", lambda: None)
    corpus = CorpusFactory()
    notes = ("notes.jsonl", b'{"id": "a", "title": "A", "text": "STAT3 drives SOCS3."}\n')

    receipt = received.accept_files(
        corpus, uploaded(LIND, BIB, notes), by=curator_of(corpus), origin="page"
    )

    assert {job.source: job.files.count() for job in receipt.jobs} == {"references": 2, "jsonl": 1}
    for job in receipt.jobs:
        jobs.work_off(job)
    assert paper("Lind2020.pdf").title == "Cold cells"


def test_a_watched_export_of_a_reference_manager_is_joined(settings, tmp_path):
    settings.WATCH_ROOTS = [tmp_path]
    files = tmp_path / "export" / "files" / "12"
    files.mkdir(parents=True)
    (files / MENSAH[0]).write_bytes(MENSAH[1])
    (tmp_path / "export" / BIB[0]).write_bytes(BIB[1])
    corpus = CorpusFactory()
    row = watching.add(corpus, "export", by=curator_of(corpus))

    (job,) = seen_twice(row)
    jobs.work_off(job)

    assert paper("Mensah 2018.pdf").identifiers["doi"] == "10.5555/jci.9"
    assert scanning.scan(row.pk) == []


@pytest.mark.slow
@pytest.mark.shared_data
def test_real_papers_are_one_work_with_the_entries_that_name_them(shared_data: Path):
    folder = shared_data / "pdf" / "pairs"
    small = sorted(folder.glob("*.pdf"), key=lambda path: path.stat().st_size)[:2]
    names = [path.name for path in small]
    entries = "".join(
        f"@article{{p{number}, title = {{Entry {number}}}, year = {{2015}}, author = {{Ek, Bo}},\n"
        f"  file = {{Full Text:files/{number}/{name}:application/pdf}}}}\n"
        for number, name in enumerate(names)
    )
    files = [(name, (folder / name).read_bytes()) for name in names]

    ingest_files(CorpusFactory(), "references", [*files, ("export.bib", entries.encode())])

    for number, name in enumerate(names):
        document = paper(name)
        entry = Document.objects.get(source="references", metadata__key=f"p{number}")
        assert document.work == entry.work is not None
        assert f"entry p{number} of export.bib" in document.note
        assert document.title, "what the paper prints stays"


def test_files_are_put_together_only_where_a_list_is_among_them():
    assert uploads.together({"pdf": ["a"], "jsonl": ["b"]}) == {"pdf": ["a"], "jsonl": ["b"]}
    assert uploads.together({"pdf": ["a"], "references": ["b"]}) == {"references": ["b", "a"]}
    assert not IngestJob.objects.exists()
