"""What a corpus's index holds of a passage."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import tantivy

from retrieval.lexical import analyser
from retrieval.lexical.analyser import index_terms

SCHEMA_VERSION = 1
FORMAT = f"{SCHEMA_VERSION}.{analyser.VERSION}"  # another format: the index is built anew

# `words` has everything, so that one set of statistics decides; the others add a little where the
# word stands in a title, a heading or a caption. Weights tuned as fusion.ALPHA was.
WEIGHTS = {"words": 1.0, "title": 0.1, "heading": 0.05, "caption": 0.1}
CAPTIONED = frozenset({"image", "table"})
NO_YEAR = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with what it is found and filtered by."""

    chunk: int
    public_id: uuid.UUID
    document: int
    title: str
    section_path: Sequence[str]
    text: str
    content_type: str
    source: str
    type: str
    year: int | None
    retracted: bool
    tags: Sequence[str]
    entities: Sequence[str] = ()
    inside: str | None = None  # words read in a figure's picture: found, never shown as text


@cache
def schema() -> tantivy.Schema:
    """Terms come ready from our analyser, so the text fields only split at spaces."""
    builder = tantivy.SchemaBuilder()
    for name in WEIGHTS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("chunk", indexed=True, fast=True)
    builder.add_unsigned_field("tie", fast=True)  # of the public id: orders equal scores
    builder.add_unsigned_field("document", indexed=True)
    builder.add_unsigned_field("year", indexed=True, fast=True)
    builder.add_unsigned_field("retracted", indexed=True)
    for name in ("source", "type", "content_type", "section", "tag", "entity"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    return builder.build()


def document_of(passage: Passage, title_terms: Sequence[str]) -> tantivy.Document:
    """The index's form of a passage. `title_terms` are analysed once for all of a document."""
    document = tantivy.Document()
    heading = index_terms(" ".join(passage.section_path))
    body = index_terms(f"{passage.text} {passage.inside or ''}")
    document.add_text("words", " ".join((*title_terms, *heading, *body)))
    document.add_text("title", " ".join(title_terms))
    document.add_text("heading", " ".join(heading))
    if passage.content_type in CAPTIONED:
        document.add_text("caption", " ".join(body))
    # tantivy.Document(chunk=1) would make a signed value, on which the writer's thread dies.
    document.add_unsigned("chunk", passage.chunk)
    document.add_unsigned("tie", tie_of(passage.public_id))
    document.add_unsigned("document", passage.document)
    document.add_unsigned("year", passage.year or NO_YEAR)
    document.add_unsigned("retracted", int(passage.retracted))
    document.add_text("source", passage.source)
    document.add_text("type", passage.type)
    document.add_text("content_type", passage.content_type)
    for name, values in (
        ("section", [section_key(heading) for heading in passage.section_path]),
        ("tag", passage.tags),
        ("entity", [entity_key(name) for name in passage.entities]),
    ):
        for value in dict.fromkeys(values):
            document.add_text(name, value)
    return document


def tie_of(public_id: uuid.UUID) -> int:
    """The first 63 bits of a public id, as a number."""
    return public_id.int >> 65


def section_key(heading: str) -> str:
    """A heading as the section filter compares it; PostgreSQL's lower(trim(…)) gives the same."""
    return heading.strip().lower()


def entity_key(name: str) -> str:
    """A CURIE or label as the entity filter compares it."""
    return name.lower()
