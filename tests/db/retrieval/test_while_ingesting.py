"""What a reader finds while a job is under way: words first, meaning later."""

from __future__ import annotations

import pytest

from corpus.models import ChunkVector, JobItem
from corpus.services import jobs, propositions, uploads
from retrieval.services.search import search
from tests.db.retrieval.library import index, indexed_chunks
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, ingest, lines

pytestmark = pytest.mark.django_db

RECORD = {
    "id": "a",
    "title": "A negative regulator",
    "text": "SOCS3 is an inhibitor of cytokine signals. It binds JAK2 in most cell lines.",
}


def test_a_text_is_found_by_its_words_before_its_vectors_are_there(monkeypatch):
    monkeypatch.setattr(jobs, "SLICE_SECONDS", 0.0)  # each stage a task of its own
    corpus = CorpusFactory()
    curator = curator_of(corpus)
    job = uploads.accept(corpus, "jsonl", [("a.jsonl", lines([RECORD]))], by=curator)
    while JobItem.objects.filter(stage="embed").count() == 0:
        for work in jobs.lease():
            jobs.perform(work)
    index()

    found = search("SOCS3", reader=curator)

    assert not ChunkVector.objects.exists()
    assert [hit.external_id for hit in found.hits] == ["a"]
    assert found.hits[0].scores.dense is None
    jobs.work_off(job)
    assert search("SOCS3", reader=curator).hits[0].scores.dense is not None


@pytest.mark.slow
def test_the_word_index_holds_passages_and_none_of_their_statements():
    corpus = CorpusFactory()
    jobs.work_off(propositions.switch(corpus, True, by=curator_of(corpus)))
    ingest(corpus, RECORD)
    index()

    passages = corpus.chunks.filter(parent=None)

    assert corpus.chunks.count() == 3
    assert indexed_chunks(corpus) == list(passages.values_list("pk", flat=True))
