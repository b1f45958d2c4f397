"""Other versions of a work, as its locations state them: places whose DOI is not its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from corpus.sources import ids
from corpus.sources.openalex.works import Location, Work
from corpus.sources.preprints import is_preprint_doi, unversioned

_DOI_LINK: Final = re.compile(r"https?://(?:dx\.)?doi\.org/", re.IGNORECASE)
_ARXIV: Final = re.compile(
    r"https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/([\w.-]+(?:/\d+)?)", re.IGNORECASE
)
_RXIV: Final = re.compile(
    r"https?://(?:www\.)?(?:bio|med)rxiv\.org/content/(10\.\d{4,5}/[\d.]+)", re.IGNORECASE
)
_VERSION: Final = re.compile(r"v\d+$")


def versions_of(work: Work) -> Iterator[tuple[str, str]]:
    """(predicate, DOI) of each other version, each once, in the order of the locations.

    The work `has_preprint` where a preprint server keeps the other version, is `preprint_of` one
    that a journal published, and is a `version_of` what is neither.
    """
    own = unversioned(ids.doi(work.doi))
    told = {own, ""}
    for place in work.locations:
        doi = unversioned(_doi(place))
        if doi in told:
            continue
        told.add(doi)
        if is_preprint_doi(doi):
            yield ("version_of" if is_preprint_doi(own) else "has_preprint"), doi
        elif is_preprint_doi(own) and place.version == "publishedVersion":
            yield "preprint_of", doi
        else:
            yield "version_of", doi


def _doi(place: Location) -> str:
    """The DOI that a place is the landing page of; '' where its address tells none."""
    if _DOI_LINK.match(place.url):
        return ids.doi(place.url)
    if found := _RXIV.match(place.url):
        return ids.doi(found[1])
    if found := _ARXIV.match(place.url):
        return f"10.48550/arxiv.{_VERSION.sub('', found[1].lower().removesuffix('.pdf'))}"
    return ""
