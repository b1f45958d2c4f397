"""A reference as its list gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry. Texts are without the markup of their format, but not yet cleaned.

    `line` is where it begins (from 1; of JSON, which item it is). `entry_type` and `key` are as the
    file has them, `published` is an ISO date. `abstract` and `notes` keep paragraphs apart by blank
    lines. `files` are names of attached files, relative where the list says so. `details` keep
    volume, issue, pages, publisher, url, isbn, editors.
    """

    line: int
    key: str = ""
    entry_type: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    abstract: str = ""
    notes: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    language: str = ""
    details: Mapping[str, str] = field(default_factory=dict)
