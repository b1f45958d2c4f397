"""Bytes of a text file as text: by its mark, by what it declares, else UTF-8, else Windows-1252."""

from __future__ import annotations

import codecs
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_FALLBACK: Final = "cp1252"
# What is labelled so is Windows-1252 in practice, as browsers read it.
_ALIASES: Final = frozenset({"iso8859-1", "ascii", "iso-8859-1", "us-ascii", "latin-1"})


def decode(data: bytes, declared: str = "") -> tuple[str, str]:
    """Return (text, name of the encoding), never raising: what fits nothing is marked by U+FFFD.

    A byte order mark wins over what the file declares, and that over a guess.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    for name in (_known(declared), "utf-8"):
        if name:
            try:
                return data.decode(name), name
            except (UnicodeDecodeError, LookupError):
                continue
    return data.decode(_FALLBACK, "replace"), _FALLBACK


def _known(declared: str) -> str:
    """Python's name of a declared text encoding, '' for one that it does not know."""
    try:
        found = codecs.lookup(declared.strip())
    except (LookupError, ValueError):
        return ""
    # codecs.lookup also knows transformations such as "zip" and "hex", which decode no text.
    if not getattr(found, "_is_text_encoding", True) or found.name in ("idna", "punycode"):
        return ""
    if found.name.startswith(("utf-16", "utf-32", "utf-7", "unicode", "raw")):
        return ""  # without a mark, a page that says so is wrong: it could say it in ASCII
    return _FALLBACK if found.name in _ALIASES else found.name


def encoding_note(name: str, text: str) -> str:
    """What a curator should know of the encoding, '' when there is nothing to tell."""
    if name == _FALLBACK:
        return "The file is not UTF-8 and was read as Windows-1252: look at its accented letters."
    if "\ufffd" in text:
        return "Some bytes of the file are no text and stand as \ufffd."
    return ""


def is_binary(data: bytes) -> bool:
    """Whether these are no bytes of a text: many controls among the first of them, or NUL without
    a mark of UTF-16 or UTF-32.
    """
    if any(data.startswith(mark) for mark, _ in _MARKS):
        return False
    head = data[:8192]
    controls = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in head)
    return b"\x00" in head or controls * 20 > len(head)
