"""Reading a table's file to documents, for the tests of the sources of tables."""

from __future__ import annotations

import random
from pathlib import Path

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument

_NASTY = (
    b'"',
    b"\r",
    b"\0",
    b"\n",
    b"\t",
    b",",
    b";",
    b"[",
    b"{",
    b"<a>",
    b"\xff",
    b"1e999",
    b"\\ud800",
)


def read(source: str, data: bytes, name: str) -> tuple[list[NormalizedDocument], list[Broken]]:
    """The documents and the bad records of a file."""
    found = list(SOURCES[source].parse(data, name))
    broken = [record for record in found if isinstance(record, Broken)]
    good = [record for record in found if not isinstance(record, Broken)]
    return [SOURCES[source].normalize(record) for record in good], broken


def read_file(source: str, path: Path) -> tuple[NormalizedDocument, list[Broken]]:
    """The one document of a saved file, gzip unpacked, and its bad records."""
    data, name = open_payload(path.read_bytes(), path.name)
    documents, broken = read(source, data, name)
    assert len(documents) == 1
    return documents[0], broken


def damaged(data: bytes, seed: str) -> bytes:
    """The bytes with a few random changes: flips, cuts, repeats, nasty insertions."""
    dice = random.Random(seed)
    out = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(out) + 1)
        match dice.randrange(5):
            case 0 if place < len(out):
                out[place] = dice.randrange(256)
            case 1:
                del out[place : place + dice.randint(1, 120)]
            case 2:
                out[place:place] = dice.choice(_NASTY) * dice.choice((1, 3, 500))
            case 3:
                out[place:place] = out[max(0, place - 200) : place]
            case _:
                out = out[:place] or out
    return bytes(out)


def ends_well(source: str, data: bytes, name: str) -> None:
    """Assert that a file ends as documents or as a reason, with nothing that cannot be stored."""
    try:
        documents, broken = read(source, data, name)
    except (ParseError, NotThisSource):
        return
    assert all(record.reason for record in broken)
    for document in documents:
        assert document.external_id
        assert document.title
        texts = [block.text for block in document.blocks]
        texts += [text for term in document.terms for text in (term.curie, *term.names)]
        texts += [text for r in document.relations for text in (r.subject, r.object, r.record)]
        assert all(text and "\0" not in text for text in texts)
        "".join(texts).encode()  # a lone surrogate would raise
