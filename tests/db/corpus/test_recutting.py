"""A corpus says how its documents are cut; those that are there are read again and cut anew."""

from __future__ import annotations

import pytest

from accounts.types import Role
from corpus.models import Chunk, Corpus, Document
from corpus.services import fingerprint, jobs, recutting
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.ingesting import curator_of, ingest

pytestmark = pytest.mark.django_db

KINASE = "STAT3 is phosphorylated by JAK2 at one tyrosine of its tail. " * 8
LIPID = "Lipids are moved between the membranes of the cell by carriers. " * 8
SUMMARY = {"id": "a", "title": "Two subjects", "type": "pathway", "text": KINASE + LIPID.strip()}
PAPER = {"id": "b", "title": "A paper", "text": KINASE * 3 + LIPID.strip()}


def switch(corpus: Corpus, chunker: str):
    made = recutting.switch(corpus, chunker, by=curator_of(corpus))
    for job in made.jobs:
        jobs.work_off(job)
    return made


def cut(corpus: Corpus) -> dict[str, list[str]]:
    rows = Chunk.objects.filter(corpus=corpus).order_by("chunk_index")
    found: dict[str, list[str]] = {}
    for name, text in rows.values_list("document__external_id", "text"):
        found.setdefault(name, []).append(text)
    return found


def test_summaries_are_cut_where_their_subject_changes_and_papers_stay():
    corpus = CorpusFactory()
    ingest(corpus, SUMMARY, PAPER)
    before = cut(corpus)
    kept = set(Chunk.objects.filter(document__external_id="b").values_list("public_id", flat=True))

    made = switch(corpus, "semantic")

    after = cut(corpus)
    assert made.documents == 2
    assert after["b"] == before["b"]
    assert kept == set(
        Chunk.objects.filter(document__external_id="b").values_list("public_id", flat=True)
    )
    assert after["a"] != before["a"]
    assert not any("STAT3" in text and "Lipids" in text for text in after["a"])
    present = set(Document.objects.values_list("pipeline", flat=True))
    assert present == {f"{fingerprint.PIPELINE}-semantic"}


@pytest.mark.slow
def test_said_again_it_reads_nothing_and_back_again_all_is_as_it_was():
    corpus = CorpusFactory()
    ingest(corpus, SUMMARY, PAPER)
    before = cut(corpus)
    switch(corpus, "sliding")
    assert cut(corpus) != before

    again = switch(corpus, "sliding")
    assert (again.jobs, again.documents) == ([], 0)

    switch(corpus, "layout")
    assert cut(corpus) == before


def test_what_comes_later_is_cut_as_the_corpus_says():
    corpus = CorpusFactory()
    switch(corpus, "semantic")

    ingest(corpus, SUMMARY)

    assert len(cut(corpus)["a"]) > 1
    assert switch(corpus, "semantic").jobs == []


def test_only_curators_say_how():
    corpus = CorpusFactory(visibility="team")
    reader = MembershipFactory(team=corpus.team, role=Role.READER.value).user
    with pytest.raises(NotAllowed):
        recutting.switch(corpus, "sliding", by=reader)
    with pytest.raises(NotFound):
        recutting.switch(corpus, "sliding", by=UserFactory())
    with pytest.raises(InvalidInput, match="layout, semantic, sliding"):
        recutting.switch(corpus, "magic", by=curator_of(corpus))
