"""A reference as a document: what the list tells, until the paper itself is read."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from corpus.sources.cleaning import fold, one_line, paragraphs
from corpus.sources.languages import two_letters
from corpus.sources.references.shape import Reference
from corpus.sources.webtext import html_paragraphs
from corpus.types import Block, DocumentType, Identifiers, NormalizedDocument

_BOOK_NAMES = """
    book inbook incollection mvbook bookinbook suppbook booklet collection mvcollection proceedings
    mvproceedings reference inreference manual chap echap edbook ebook ser chapter encyc dict
    entry-encyclopedia entry-dictionary book_section edited_book electronic_book book_chapter
    conference_proceedings
"""
_RECORD_NAMES = """
    misc online electronic www software dataset data dbase comp elec icomm gen generic webpage post
    post-weblog legal_case legislation bill patent pat map song video speech interview slide sound
    personal_communication pcomm advs art entry graphic figure hear case stat unbill web_page
    computer_program online_database
"""
_BOOKS: Final = frozenset(_BOOK_NAMES.split())
_RECORDS: Final = frozenset(_RECORD_NAMES.split())
_LANGUAGES: Final = {
    "english": "en", "american": "en", "british": "en", "german": "de", "ngerman": "de",
    "deutsch": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt",
    "chinese": "zh", "japanese": "ja", "russian": "ru", "dutch": "nl", "polish": "pl",
}  # fmt: skip
_MARKUP = re.compile(
    r"</?(?:p|div|i|b|em|strong|span|sub|sup|br|sec|title|scp|ul|ol|li|h[1-6])\b", re.IGNORECASE
)
_FOREIGN_TAGS = re.compile(r"<(/?)(?:jats:)?(?:sec|title|scp|italic|bold)\b[^<>]*>", re.IGNORECASE)
_JATS = re.compile(r"<(/?)jats:", re.IGNORECASE)
_ONLY_ID: Final = "Only its id is known yet: its title and text come when the paper is fetched."


def normalize(record: Reference) -> NormalizedDocument:
    """Turn an entry into a document: abstract and the reader's own notes as blocks.

    Its id is the DOI, else the PMID, else the PMCID, else a hash of title, year and first author.
    """
    title = " ".join(_paragraphs(record.title))
    blocks = _blocks(record)
    authors = tuple(filter(None, map(one_line, record.authors)))
    shown = title or _named(record)
    return NormalizedDocument(
        type=_type(record.entry_type),
        source="references",
        external_id=_external_id(record, title, authors),
        title=shown,
        blocks=blocks
        if any(block.section == ("Abstract",) for block in blocks)
        else (_without_abstract(record, shown, authors), *blocks),
        identifiers=Identifiers(record.doi, record.pmid, record.pmcid),
        authors=authors,
        journal=" ".join(_paragraphs(record.journal)),
        published=record.published,
        language=_language(record.language),
        tags=tuple(dict.fromkeys(filter(None, map(one_line, record.keywords)))),
        metadata=_metadata(record),
        note=_note(title, blocks),
    )


def _paragraphs(text: str) -> list[str]:
    """Paragraphs of a text that may hold tags of HTML or JATS, as catalogues keep them."""
    plain = _FOREIGN_TAGS.sub(r"<\1p>", _JATS.sub(r"<\1", text)) if "<" in text else text
    return html_paragraphs(plain) if _MARKUP.search(plain) else paragraphs(plain)


def _blocks(record: Reference) -> tuple[Block, ...]:
    abstract = [Block(part, ("Abstract",)) for part in _paragraphs(record.abstract)]
    notes = [Block(part, ("Notes",)) for note in record.notes for part in _paragraphs(note)]
    return (*abstract, *notes)


def _type(entry_type: str) -> DocumentType:
    kind = one_line(entry_type).lower().replace(" ", "_")
    if kind in _BOOKS:
        return "book"
    return "record" if kind in _RECORDS else "article"


def _named(record: Reference) -> str:
    if record.doi:
        return f"DOI {record.doi}"
    return f"PMID {record.pmid}" if record.pmid else record.pmcid


def _external_id(record: Reference, title: str, authors: tuple[str, ...]) -> str:
    for scheme, name in (("doi", record.doi), ("pmid", record.pmid), ("pmcid", record.pmcid)):
        if name:
            return f"{scheme}:{name}" if len(name) < 240 else f"{scheme}:{_hash(name)}"
    first = fold(authors[0]) if authors else ""
    return f"reference:{_hash('|'.join((fold(title) or title, record.published[:4], first)))}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _without_abstract(record: Reference, title: str, authors: tuple[str, ...]) -> Block:
    sentences = [title if title.endswith((".", "?", "!")) else f"{title}."]
    if authors:
        sentences.append(f"By {', '.join(authors[:3])}{' and others' if len(authors) > 3 else ''}.")
    journal = " ".join(_paragraphs(record.journal))
    where = ", ".join(filter(None, (journal, record.published[:4])))
    if where:
        sentences.append(f"Published in {where}.")
    fields = {"title": title, "journal": journal, "year": record.published[:4]}
    return Block(" ".join(sentences), (), "record", fields=fields)


def _language(language: str) -> str:
    plain = one_line(language).lower()
    return _LANGUAGES.get(plain, "") or two_letters(plain)


def _metadata(record: Reference) -> dict[str, object]:
    fetch = {"doi": record.doi, "pmid": record.pmid, "pmcid": record.pmcid}
    found: dict[str, object] = {
        "entry_type": one_line(record.entry_type),
        "key": one_line(record.key),
        "attachments": list(record.files),
        "fetch": {name: value for name, value in fetch.items() if value},
        **{name: text for name, value in record.details.items() if (text := one_line(value))},
    }
    return {key: value for key, value in found.items() if value not in ("", [], {})}


def _note(title: str, blocks: tuple[Block, ...]) -> str:
    if not title:
        return _ONLY_ID
    if any(block.section == ("Abstract",) for block in blocks):
        return ""
    if blocks:
        return "The list gives no abstract: only its title and the notes on it are found."
    return "The list gives no abstract: only its title is found."
