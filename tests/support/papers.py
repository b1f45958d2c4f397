"""Records of papers, put into a corpus the way ingestion does, and what came of them."""

from __future__ import annotations

from typing import Any

from corpus.models import Corpus, Document, WorkLink
from corpus.services import fingerprint, store, works
from corpus.sources.ids import identifiers
from corpus.types import Block, NormalizedDocument, Relation

TITLE = "Feedback of SOCS3 on STAT3 signalling in hepatocytes of mice"


def paper(
    name: str,
    *,
    doi: str = "",
    pmid: str = "",
    pmcid: str = "",
    openalex: str = "",
    said: tuple[tuple[str, str], ...] = (),
    **more: Any,
) -> NormalizedDocument:
    """A record of a paper; `said` are (predicate, key of the other paper)."""
    values: dict[str, Any] = {
        "type": "article",
        "source": "pubmed" if pmid else "jsonl",
        "title": f"Record {name}",
        "authors": ("Ada Lindqvist",),
        "published": "2019",
        "blocks": (Block(f"SOCS3 inhibits JAK2, says {name}."),),
    }
    values |= more
    return NormalizedDocument(
        external_id=name,
        identifiers=identifiers(doi_=doi, pmid_=pmid, pmcid_=pmcid, openalex_=openalex),
        relations=tuple(Relation(f"record:{name}", verb, other) for verb, other in said),
        **values,
    )


def put(corpus: Corpus, *records: NormalizedDocument) -> list[Document]:
    """Store records, one transaction each, and do what is left to do later."""
    documents = []
    for number, record in enumerate(records):
        content = fingerprint.of_document(record)
        prepared = store.prepare(record, store.Origin("0" * 64, number), content)
        documents += store.swap_in_all(corpus, [prepared])
    works.drain_all()
    for document in documents:
        document.refresh_from_db()
    return documents


def remove(document: Document) -> None:
    """Delete a document as deletion does."""
    scope = works.scope_of(document.corpus)
    works.lock(scope)
    touched = works.leaving([document.pk])
    document.delete()
    works.settle(scope, touched)
    works.drain_all()


def papers(**of: Any) -> set[frozenset[str]]:
    """Names of documents by the work that they share; one without a work stands alone."""
    found: dict[Any, set[str]] = {}
    for document in Document.objects.filter(**of):
        found.setdefault(document.work_id or f"none {document.pk}", set()).add(document.external_id)
    return {frozenset(names) for names in found.values()}


def standing(**of: Any) -> dict[str, str]:
    """How each document stands: some of r, c, e (retracted, concern, corrected)."""
    return {
        d.external_id: "r" * d.retracted + "c" * d.concern + "e" * d.corrected
        for d in Document.objects.filter(**of)
    }


def links() -> set[tuple[str, str, str]]:
    """(a name of the source's documents, kind, a name of the target's), the first of each."""
    return {(_name(link.source), link.kind, _name(link.target)) for link in WorkLink.objects.all()}


def _name(work: Any) -> str:
    return str(min(document.external_id for document in work.documents.all()))
