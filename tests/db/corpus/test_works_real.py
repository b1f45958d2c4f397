"""Saved real records: what stands in several sets becomes one work each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.models import Document, Work, WorkConflict
from corpus.services import works
from corpus.services.works.retractions import pmids_of
from corpus.sources.base import Broken
from corpus.sources.files import open_payload
from corpus.sources.ids import identifiers
from corpus.sources.registry import SOURCES
from corpus.types import Block, NormalizedDocument
from flux_site.kernel.errors import FluxError
from tests.factories import CorpusFactory
from tests.support.papers import links, papers, put, standing

pytestmark = [pytest.mark.django_db, pytest.mark.shared_data]

# Of the 22 pairs: with a DOI in the PDF, without one, and without one whose author is set apart.
PAIRS = ("bmc-wjes", "mdpi-nutrients", "tums-ijph", "springer-bes")


def read(source: str, *files: Path) -> Iterator[NormalizedDocument]:
    """Documents of files, as ingestion makes them; what is not of the source is passed over."""
    for file in files:
        try:
            payload, name = open_payload(file.read_bytes(), file.name)
            records = [
                record
                for record in SOURCES[source].parse(payload, name)
                if not isinstance(record, Broken)
            ]
        except FluxError:
            continue
        yield from (SOURCES[source].normalize(record) for record in records)


def of_openalex(document: NormalizedDocument, number: int) -> NormalizedDocument:
    """The same paper as OpenAlex gives it: its DOI and title, names in another form."""
    ids = document.identifiers
    return NormalizedDocument(
        type="article",
        source="openalex",
        external_id=f"W{number}",
        title=document.title.rstrip("."),
        identifiers=identifiers(doi_=ids.doi, pmid_=ids.pmid, openalex_=f"W{number}"),
        authors=document.authors[:1],
        published=document.published[:4],
        blocks=(Block(document.title),),
    )


@pytest.mark.slow
def test_a_pdf_its_full_text_and_its_openalex_record_are_one_work(shared_data: Path):
    folder = shared_data / "pdf" / "pairs"
    corpus = CorpusFactory(visibility="site")
    pdfs = list(read("pdf", *(folder / f"{name}.pdf" for name in PAIRS)))
    texts = list(read("jats", *(folder / f"{name}.xml" for name in PAIRS)))
    listed = [of_openalex(text, n) for n, text in enumerate(texts, 1) if text.identifiers.doi]

    put(corpus, *pdfs, *listed, *texts)

    found = papers()
    assert len(pdfs) == len(texts) == len(PAIRS)
    assert len(found) == Work.objects.count() == len(PAIRS)
    for pdf, text in zip(pdfs, texts, strict=True):
        assert any({pdf.external_id, text.external_id} <= names for names in found)
    assert Document.objects.filter(work=None).count() == 0
    assert not WorkConflict.objects.exists()


@pytest.mark.slow
def test_saved_pubmed_and_jats_records_are_different_papers_and_stand_as_they_say(
    shared_data: Path,
):
    corpus = CorpusFactory(visibility="site")
    records = {
        (d.source, d.external_id): d
        for d in (
            *read("pubmed", *sorted((shared_data / "pubmed").glob("*/*.xml"))),
            *read("jats", *sorted((shared_data / "jats").glob("*/*.*xml*"))),
        )
    }

    put(corpus, *records.values())

    assert len(records) > 50
    assert {name for name, mark in standing().items() if "r" in mark} == {"11543891", "993"}
    assert standing()["35649368"] == "e"
    assert ("11600210", "retracts", "11543891") in links()
    doubles = [names for names in papers() if len(names) > 1]
    assert doubles == []
    assert not WorkConflict.objects.exists()


@pytest.mark.slow
def test_the_list_of_retracted_papers_is_read_whole(shared_data: Path):
    corpus = CorpusFactory(visibility="site")
    path = shared_data / "pubmed" / "pubmed_retracted_ids.tsv.gz"
    payload, _ = open_payload(path.read_bytes(), path.name)
    pmids = list(pmids_of(payload.decode()))
    sample = [
        NormalizedDocument("article", "pubmed", p, "A paper", identifiers=identifiers(pmid_=p))
        for p in (pmids[0], pmids[-1], "26190023")
    ]
    put(corpus, *sample[:1])

    noted = works.note_retracted_pmids(pmids)
    put(corpus, *sample[1:])

    assert (noted.listed, noted.new, noted.documents) == (19_163, 19_163, 1)
    assert standing() == {pmids[0]: "r", pmids[-1]: "r", "26190023": ""}
    assert works.note_retracted_pmids(pmids).new == 0
