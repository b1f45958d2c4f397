"""Names of the files that a reference has attached, in the forms of Zotero, JabRef and EndNote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from corpus.sources.cleaning import one_line
from corpus.sources.references.shape import Reference

_ESCAPED = re.compile(r"\\([\\:;_&%#{}~$])")
_SCHEME = re.compile(r"(?:file|internal-pdf):/{0,3}", re.IGNORECASE)
_REMOTE = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
MAX_FILES: Final = 50


def attachments(entry: Reference) -> list[str]:
    """Base names of the attached files, by which uploaded PDFs are matched; each once, in order."""
    return list(dict.fromkeys(name.rsplit("/", 1)[-1] for name in entry.files))


def file_key(name: str) -> str:
    """A file's base name in the form in which names are compared: case and the way in which
    letters with accents are written do not matter.
    """
    return unicodedata.normalize("NFC", name.rsplit("/", 1)[-1]).casefold()


def bibtex_files(value: str) -> tuple[str, ...]:
    """Names out of a `file` field.

    Zotero and JabRef write 'title:path:type' joined by semicolons, with backslashes before colons
    and semicolons of the path; others write paths alone.
    """
    return _names(_path(item) for item in _split(value, ";"))


def link_files(values: Iterable[str]) -> tuple[str, ...]:
    """Names out of links, one a value (RIS L1, EndNote %>); what lies on the web is none."""
    return _names(item for value in values for item in re.split(r"[;\n]", value))


def _path(item: str) -> str:
    if _DRIVE.match(item.strip()) or _SCHEME.match(item.strip()) or _REMOTE.match(item.strip()):
        return _ESCAPED.sub(r"\1", item)
    parts = _split(item, ":")
    if len(parts) > 2:  # a path may hold bare colons; title and type do not
        return _ESCAPED.sub(r"\1", ":".join(parts[1:-1]))
    if len(parts) == 2 and not parts[0].strip():
        return _ESCAPED.sub(r"\1", parts[1])
    return _ESCAPED.sub(r"\1", parts[0] if "." in parts[0] else item)


def _split(text: str, mark: str) -> list[str]:
    """Cut at a mark that has no backslash before it."""
    parts, start, place = [], 0, 0
    while place < len(text):
        if text[place] == "\\":
            place += 2
            continue
        if text[place] == mark:
            parts.append(text[start:place])
            start = place + 1
        place += 1
    return [*parts, text[start:]]


def _names(paths: Iterable[str]) -> tuple[str, ...]:
    names = dict.fromkeys(name for path in paths for name in _relative(path))
    return tuple(names)[:MAX_FILES]


def _relative(path: str) -> Iterator[str]:
    """The path within the export; one of somebody's disk tells only its last name."""
    path = path.strip()
    if not path or _REMOTE.match(path):
        return
    is_absolute = bool(_SCHEME.match(path) or _DRIVE.match(path)) or path[0] in "/\\~"
    if _SCHEME.match(path):
        path = unquote(_SCHEME.sub("", path, count=1))
    path = one_line(path).replace("\\", "/").strip("/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or parts[-1] == "..":
        return
    yield parts[-1] if is_absolute or ".." in parts else "/".join(parts)
