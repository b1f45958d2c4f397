"""Terms of vocabularies, read from files without a database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from corpus.services.uploads import walk
from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.registry import SOURCES
from corpus.types import Term

SOURCE = SOURCES["vocabularies"]


def read_vocabularies(paths: Iterable[str]) -> Iterator[Term]:
    """Terms of files and folders in turn; broken entries are passed over, and in a folder whatever
    is no vocabulary: licences and notes lie among them.

    Raises ParseError for a file named that cannot be read, and for a path without any term.
    """
    for path in paths:
        found = False
        for filename, data in walk([path]):
            try:
                for term in _terms(filename, data):
                    found = True
                    yield term
            except (NotThisSource, ParseError):
                if Path(path).is_file():
                    raise
        if not found:
            raise ParseError(f"{path} holds no vocabulary that can be read: name a file or folder.")


def _terms(filename: str, data: bytes) -> Iterator[Term]:
    payload, name = open_payload(data, filename)
    if SOURCE.reads(name):
        for record in SOURCE.parse(payload, name):
            if not isinstance(record, Broken):
                yield from SOURCE.normalize(record).terms
