"""A reference list, told by its name or its first lines, to its entries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from corpus.sources.base import Broken, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.decoding import decode, is_binary
from corpus.sources.references.bibtex import read_bibtex
from corpus.sources.references.csl import read_csl
from corpus.sources.references.lists import read_list
from corpus.sources.references.shape import Reference
from corpus.sources.references.tagged import read_medline, read_refer, read_ris

MAX_BYTES: Final = 32 * 1024 * 1024
Reader = Callable[[str, str], Iterator[Reference | Broken]]
_BY_NAME: Final[dict[str, Reader]] = {
    ".bib": read_bibtex,
    ".ris": read_ris,
    ".json": read_csl,
    ".nbib": read_medline,
    ".enw": read_refer,
}
_BY_START: Final[tuple[tuple[re.Pattern[str], Reader], ...]] = (
    (re.compile(r"^TY {1,2}- ", re.MULTILINE), read_ris),
    (re.compile(r"^PMID- ?\d", re.MULTILINE), read_medline),
    (re.compile(r"^@[A-Za-z]+\s*[{(]", re.MULTILINE), read_bibtex),
    (re.compile(r"^%0 ", re.MULTILINE), read_refer),
    (re.compile(r"\A\s*[\[{]\s*[{\"]"), read_csl),
)
_NUL_AND_ENDS = re.compile("\r\n?|\x00")


def parse(data: bytes, filename: str) -> Iterator[Reference | Broken]:
    """Yield the entries of a list in order; one without title and id is broken, the others stand.

    Raises ParseError for what is no text or too large, NotThisSource when no reference is inside.
    """
    if len(data) > MAX_BYTES:
        raise ParseError(f"{filename} is larger than {MAX_BYTES >> 20} MB: export it in parts.")
    if is_binary(data):
        raise ParseError(f"{filename} is no text file: export the list as BibTeX, RIS or CSL-JSON.")
    text = _NUL_AND_ENDS.sub(lambda found: "\n" if "\r" in found.group() else "", decode(data)[0])
    reader = _reader(text, filename)
    for record in reader(text, filename):
        if isinstance(record, Broken) or _is_known(record):
            yield record
        else:
            yield _nameless(record, "item" if reader is read_csl else "line")


def _reader(text: str, filename: str) -> Reader:
    lowered = filename.lower()
    for suffix, reader in _BY_NAME.items():
        if lowered.endswith(suffix):
            return reader
    head = text[:20_000]
    return next((reader for start, reader in _BY_START if start.search(head)), read_list)


def _is_known(record: Reference) -> bool:
    return bool(one_line(record.title) or record.doi or record.pmid or record.pmcid)


def _nameless(record: Reference, unit: str) -> Broken:
    key = one_line(record.key)[:80]
    where = f"{unit} {record.line}"
    return Broken(
        f"{where} ({key})" if key else where,
        f"The entry {key + ' ' if key else ''}in {where} has neither a title nor a DOI, PMID or "
        "PMCID: add one of them.",
    )
