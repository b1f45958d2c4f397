"""A saved file as its parser wants it: unpacked, within a size."""

from __future__ import annotations

import zlib

from corpus.sources.base import ParseError

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31  # zlib's wbits for a gzip header around a 32 KiB window
_STEP = 1 << 20


def open_payload(
    data: bytes, filename: str, *, max_bytes: int = MAX_UNPACKED_BYTES
) -> tuple[bytes, str]:
    """Unpack gzip, told by its first bytes and not by its name, and take `.gz` off the name.

    Anything else passes through. Raises ParseError when the archive is damaged or cut off, or when
    it would unpack to more than `max_bytes`; it is never unpacked beyond that.
    """
    name = filename[:-3] if filename.lower().endswith(".gz") else filename
    if not data.startswith(_GZIP_MAGIC):
        return data, name
    return _gunzip(data, filename, max_bytes), name


def _gunzip(data: bytes, filename: str, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    rest = data
    while rest.startswith(_GZIP_MAGIC):  # a gzip file may hold several members
        member = zlib.decompressobj(wbits=_GZIP_WINDOW)
        while not member.eof:
            try:
                piece = member.decompress(rest, _STEP)
            except zlib.error as error:
                raise ParseError(
                    f"{filename} is damaged gzip: fetch or pack it again.", reason=str(error)
                ) from error
            size += len(piece)
            if size > max_bytes:
                raise ParseError(
                    f"{filename} unpacks to more than {max_bytes // _STEP} MB: "
                    "split it into smaller files."
                )
            parts.append(piece)
            rest = member.unconsumed_tail
            if not piece and not rest and not member.eof:
                raise ParseError(
                    f"{filename} is cut off: the gzip data ends too early. Fetch it again."
                )
        rest = member.unused_data
    return b"".join(parts)
