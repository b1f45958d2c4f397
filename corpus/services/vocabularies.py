"""Terms of vocabularies, read from files without a database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpus.services.uploads import walk
from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.registry import SOURCES
from corpus.types import Term

SOURCE = "vocabularies"


def read_vocabularies(paths: Iterable[str]) -> Iterator[Term]:
    """Terms of files and folders in turn; broken entries and files of other kinds are passed over.

    Raises ParseError for a file that cannot be read, or that holds no term among those named.
    """
    source = SOURCES.get(SOURCE)
    if source is None:
        raise ParseError("This installation has no reader of vocabularies.")
    for path in paths:
        found = False
        for filename, data in walk([path]):
            payload, name = open_payload(data, filename)
            try:
                for record in source.parse(payload, name):
                    if not isinstance(record, Broken):
                        found = True
                        yield from source.normalize(record).terms
            except NotThisSource:
                continue
        if not found:
            raise ParseError(f"{path} holds no vocabulary that can be read: name a file or folder.")
