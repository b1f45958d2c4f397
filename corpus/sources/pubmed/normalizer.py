"""A PubMed record as a document: its abstract, labels as sections, its links to other records."""

from __future__ import annotations

import re
from typing import Final

from corpus.sources.ids import identifiers, pmid
from corpus.sources.languages import two_letters
from corpus.sources.pubmed.parser import AbstractPart, PubmedRecord
from corpus.types import Block, NormalizedDocument, Relation

# RefType of CommentsCorrections -> how this record stands to the other.
_LINKS: Final = {
    "RetractionIn": "retracted_by",
    "RetractionOf": "retracts",
    "PartialRetractionIn": "partly_retracted_by",
    "PartialRetractionOf": "partly_retracts",
    "RetractedandRepublishedIn": "retracted_by",
    "RetractedandRepublishedFrom": "republishes",
    "ErratumIn": "corrected_by",
    "ErratumFor": "corrects",
    "CorrectedandRepublishedIn": "corrected_by",
    "CorrectedandRepublishedFrom": "corrects",
    "ExpressionOfConcernIn": "concern_by",
    "ExpressionOfConcernFor": "concern_about",
    "CommentIn": "commented_by",
    "CommentOn": "comments_on",
    "UpdateIn": "updated_by",
    "UpdateOf": "updates",
    "RepublishedIn": "republished_by",
    "RepublishedFrom": "republishes",
}
_RETRACTED_TYPE = "retracted publication"
_NOTICE_TYPES = ("retraction of publication", "retraction notice")
_BRACKETED = re.compile(r"\[(?P<title>.+)\]\.?")
_NO_TITLE = ("not available", "in process citation")


def normalize(record: PubmedRecord) -> NormalizedDocument:
    """JobTurn a record into a document. Without an abstract its title and index terms become one
    record block.
    """
    title, translated = _title(record)
    blocks = _abstract(record.abstract) + _other_abstracts(record.other_abstracts)
    links = _links(record)
    retracted = _is_retracted(record)
    return NormalizedDocument(
        type="book" if record.kind == "book" else "article",
        source="pubmed",
        external_id=record.pmid,
        title=title,
        blocks=blocks or (_without_abstract(record, title),),
        identifiers=identifiers(doi_=record.doi, pmid_=record.pmid, pmcid_=record.pmcid),
        authors=record.authors,
        journal=record.journal,
        published=record.published,
        licence=record.copyright,
        language=_language(record, translated=translated),
        retracted=retracted,
        tags=tuple(dict.fromkeys((*record.headings, *record.keywords))),
        relations=tuple(
            Relation(f"pmid:{record.pmid}", predicate, f"pmid:{other}", record=record.pmid)
            for predicate, other, _ in links
            if other
        ),
        metadata=_metadata(record, links),
        note=""
        if blocks
        else "PubMed has no abstract of this record: only its title and index terms are found.",
    )


def _title(record: PubmedRecord) -> tuple[str, bool]:
    """The title to show, and whether it is PubMed's translation (which it prints in brackets)."""
    bracketed = _BRACKETED.fullmatch(record.title)
    title = bracketed["title"].strip() if bracketed else record.title
    if not title or title.rstrip(".").lower() in _NO_TITLE:
        return record.vernacular_title or f"PMID {record.pmid}", False
    return title, bracketed is not None


def _abstract(parts: tuple[AbstractPart, ...]) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for part in parts:
        path = ("Abstract", part.label) if part.label else ("Abstract",)
        if part.label:
            blocks.append(Block(part.label, path, "heading"))
        blocks.append(Block(part.text, path))
    return tuple(blocks)


def _other_abstracts(parts: tuple[AbstractPart, ...]) -> tuple[Block, ...]:
    """Plain-language summaries and translations: kept, under a heading that says what they are."""
    blocks: list[Block] = []
    for part in parts:
        kind = part.kind.replace("-", " ").strip().capitalize() or "Other"
        heading = f"{kind} abstract" if "summary" not in kind.lower() else kind
        if part.language and part.language != "eng":
            heading += f" ({part.language})"
        path = (heading, part.label) if part.label else (heading,)
        blocks.append(Block(part.text, path))
    return tuple(blocks)


def _without_abstract(record: PubmedRecord, title: str) -> Block:
    sentences = [title if title.endswith((".", "?", "!")) else f"{title}."]
    if record.vernacular_title and record.vernacular_title != title:
        sentences.append(f"Original title: {record.vernacular_title.rstrip('.')}.")
    where = ", ".join(filter(None, (record.journal, record.published[:4])))
    if where:
        sentences.append(f"Published in {where}.")
    terms = (*record.headings, *record.keywords)
    if terms:
        sentences.append(f"Index terms: {'; '.join(terms)}.")
    fields = {"title": title, "journal": record.journal, "terms": list(terms)}
    return Block(" ".join(sentences), (), "record", fields=fields)


def _links(record: PubmedRecord) -> list[tuple[str, str, str]]:
    """(predicate, PMID or '', citation) of every link whose kind is known."""
    return [
        (_LINKS[item.kind], pmid(item.pmid), item.source or item.note)
        for item in record.corrections
        if item.kind in _LINKS
    ]


def _is_retracted(record: PubmedRecord) -> bool:
    by_type = any(kind.lower() == _RETRACTED_TYPE for kind in record.types)
    by_link = any(_LINKS.get(item.kind) == "retracted_by" for item in record.corrections)
    return by_type or by_link


def _language(record: PubmedRecord, *, translated: bool) -> str:
    """The language of the text held here: PubMed's abstracts and bracketed titles are English."""
    if translated or record.abstract or not record.languages:
        return "en"
    return two_letters(record.languages[0])


def _metadata(record: PubmedRecord, links: list[tuple[str, str, str]]) -> dict[str, object]:
    found: dict[str, object] = {
        "publication_types": list(record.types),
        "links": [{"kind": kind, "pmid": other, "citation": text} for kind, other, text in links],
        "article_languages": [two_letters(code) or code for code in record.languages],
        "vernacular_title": record.vernacular_title,
        "references": record.references,
        "is_notice": any(kind.lower() in _NOTICE_TYPES for kind in record.types)
        or any(link[0] == "retracts" for link in links),
        **record.extra,
    }
    return {key: value for key, value in found.items() if value not in ("", [], 0, False)}
