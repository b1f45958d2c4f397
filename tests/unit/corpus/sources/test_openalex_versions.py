"""Versions of a work, as its locations state them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus.sources.openalex.normalizer import normalize
from corpus.sources.openalex.parser import parse
from corpus.sources.openalex.versions import versions_of
from corpus.sources.openalex.works import Work, work_from

JOURNAL, PREPRINT = "10.5555/journal.1", "10.1101/2020.01.02.000001"


def work(doi: str, *places: tuple[str, str]) -> Work:
    """A work with locations of (landing page, version)."""
    return work_from(
        {
            "id": "https://openalex.org/W1",
            "title": "A kinase brake",
            "doi": f"https://doi.org/{doi}",
            "is_retracted": True,
            "locations": [{"landing_page_url": url, "version": kind} for url, kind in places],
        }
    )


@pytest.mark.parametrize(
    ("own", "place", "said"),
    [
        (JOURNAL, (f"https://doi.org/{PREPRINT}", "submittedVersion"), ("has_preprint", PREPRINT)),
        (
            JOURNAL,
            (f"https://www.biorxiv.org/content/{PREPRINT}v2.full", "submittedVersion"),
            ("has_preprint", PREPRINT),
        ),
        (
            JOURNAL,
            ("http://arxiv.org/abs/2001.01234v3", "submittedVersion"),
            ("has_preprint", "10.48550/arxiv.2001.01234"),
        ),
        (
            JOURNAL,
            ("https://arxiv.org/abs/hep-th/9901001", "submittedVersion"),
            ("has_preprint", "10.48550/arxiv.hep-th/9901001"),
        ),
        (PREPRINT, (f"https://doi.org/{JOURNAL}", "publishedVersion"), ("preprint_of", JOURNAL)),
        (
            JOURNAL,
            ("http://dx.doi.org/10.5281/ZENODO.77", "acceptedVersion"),
            ("version_of", "10.5281/zenodo.77"),
        ),
        (
            PREPRINT,
            ("https://doi.org/10.21203/rs.3.rs-1/v2", "submittedVersion"),
            ("version_of", "10.21203/rs.3.rs-1"),
        ),
    ],
)
def test_a_place_with_another_doi_is_a_version(own, place, said) -> None:
    assert list(versions_of(work(own, place, place))) == [said]


def test_the_works_own_doi_and_places_without_one_are_none() -> None:
    places = [
        (f"https://doi.org/{JOURNAL}", "publishedVersion"),
        ("https://europepmc.org/articles/pmc1", "publishedVersion"),
        ("", "submittedVersion"),
    ]
    assert list(versions_of(work(JOURNAL, *places))) == []


def test_versions_are_relations_and_the_retracted_flag_stays() -> None:
    document = normalize(work(JOURNAL, (f"https://doi.org/{PREPRINT}", "submittedVersion")))

    assert document.retracted
    assert [(r.subject, r.predicate, r.object) for r in document.relations] == [
        ("openalex:W1", "has_preprint", f"doi:{PREPRINT}")
    ]


@pytest.mark.shared_data
def test_saved_works_state_what_their_locations_say(shared_data: Path) -> None:
    stated: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((shared_data / "openalex").rglob("*.json")):
        if b'"landing_page_url"' not in (data := path.read_bytes()):
            continue
        if not isinstance(json.loads(data), dict):
            continue
        for record in parse(data, path.name):
            if isinstance(record, Work) and (found := list(versions_of(record))):
                stated[record.id] = found

    assert ("version_of", "10.1103/physrevlett.118.221101") in stated["W2755950973"]
    for doi in (doi for found in stated.values() for _, doi in found):
        assert doi == doi.lower()
        assert doi.startswith("10.")
