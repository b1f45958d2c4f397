"""Small .docx files for tests of the reader, with what python-docx cannot write put in as XML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import docx
from docx.oxml import parse_xml

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


class Page:
    """A document in the making."""

    def __init__(self) -> None:
        self.document: Any = docx.Document()

    def add(self, text: str = "", style: str | None = None) -> Any:
        """Add a paragraph and return it."""
        return self.document.add_paragraph(text, style=style)

    def xml(self, paragraph: Any, markup: str) -> Page:
        """Append raw elements to a paragraph; w: and m: are bound."""
        for item in parse_xml(f"<w:x {_W} {_M}>{markup}</w:x>"):
            paragraph._p.append(item)
        return self

    def bytes(self, parts: Mapping[str, str | bytes] | None = None) -> bytes:
        """The file, with parts put in or replaced."""
        stream = io.BytesIO()
        self.document.save(stream)
        return with_parts(stream.getvalue(), parts or {})


def footnotes(*texts: str) -> str:
    """The XML of word/footnotes.xml: notes numbered from 1, after the line that parts them off."""
    notes = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t> {text}</w:t></w:r>'
        "</w:p></w:footnote>"
        for number, text in enumerate(texts, start=1)
    )
    line = (
        '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote>'
    )
    return f"<w:footnotes {_W}>{line}{notes}</w:footnotes>"


def with_parts(data: bytes, parts: Mapping[str, str | bytes]) -> bytes:
    """A copy of a zip with parts put in or replaced; dates are fixed: equal in, equal out."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            if name not in parts:
                _write(new, name, old.read(name))
        for name, content in parts.items():
            _write(new, name, content)
    return stream.getvalue()


def _write(archive: zipfile.ZipFile, name: str, content: str | bytes) -> None:
    info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)
