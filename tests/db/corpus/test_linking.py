"""Passages are stamped with the entities they name, by the vocabularies their readers may know."""

from __future__ import annotations

import pytest
from django.utils import timezone

from corpus.models import Document, IngestJob, JobFetch, Mention, Node
from corpus.services import linking
from corpus.tasks import relink_stale
from tests.factories import CorpusFactory, TeamFactory, UserFactory
from tests.support.ingesting import ingest, ingest_files

pytestmark = pytest.mark.django_db

OBO = b"""format-version: 1.2

[Term]
id: DOID:0050686
name: %s
synonym: "%s" EXACT []
"""
TEXT = {"id": "a", "title": "A study", "text": "Patients with zebra fever recovered slowly."}


def vocabulary(corpus, name: bytes = b"zebra fever", synonym: bytes = b"stripe disease"):
    """A vocabulary of one disease."""
    return ingest_files(corpus, "vocabularies", [("made.obo", OBO % (name, synonym))])


def named() -> list[tuple[str, str]]:
    """Surface and id of every mention."""
    return [
        (mention.chunk.text[mention.start : mention.end], mention.node.curie)
        for mention in Mention.objects.select_related("chunk", "node").order_by("pk")
    ]


def test_a_passage_is_stamped_with_what_the_corpus_s_vocabulary_names():
    corpus = CorpusFactory()
    vocabulary(corpus)

    ingest(corpus, TEXT)

    assert named() == [("zebra fever", "doid:0050686")]
    assert Mention.objects.get().primary


def test_a_vocabulary_that_comes_later_stamps_what_is_there():
    corpus = CorpusFactory()
    ingest(corpus, TEXT)
    assert named() == []

    vocabulary(corpus)
    while relink_stale():
        pass

    assert named() == [("zebra fever", "doid:0050686")]
    assert not linking.stale(corpus)


def test_reading_again_stamps_nothing_twice():
    corpus = CorpusFactory()
    vocabulary(corpus)
    ingest(corpus, TEXT)

    ingest(corpus, TEXT)

    assert len(named()) == 1


@pytest.mark.slow
def test_a_changed_text_is_stamped_anew():
    corpus = CorpusFactory()
    vocabulary(corpus)
    ingest(corpus, TEXT)

    ingest(corpus, TEXT | {"text": "Nothing. Then stripe disease came."})

    assert named() == [("stripe disease", "doid:0050686")]


@pytest.mark.slow
def test_another_team_s_vocabulary_stamps_nothing_and_names_no_node():
    vocabulary(CorpusFactory(visibility="private"))
    ingest(CorpusFactory(), TEXT)
    assert named() == []

    site = CorpusFactory(visibility="site")
    ingest(site, TEXT | {"text": "Also zebra fever."})
    assert named() == []


def test_a_node_is_labelled_by_what_everybody_may_read():
    hidden = CorpusFactory(visibility="private")
    vocabulary(hidden)
    ingest(hidden, TEXT)

    assert Node.objects.get(curie="doid:0050686").label == "doid:0050686"


def test_a_team_s_vocabulary_serves_its_corpora_until_a_guest_is_let_in():
    team = TeamFactory()
    vocabulary(CorpusFactory(team=team, visibility="team"))
    shared = CorpusFactory(team=team, visibility="team")
    ingest(shared, TEXT)
    assert named() == [("zebra fever", "doid:0050686")]

    shared.grants.create(user=UserFactory(), role="reader")
    while relink_stale():
        pass

    assert named() == []
    assert Document.objects.filter(corpus=shared).count() == 1


def test_a_job_that_waits_for_its_source_keeps_nothing_from_being_linked_anew():
    corpus = CorpusFactory(visibility="site")
    ingest(corpus, TEXT)
    waiting = IngestJob.objects.create(corpus=corpus, source="pubmed", state="running")
    JobFetch.objects.create(job=waiting, request={}, not_before=timezone.now())
    vocabulary(corpus)

    while relink_stale():
        pass

    assert named() == [("zebra fever", "doid:0050686")]
