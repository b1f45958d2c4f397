"""Versions that OpenAlex states link papers, whichever of them comes first."""

from __future__ import annotations

import json

import pytest

from corpus.models import Document
from tests.factories import CorpusFactory
from tests.support.ingesting import ingest_files
from tests.support.papers import links

pytestmark = pytest.mark.django_db

JOURNAL, PREPRINT = "10.5555/journal.1", "10.1101/2020.01.02.000001"


def saved(number: int, title: str, doi: str, *, other: str = "", kind: str = "", **more) -> bytes:
    place = {"landing_page_url": f"https://doi.org/{other}", "version": kind}
    work = {
        "id": f"https://openalex.org/W{number}",
        "title": title,
        "doi": f"https://doi.org/{doi}",
        "locations": [place] if other else [],
    }
    return json.dumps(work | more).encode()


@pytest.mark.slow
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_stated_preprint_is_linked_to_its_paper_under_another_title(order):
    paper = saved(
        *(1, "A kinase brake in T cells", JOURNAL),
        other=PREPRINT,
        kind="submittedVersion",
        is_retracted=True,
    )
    files = [("paper.json", paper), ("early.json", saved(2, "Loss of a brake", PREPRINT))]

    ingest_files(CorpusFactory(), "openalex", [files[n] for n in order])

    assert links() == {("W2", "preprint_of", "W1")}
    assert dict(Document.objects.values_list("external_id", "retracted")) == {
        "W1": True,
        "W2": False,
    }


def test_another_deposit_of_the_same_paper_is_kept_as_a_relation():
    data = saved(1, "A kinase brake", JOURNAL, other="10.5281/zenodo.7", kind="acceptedVersion")
    ingest_files(CorpusFactory(), "openalex", [("paper.json", data)])

    (relation,) = Document.objects.get().relations.all()

    assert (relation.predicate, relation.object) == ("version_of", "doi:10.5281/zenodo.7")
