"""What a source is: a parser and a normaliser, both pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from corpus.types import NormalizedDocument
from flux_site.kernel.errors import FluxError


class ParseError(FluxError):
    """The file or record cannot be read. The message is a sentence for a curator: what is wrong
    and what to do.
    """

    code: ClassVar[str] = "unreadable"
    status: ClassVar[int] = 422


class NotThisSource(FluxError):
    """The file is readable but holds nothing of this source (an einfo answer among efetch sets,
    say): it is skipped.
    """

    code: ClassVar[str] = "not_this_source"
    status: ClassVar[int] = 422


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that cannot be read, in the middle of a file whose other records are fine."""

    name: str
    reason: str
    code: str = "unreadable"


def _one(data: bytes) -> int:
    return 1


def count_of(*marks: bytes) -> Callable[[bytes], int]:
    """Records told by the marks that each begins or ends with; at least one."""
    return lambda data: max(1, sum(data.count(mark) for mark in marks))


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of record.

    parse(data, filename) yields records of the source's own shape, or `Broken`; it raises
    ParseError or NotThisSource when the whole file is to blame. normalize(record) gives the
    document, or raises ParseError. `isolated` sources (PDF) are parsed in a child process with
    memory and time limits. `bare` sources also read names without a suffix, as answers of a server
    are saved.
    """

    name: str
    label: str
    parse: Callable[[bytes, str], Iterator[Any | Broken]]
    normalize: Callable[[Any], NormalizedDocument]
    suffixes: tuple[str, ...]
    isolated: bool = False
    bare: bool = False
    count: Callable[[bytes], int] = _one  # about how many records a file holds, at a glance

    def reads(self, name: str) -> bool:
        """Whether a file of this name (its .gz left out) can be one of the source's."""
        plain = name.lower().rsplit("/", 1)[-1].removesuffix(".gz")
        return plain.endswith(self.suffixes) or (self.bare and "." not in plain)
