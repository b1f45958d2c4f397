"""Addresses: of our own pages, and of where a record comes from."""

from __future__ import annotations

from urllib.parse import quote, urlencode, urlsplit
from uuid import UUID

from django.urls import reverse

from corpus.models import Corpus, Document

IMAGE = "/api/v1/images/"


def image_url(sha256: str) -> str:
    """Where the bytes of an image are served, to those who may see one that it stands in."""
    return f"{IMAGE}{sha256}" if sha256 else ""


def corpus_url(corpus: Corpus, *, ambiguous: bool = False) -> str:
    """A corpus page; slugs are unique within a team, so another of that name needs the team."""
    url = reverse("corpus:corpus", args=[corpus.slug])
    return f"{url}?{urlencode({'team': corpus.team.slug})}" if ambiguous else url


def document_url(
    document: UUID | str,
    *,
    page: int | None = None,
    passage: UUID | str | None = None,
    span: tuple[int, int] | None = None,
) -> str:
    """A document, one of its pages, or the passage in it that is meant.

    `span`: the quoted characters [start, end) of the passage; without it, all are meant.
    """
    meant = {"passage": str(passage)} if passage else {}
    if span and span[0] < span[1]:
        meant["span"] = f"{span[0]}-{span[1]}"
    if page:
        url = reverse("corpus:page", args=[document, page])
        return f"{url}?{urlencode(meant)}" if passage else url
    url = reverse("corpus:document", args=[document])
    if passage is None:
        return url
    return f"{url}?{urlencode({'view': 'passages'} | meant)}#p-{passage}"


def table_file_url(document: UUID | str, table: UUID | str, form: str) -> str:
    """A table as a file: `form` is md or csv."""
    return reverse(f"corpus:table-{form}", args=[document, table])


def asked_span(given: str, length: int) -> tuple[int, int]:
    """The span of a link, within a passage of that length; all of it where none is given."""
    first, _, last = given.partition("-")
    if not (_is_number(first) and _is_number(last)):
        return 0, length
    start, end = int(first), min(int(last), length)
    return (start, end) if start < end else (0, length)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def record_link(document: Document) -> tuple[str, str]:
    """Address and name of the record at its source; empty when there is none."""
    ids = document.identifiers or {}
    external = document.external_id
    if external.startswith("R-"):
        return f"https://reactome.org/content/detail/{quote(external)}", "Reactome"
    if external.startswith("WP") and external[2:].isdigit():
        return f"https://www.wikipathways.org/pathways/{external}.html", "WikiPathways"
    if ids.get("pmid"):
        return f"https://pubmed.ncbi.nlm.nih.gov/{quote(ids['pmid'])}/", "PubMed"
    if ids.get("pmcid"):
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{quote(ids['pmcid'])}/", "PubMed Central"
    if ids.get("doi"):
        return f"https://doi.org/{quote(ids['doi'], safe='/')}", "DOI"
    given = str((document.metadata or {}).get("url", ""))
    # Only what a browser may safely follow: a record's own text never becomes a javascript: link.
    try:
        is_safe = urlsplit(given).scheme in {"http", "https"}
    except ValueError:  # no address at all
        is_safe = False
    return (given, "Source") if is_safe else ("", "")


def identifiers(document: Document) -> list[str]:
    """The document's ids as a reader knows them."""
    ids = document.identifiers or {}
    named = [
        ("PMID ", ids.get("pmid")),
        ("", ids.get("pmcid")),
        ("doi:", ids.get("doi")),
        ("", ids.get("openalex")),
    ]
    found = [f"{prefix}{value}" for prefix, value in named if value]
    return found or [shown_id(document)]


def shown_id(document: Document) -> str:
    """The one id that a table has room for: an upload's SHA-256 is shortened."""
    ids = document.identifiers or {}
    if ids.get("pmid"):
        return f"PMID {ids['pmid']}"
    external = document.external_id
    if document.source == "pdf" and len(external) == 64:
        return ids.get("doi") or f"sha256 {external[:8]}…"
    return external
