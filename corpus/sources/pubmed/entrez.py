"""What the E-utilities say beside records: counts, histories, links, errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.fetching import changed
from corpus.sources.markup import Element, child_text, inline_text, parse_tree, tag
from flux_site.kernel.http import SourceRefused, SourceUnavailable

LABEL: Final = "PubMed"
_SET: Final = re.compile(rb"<Pubmed(?:Book)?ArticleSet\b")
_RECORD: Final = re.compile(rb"<Pubmed(?:Book)?Article(?:\s[^>]*)?>")
_ERROR: Final = re.compile(rb"<ERROR>([^<]{0,200})", re.IGNORECASE)
_PASSING: Final = ("backend", "unavailable", "timeout", "timed out", "database is not", "try again")


@dataclass(frozen=True, slots=True)
class Found:
    """An esearch answer: how many records there are, and where NCBI keeps their list."""

    count: int
    web_env: str = ""
    query_key: str = ""
    ids: tuple[str, ...] = ()
    unknown_phrases: tuple[str, ...] = ()


def read_search(data: bytes) -> Found:
    """Read an esearch answer.

    Raises SourceUnavailable for a failure of NCBI's own, SourceRefused for a query that it cannot
    read, BadAnswer for anything else.
    """
    root = _tree(data, "eSearchResult")
    error = child_text(root, "ERROR")
    if error:
        if any(word in error.lower() for word in _PASSING):
            raise SourceUnavailable("PubMed's search failed by itself. Try again later.")
        raise SourceRefused(f"PubMed cannot read this query: {error[:200]}")
    count = child_text(root, "Count")
    if not count.isdigit():
        raise changed(LABEL, "a search does not tell its count")
    return Found(
        count=int(count),
        web_env=child_text(root, "WebEnv"),
        query_key=child_text(root, "QueryKey"),
        ids=tuple(inline_text(one) for one in root.findall("IdList/Id")),
        unknown_phrases=tuple(inline_text(one) for one in root.findall("ErrorList/PhraseNotFound")),
    )


def read_links(data: bytes, name: str) -> tuple[str, ...]:
    """The ids of one kind of link (pubmed_pubmed_citedin) in an elink answer, each once."""
    root = _tree(data, "eLinkResult")
    if error := child_text(root, "ERROR") or child_text(root, "LinkSet/ERROR"):
        raise SourceUnavailable(f"PubMed's links failed: {error[:200]}. Try again later.")
    found = (
        inline_text(one)
        for links in root.findall("LinkSet/LinkSetDb")
        if child_text(links, "LinkName") == name
        for one in links.findall("Link/Id")
    )
    return tuple(dict.fromkeys(found))


def count_records(data: bytes) -> int:
    """How many records an efetch answer holds.

    Raises BadAnswer when it is no set of records. The set itself is left to the parser.
    """
    if not _SET.search(data[:4000]):
        said = _ERROR.search(data[:4000])
        what = said[1].decode(errors="replace").strip() if said else "it holds no set of records"
        raise changed(LABEL, what)
    return len(_RECORD.findall(data))


def _tree(data: bytes, expected: str) -> Element:
    try:
        root = parse_tree(data, "The answer")
    except (ParseError, NotThisSource) as error:
        raise changed(LABEL, "it is no XML") from error
    if tag(root) != expected:
        raise changed(LABEL, f"{tag(root)[:40]} came where {expected} was asked for")
    return root
