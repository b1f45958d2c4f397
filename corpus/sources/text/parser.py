"""A text file to its sections and paragraphs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from corpus.sources.base import ParseError
from corpus.sources.decoding import decode, encoding_note, is_binary
from corpus.sources.prose import Prose, stem
from corpus.sources.text.markdown import read_markdown
from corpus.sources.text.plain import read_plain

MAX_BYTES: Final = 16 * 1024 * 1024
_MARKDOWN: Final = (".md", ".markdown")


def parse(data: bytes, filename: str) -> Iterator[Prose]:
    """Yield the one text of a file: Markdown by its name, anything else as plain text.

    Raises ParseError for what is no text, empty or larger than MAX_BYTES.
    """
    if len(data) > MAX_BYTES:
        raise ParseError(
            f"{filename} is longer than {MAX_BYTES >> 20} MB of text: split it into chapters."
        )
    if is_binary(data):
        raise ParseError(
            f"{filename} holds no text but binary data: open it in the program that made it and "
            "save it as text, PDF or .docx."
        )
    text, encoding = decode(data)
    read = read_markdown if filename.lower().endswith(_MARKDOWN) else read_plain
    prose = read(text)
    if not prose.parts and not prose.title:
        raise ParseError(f"{filename} is empty: there is no text to read.")
    yield replace(
        prose,
        sha256=hashlib.sha256(data).hexdigest(),
        fallback=stem(filename),
        metadata={**prose.metadata, "encoding": encoding},
        notes=tuple(filter(None, (*prose.notes, encoding_note(encoding, text), _only(prose)))),
    )


def _only(prose: Prose) -> str:
    return "" if prose.parts else "The file holds a title and no text."
