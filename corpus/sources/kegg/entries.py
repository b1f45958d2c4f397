"""KEGG's flat form: a field's name in columns 1-12, its value from column 13 on.

A key indented by two belongs to the field above it; a line without a key continues the one before.
Nothing is interpreted here, so that an entry written out and read again is the same entry.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from corpus.sources.base import Broken
from corpus.sources.cleaning import clean_text

KEY_WIDTH: Final = 12
END: Final = "///"
MAX_ENTRY_BYTES: Final = 16 * 1024 * 1024

_FIELD = re.compile(r"[A-Z0-9][A-Z0-9_-]*(?= |$)")
_NESTED = re.compile(r" {1,3}(?P<key>[A-Z][A-Z0-9_-]*)(?= |$)")
_COLUMNS = re.compile(r"\s{2,}")
_GENOME = re.compile(r"T\d{5}")


@dataclass(frozen=True, slots=True)
class Field:
    """One field as printed. `lines` lose what is blank at their end, not their indentation."""

    name: str
    lines: tuple[str, ...]
    nested: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class FlatEntry:
    """One entry, its fields in the order of the file; a name may come back (REFERENCE, COMMENT).

    `odd_lines` counts lines that fit neither form: they were taken as continuations. `closed` says
    whether the entry ended with ///.
    """

    fields: tuple[Field, ...]
    odd_lines: int = 0
    closed: bool = True

    def all(self, name: str) -> tuple[Field, ...]:
        """Every field of that name."""
        return tuple(field for field in self.fields if field.name == name)

    def lines(self, name: str) -> tuple[str, ...]:
        """The stripped, filled lines of every field of that name."""
        return tuple(
            text for field in self.all(name) for line in field.lines if (text := line.strip())
        )

    @property
    def id(self) -> str:
        """The entry's own id, 'EC 1.1.1.1' with its blank; '' without one."""
        return (*self._heading(), "")[0]

    @property
    def kind(self) -> str:
        """What the ENTRY line calls it: Pathway, Compound, CDS; '' where it does not say."""
        kinds = [part for part in self._heading()[1:] if not _GENOME.fullmatch(part)]
        return kinds[-1] if kinds else ""

    def _heading(self) -> list[str]:
        first = self.lines("ENTRY")[:1]
        return [part for part in _COLUMNS.split(first[0]) if part] if first else []


def read_entries(data: bytes) -> Iterator[FlatEntry | Broken]:
    """Yield the entries of a file one at a time; what lies between two ends without an ENTRY line
    is Broken.
    """
    number = 1
    lines: list[bytes] = []
    for line in io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")):
        if line.startswith(b"///"):
            if any(part.strip() for part in lines):
                yield _entry(lines, number, closed=True)
                number += 1
            lines = []
        else:
            lines.append(line)
    if any(part.strip() for part in lines):
        yield _entry(lines, number, closed=False)


def _entry(raw: list[bytes], number: int, *, closed: bool) -> FlatEntry | Broken:
    name = f"entry {number}"
    if sum(map(len, raw)) > MAX_ENTRY_BYTES:
        return Broken(name, f"Entry {number} is larger than {MAX_ENTRY_BYTES >> 20} MB.")
    try:
        lines = [_clean(line.decode("utf-8")) for line in raw]
    except UnicodeDecodeError:
        return Broken(name, f"Entry {number} is not UTF-8: fetch it again.")
    entry = replace(fold(lines), closed=closed)
    if not entry.id:
        return Broken(name, f"Entry {number} has no ENTRY line with an id: fetch it again.")
    return entry


def _clean(line: str) -> str:
    return clean_text(line).replace("\n", " ").expandtabs(1).rstrip()


def fold(lines: list[str]) -> FlatEntry:
    """Join the lines of one entry to fields. Blank lines carry nothing and are dropped."""
    builder = _Builder()
    for line in lines:
        if line:
            builder.add(line)
    return FlatEntry(tuple(builder.fields()), builder.odd_lines)


class _Open:
    """A field that may still grow."""

    def __init__(self, name: str, value: str) -> None:
        self.name, self.lines, self.nested = name, [value], list[_Open]()

    def close(self) -> Field:
        return Field(self.name, tuple(self.lines), tuple(inner.close() for inner in self.nested))


class _Builder:
    def __init__(self) -> None:
        self._fields: list[_Open] = []
        self.odd_lines = 0

    def add(self, line: str) -> None:
        if found := _FIELD.match(line):
            self._fields.append(_Open(found.group(), _value(line, found.end())))
        elif not self._fields:
            self.odd_lines += 1  # before the first field: nothing to continue
        elif found := _NESTED.match(line):
            key = _Open(found["key"], _value(line, found.end()))
            self._fields[-1].nested.append(key)
        else:
            self._continue(line)

    def _continue(self, line: str) -> None:
        field = self._fields[-1]
        target = field.nested[-1] if field.nested else field
        if line[:KEY_WIDTH].strip():
            self.odd_lines += 1
            target.lines.append(line.strip())
        else:
            target.lines.append(line[KEY_WIDTH:])

    def fields(self) -> Iterator[Field]:
        return (field.close() for field in self._fields)


def _value(line: str, end: int) -> str:
    """From column 13; nearer where the key or a careless hand leaves no room."""
    return line[end:].strip() if line[end:KEY_WIDTH].strip() else line[max(end, KEY_WIDTH) :]
