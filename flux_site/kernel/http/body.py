"""A body as it comes in: unpacked piece by piece, never beyond its limit."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Final

from flux_site.kernel.http.errors import BadAnswer, SourceUnavailable, TooLarge

_ANY_HEADER: Final = 47  # zlib's wbits: gzip or zlib, told by the header, 32 KiB window
PACKED: Final = frozenset({"gzip", "x-gzip", "deflate"})


def read_whole(pieces: Iterable[bytes], *, encoding: str, limit: int, label: str) -> bytes:
    """Join and unpack a body.

    Raises TooLarge as soon as either form passes `limit` bytes, SourceUnavailable when packed data
    ends early, BadAnswer when it is damaged or packed in a way that was not asked for.
    """
    if encoding in ("", "identity"):
        return _plain(pieces, limit, label)
    if encoding not in PACKED:
        raise BadAnswer(f"{label} packed its answer as {encoding[:20]}, which was not asked for.")
    return _unpacked(pieces, limit, label)


def too_large(label: str, limit: int) -> TooLarge:
    """The error for an answer over the limit."""
    size = f"{limit // 1_000_000} MB" if limit >= 1_000_000 else f"{limit} bytes"
    return TooLarge(f"{label} sent more than {size} in one answer: ask for less at a time.")


def _plain(pieces: Iterable[bytes], limit: int, label: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise too_large(label, limit)
        parts.append(piece)
    return b"".join(parts)


def _unpacked(pieces: Iterable[bytes], limit: int, label: str) -> bytes:
    unpacker = _Unpacker(limit, label)
    received = 0
    for piece in pieces:
        received += len(piece)
        if received > limit:
            raise too_large(label, limit)
        unpacker.feed(piece)
    if received and not unpacker.is_whole:
        raise SourceUnavailable(f"{label}'s answer was cut off.")
    return b"".join(unpacker.parts)


class _Unpacker:
    """Unpacks one or several gzip members without ever holding more than the limit."""

    def __init__(self, limit: int, label: str) -> None:
        self.parts: list[bytes] = []
        self._room, self._limit, self._label = limit, limit, label
        self._member = zlib.decompressobj(wbits=_ANY_HEADER)

    @property
    def is_whole(self) -> bool:
        return self._member.eof

    def feed(self, data: bytes) -> None:
        while data:
            if self._member.eof:
                self._member = zlib.decompressobj(wbits=_ANY_HEADER)
            try:
                piece = self._member.decompress(data, self._room + 1)
            except zlib.error as error:
                raise BadAnswer(f"{self._label} sent damaged gzip data. Try again.") from error
            self._room -= len(piece)
            if self._room < 0:
                raise too_large(self._label, self._limit)
            self.parts.append(piece)
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
