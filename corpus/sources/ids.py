"""Identifiers of a work in the one form in which they are compared. What does not fit gives an
empty string.
"""

from __future__ import annotations

import re

from corpus.types import Identifiers

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_PMID = re.compile(r"\d{1,9}")
_PMCID = re.compile(r"(?:PMC)?(\d{1,9})(?:\.\d+)?", re.IGNORECASE)
_OPENALEX = re.compile(r"W\d{1,12}", re.IGNORECASE)


def doi(value: object) -> str:
    """Return a DOI in lower case without resolver, prefix or a full stop from the sentence
    around it.
    """
    found = _DOI.search(str(value or "").strip())
    return found.group().rstrip(".,;").lower() if found else ""


def pmid(value: object) -> str:
    """Return the digits of a PubMed id."""
    text = _last_part(value)
    return text.lstrip("0") if _PMID.fullmatch(text) else ""


def pmcid(value: object) -> str:
    """Return a PubMed Central id as PMC and digits, without version."""
    found = _PMCID.fullmatch(_last_part(value))
    return f"PMC{found.group(1)}" if found else ""


def openalex(value: object) -> str:
    """Return an OpenAlex work id as W and digits."""
    text = _last_part(value)
    return text.upper() if _OPENALEX.fullmatch(text) else ""


def identifiers(
    *, doi_: object = "", pmid_: object = "", pmcid_: object = "", openalex_: object = ""
) -> Identifiers:
    """Normalise all four at once."""
    return Identifiers(doi(doi_), pmid(pmid_), pmcid(pmcid_), openalex(openalex_))


def _last_part(value: object) -> str:
    text = str(value if value is not None else "").strip().rstrip("/")
    return text.rsplit("/", 1)[-1].rsplit(":", 1)[-1].strip()
