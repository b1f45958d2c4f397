"""The zip of a .docx: its parts read one by one, each within a size."""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from typing import Final

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.markup import Element, parse_tree

MAX_PART_BYTES: Final = 64 * 1024 * 1024
MAX_TOTAL_BYTES: Final = 256 * 1024 * 1024
MAX_PARTS: Final = 10_000
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, RuntimeError,
    NotImplementedError, struct.error, IndexError,
)  # fmt: skip
_OTHERS: Final = {
    "ppt/": "slides (.pptx), which are not read: export them as PDF.",
    "xl/": "a workbook (.xlsx): upload it as a table of interactions, perturbations or facts, or "
    "save the sheet as PDF.",
}


class Package:
    """The parts of a file, by name. Raises ParseError when it is damaged or unpacks to too much,
    NotThisSource for slides and workbooks.
    """

    def __init__(self, data: bytes, filename: str) -> None:
        self.filename = filename
        self._left = MAX_TOTAL_BYTES
        _refuse_others(data, filename)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            self.names = frozenset(self._zip.namelist())
        except _BROKEN as error:
            raise self._damaged() from error
        if len(self.names) > MAX_PARTS:
            raise ParseError(f"{filename} has more than {MAX_PARTS} parts: save it again as .docx.")
        for folder, what in _OTHERS.items():
            if any(name.startswith(folder) for name in self.names):
                raise NotThisSource(f"{filename} holds {what}")

    def read(self, name: str, *, limit: int = MAX_PART_BYTES) -> bytes:
        """A part's bytes, b'' when it is absent; never unpacked beyond the limit."""
        if name not in self.names:
            return b""
        limit = min(limit, self._left)
        try:
            with self._zip.open(name) as part:
                data = part.read(limit + 1)
        except _BROKEN as error:
            raise self._damaged() from error
        self._left -= len(data)
        if len(data) > limit:
            raise ParseError(
                f"{self.filename} unpacks to far more than its size (part {name}): it may be made "
                "to harm. Save it again as .docx from a word processor."
            )
        return data

    def tree(self, name: str) -> Element | None:
        """A part's XML, None when it is absent."""
        data = self.read(name)
        return parse_tree(data, f"{self.filename} (part {name})") if data else None

    def links(self, name: str) -> dict[str, str]:
        """Relationship id -> name of the part it leads to; what lies outside the file is none."""
        folder, base = posixpath.split(name)
        root = self.tree(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, str] = {}
        for item in [] if root is None else root.iterfind("{*}Relationship"):
            if item.get("TargetMode") != "External":
                target = item.get("Target", "")
                path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                found[item.get("Id", "")] = path
        return found

    def main_part(self) -> str:
        """The name of the part with the text."""
        root = self.tree("_rels/.rels")
        for item in [] if root is None else root.iterfind("{*}Relationship"):
            if item.get("Type", "").endswith("/officeDocument"):
                return posixpath.normpath(item.get("Target", "").lstrip("/"))
        return "word/document.xml"

    def _damaged(self) -> ParseError:
        return ParseError(f"{self.filename} is damaged or cut off: save or fetch it again.")


def _refuse_others(data: bytes, filename: str) -> None:
    lowered = filename.lower()
    if not data:
        raise ParseError(f"{filename} is an empty file (0 bytes): fetch or save it again.")
    if data.startswith(_OLE):
        what = "a file of an older Office" if lowered.endswith(".doc") else (
            "protected by a password or a file of an older Office"
        )  # fmt: skip
        raise ParseError(f"{filename} is {what}: open it, save it as .docx and upload that.")
    if lowered.endswith(".doc"):
        raise ParseError(f"{filename} is not read in this form: save it as .docx and upload that.")
    if not data.startswith(b"PK"):
        raise ParseError(f"{filename} is no .docx but another kind of file: save it as .docx.")
