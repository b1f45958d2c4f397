"""A JSONL record as a document."""

from __future__ import annotations

import math
import re
from typing import cast, get_args

from corpus.sources.base import ParseError
from corpus.sources.cleaning import clean_text, one_line, paragraphs
from corpus.sources.ids import identifiers
from corpus.sources.jsonl.parser import JsonlRecord
from corpus.types import Block, DocumentType, NormalizedDocument

LONGEST_ID = 255
_TITLE_LENGTH = 120
_YEAR = re.compile(r"\d{4}(?:-\d{2}){0,2}")


def normalize(record: JsonlRecord) -> NormalizedDocument:
    """Turn a line into a document: paragraphs at blank lines, `section` or `sections` as paths.

    A type outside the known ones is kept in the metadata and stored as a record. Raises ParseError
    when the id holds nothing but control characters.
    """
    external_id = one_line(record.id)
    if not external_id:
        raise ParseError(f"Line {record.line}: the id holds no printable character.")
    blocks = _blocks(record)
    if len(external_id) > LONGEST_ID:
        raise ParseError(
            f"Line {record.line}: the id has {len(external_id):,} characters; at most {LONGEST_ID} "
            "are stored. Shorten it."
        )
    title = one_line(record.title) or _short(blocks, external_id)
    year = _YEAR.match(record.year.strip())
    given = record.identifiers
    return NormalizedDocument(
        type=_type(record.type),
        source="jsonl",
        external_id=external_id,
        title=title,
        blocks=blocks or (Block(title),),
        identifiers=identifiers(
            doi_=given.get("doi"),
            pmid_=given.get("pmid"),
            pmcid_=given.get("pmcid"),
            openalex_=given.get("openalex"),
        ),
        published=year.group() if year else "",
        tags=tuple(dict.fromkeys(filter(None, map(one_line, record.tags)))),
        metadata=_metadata(record),
        note="" if blocks else "The line has no text: only its title can be found.",
    )


def _blocks(record: JsonlRecord) -> tuple[Block, ...]:
    path = tuple(filter(None, map(one_line, record.section)))
    blocks = [Block(part, path) for part in paragraphs(record.text)]
    for heading, text in record.sections:
        title = one_line(heading)
        inner = (*path, title) if title else path
        if title:
            blocks.append(Block(title, inner, "heading"))
        blocks += [Block(part, inner) for part in paragraphs(text)]
    return tuple(blocks) if any(block.kind != "heading" for block in blocks) else ()


def _short(blocks: tuple[Block, ...], external_id: str) -> str:
    text = next((block.text for block in blocks if block.kind != "heading"), external_id)
    return text if len(text) <= _TITLE_LENGTH else text[:_TITLE_LENGTH].rsplit(" ", 1)[0] + " …"


def _type(name: str) -> DocumentType:
    known = name.strip().lower()
    if not known:
        return "article"
    return cast(DocumentType, known) if known in get_args(DocumentType) else "record"


def _metadata(record: JsonlRecord) -> dict[str, object]:
    metadata: dict[str, object] = {"line": record.line}
    if record.type.strip():
        metadata["type"] = one_line(record.type)
    if record.extra:
        metadata["extra"] = {one_line(key): _plain(value) for key, value in record.extra.items()}
    return metadata


def _plain(value: object) -> object:
    """Keep JSON as it is, its strings cleaned: what cannot be stored (NUL) must not come in by a
    side door.
    """
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None  # PostgreSQL's jsonb has no NaN
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {one_line(str(key)): _plain(item) for key, item in value.items()}
    return value
