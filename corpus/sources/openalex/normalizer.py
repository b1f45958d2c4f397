"""A work of OpenAlex as a document: its abstract, or what else is known of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from corpus.sources.ids import identifiers
from corpus.sources.languages import two_letters
from corpus.sources.openalex.abstracts import GAP
from corpus.sources.openalex.versions import versions_of
from corpus.sources.openalex.works import Work
from corpus.types import Block, DocumentType, NormalizedDocument, Relation

_BOOKS: Final = frozenset({"book", "book-chapter", "monograph", "reference-entry"})
_RECORDS: Final = frozenset(
    {"dataset", "paratext", "other", "grant", "standard", "libguides", "supplementary-materials"}
)


def normalize(work: Work) -> NormalizedDocument:
    """Turn a work into a document. Without an abstract its title and facts are one record block."""
    abstract = tuple(Block(text, ("Abstract",)) for text in work.abstract.paragraphs)
    return NormalizedDocument(
        type=_type(work),
        source="openalex",
        external_id=work.id,
        title=work.title or work.id,
        blocks=abstract or (_without_abstract(work),),
        identifiers=identifiers(
            doi_=work.doi, pmid_=work.pmid, pmcid_=work.pmcid, openalex_=work.id
        ),
        authors=work.authors,
        journal=work.venue,
        published=work.published,
        licence=work.licence,
        language=two_letters(work.language),
        retracted=work.retracted,
        tags=work.tags,
        relations=tuple(_relations(work)),
        metadata=_metadata(work),
        note=_note(work),
    )


def _type(work: Work) -> DocumentType:
    kind = work.type.lower()
    if kind in _BOOKS:
        return "book"
    return "record" if kind in _RECORDS else "article"


def _without_abstract(work: Work) -> Block:
    title = work.title or work.id
    sentences = [title if title.endswith((".", "?", "!")) else f"{title}."]
    if work.authors:
        more = " and others" if len(work.authors) > 3 else ""
        sentences.append(f"By {', '.join(work.authors[:3])}{more}.")
    if where := ", ".join(filter(None, (work.venue, work.published[:4]))):
        sentences.append(f"Published in {where}.")
    if work.tags:
        sentences.append(f"Topics: {'; '.join(work.tags)}.")
    fields = {
        "title": work.title,
        "authors": list(work.authors),
        "journal": work.venue,
        "year": work.published[:4],
        "topics": list(work.tags),
    }
    return Block(" ".join(sentences), (), "record", fields={k: v for k, v in fields.items() if v})


def _relations(work: Work) -> list[Relation]:
    subject = f"openalex:{work.id}"
    versions = [
        Relation(subject, verb, f"doi:{doi}", 0, work.title, "", "work", "work", work.id)
        for verb, doi in versions_of(work)
    ]
    return versions + [
        Relation(subject, "cites", f"openalex:{other}", 0, work.title, "", "work", "work", work.id)
        for other in work.references
        if other != work.id
    ]


def _metadata(work: Work) -> dict[str, object]:
    url = next((place.url for place in work.locations if place.url), "") or work.oa_url
    found: dict[str, object] = {
        "url": url,
        "work_type": work.type,
        "is_paratext": work.paratext,
        "open_access": {"status": work.oa_status, "url": work.oa_url} if work.oa_status else {},
        "locations": [
            {key: value for key, value in asdict(place).items() if value}
            for place in work.locations
        ],
        "funders": list(work.funders),
        "related_works": list(work.related),
        "references": work.reference_count or len(work.references),
        "cited_by": work.cited_by,
        "revised": work.revised,
        "missing_words": work.abstract.missing,
        **work.biblio,
    }
    return {key: value for key, value in found.items() if value not in ("", [], {}, 0, False)}


def _note(work: Work) -> str:
    if not work.abstract.paragraphs:
        return "OpenAlex has no abstract of this work: only its title and topics are found."
    if work.abstract.missing:
        return (
            f"Words of the abstract that OpenAlex lacks: {work.abstract.missing}; "
            f"each gap is marked {GAP}."
        )
    return ""
