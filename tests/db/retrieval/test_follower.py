"""The follower loses nothing and doubles nothing, in whatever order transactions end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from corpus.models import Change, Corpus, Follower
from corpus.services import changelog, changes
from retrieval.lexical import position
from retrieval.lexical.follower import LexicalFollower
from retrieval.lexical.index import IndexFolders
from tests.db.retrieval.library import add, drop, indexed_chunks, stored_chunks
from tests.factories import CorpusFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def follower() -> Iterator[LexicalFollower]:
    one = LexicalFollower(settings.LEXICAL_ROOT)
    one.start()
    yield one
    one.close()


@pytest.fixture
def corpus() -> Corpus:
    return CorpusFactory()


def test_changes_are_applied_once(follower: LexicalFollower, corpus: Corpus) -> None:
    first = add(corpus, "a", "STAT3 text.", "More text.")
    add(corpus, "b", "SOCS3 text.")
    assert follower.catch_up() == 2
    assert indexed_chunks(corpus) == stored_chunks(corpus)

    drop(first)
    assert follower.catch_up() == 1
    assert indexed_chunks(corpus) == stored_chunks(corpus)
    assert len(stored_chunks(corpus)) == 1
    assert follower.catch_up() == 0


def test_a_changed_document_takes_the_place_of_the_old_one(
    follower: LexicalFollower, corpus: Corpus
) -> None:
    document = add(corpus, "a", "One.", "Two.", "Three.")
    follower.catch_up()
    document.chunks.filter(chunk_index=2).delete()
    changes.note(corpus, kind="document", key=document.pk, op="upsert")
    follower.catch_up()

    assert indexed_chunks(corpus) == stored_chunks(corpus)
    assert len(stored_chunks(corpus)) == 2


def test_transactions_that_commit_in_reverse_order_lose_nothing(
    follower: LexicalFollower, corpus: Corpus
) -> None:
    slow = add(corpus, "slow", "Slow text.")
    follower.catch_up()
    with psycopg.connect(**_second_connection()) as other:
        # The older transaction notes its change and stays open …
        other.execute(
            "INSERT INTO corpus_change (corpus_id, corpus_public_id, kind, key, op) "
            "VALUES (%s, %s, 'document', %s, 'upsert')",
            [corpus.pk, corpus.public_id, slow.pk],
        )
        other.execute(
            "UPDATE corpus_chunk SET section_path = '{Late}' WHERE document_id = %s", [slow.pk]
        )
        # … while a younger one commits.
        add(corpus, "quick", "Quick text.")
        assert follower.catch_up() == 0
        assert len(indexed_chunks(corpus)) == 1
        other.commit()
    assert follower.catch_up() == 2
    assert indexed_chunks(corpus) == stored_chunks(corpus)
    assert _with_section(corpus, "late") == 1


def _second_connection() -> dict[str, Any]:
    parameters = connection.get_connection_params()
    return {
        k: parameters[k] for k in ("host", "port", "user", "password", "dbname") if k in parameters
    }


def _with_section(corpus: Corpus, heading: str) -> int:
    from retrieval.legs.lexical import reader_of

    opened = reader_of(settings.LEXICAL_ROOT).open(corpus.public_id)
    assert opened is not None
    return int(opened.searcher.doc_freq("section", heading))


def test_work_done_before_the_position_was_stored_is_done_again_without_harm(
    follower: LexicalFollower, corpus: Corpus
) -> None:
    before = position.read(settings.LEXICAL_ROOT)
    add(corpus, "a", "Text.", "Text two.")
    follower.catch_up()
    follower.close()
    assert before is not None
    position.write(settings.LEXICAL_ROOT, before)  # as after a kill between the two

    second = LexicalFollower(settings.LEXICAL_ROOT)
    second.start()
    assert second.catch_up() == 1
    second.close()
    assert indexed_chunks(corpus) == stored_chunks(corpus)


def test_a_deleted_corpus_takes_its_index_with_it(
    follower: LexicalFollower, corpus: Corpus
) -> None:
    add(corpus, "a", "Text.")
    follower.catch_up()
    folders = IndexFolders(settings.LEXICAL_ROOT)
    assert folders.exists(corpus.public_id)

    changes.note(corpus, kind="corpus", key=corpus.pk, op="delete")
    public_id = corpus.public_id
    corpus.delete()
    follower.catch_up()

    assert folders.known() == set()
    assert not folders.corpus(public_id).exists()


@pytest.mark.parametrize("damage", ["missing", "corrupt"])
def test_a_missing_or_damaged_index_is_built_from_the_tables(
    follower: LexicalFollower, corpus: Corpus, damage: str
) -> None:
    add(corpus, "a", "Text.")
    follower.catch_up()
    follower.close()
    path = IndexFolders(settings.LEXICAL_ROOT).current(corpus.public_id)
    if damage == "missing":
        shutil.rmtree(path)
    else:
        (path / "meta.json").write_text("{")

    second = LexicalFollower(settings.LEXICAL_ROOT)
    second.start()
    second.close()
    assert indexed_chunks(corpus) == stored_chunks(corpus)


def test_an_index_lost_while_following_is_built_again(
    follower: LexicalFollower, corpus: Corpus
) -> None:
    add(corpus, "a", "Text.")
    follower.catch_up()
    shutil.rmtree(IndexFolders(settings.LEXICAL_ROOT).corpus(corpus.public_id))
    add(corpus, "b", "Text two.")
    follower.catch_up()
    assert indexed_chunks(corpus) == stored_chunks(corpus)


def test_a_position_of_another_database_is_not_believed(
    follower: LexicalFollower, corpus: Corpus
) -> None:
    at = position.read(settings.LEXICAL_ROOT)
    assert at is not None
    add(corpus, "a", "Text.")
    for foreign in (replace(at, cluster="1/2"), replace(at, xid=2**60)):
        position.write(settings.LEXICAL_ROOT, foreign)
        second = LexicalFollower(settings.LEXICAL_ROOT)
        second.start()
        second.close()
        assert indexed_chunks(corpus) == stored_chunks(corpus)
        assert position.read(settings.LEXICAL_ROOT) not in (foreign, None)


def test_a_follower_that_was_forgotten_starts_from_the_tables(
    follower: LexicalFollower, corpus: Corpus
) -> None:
    follower.beat()
    add(corpus, "a", "Text.")
    Follower.objects.all().delete()
    Change.objects.all().delete()  # trimmed behind the others

    second = LexicalFollower(settings.LEXICAL_ROOT)
    second.start()
    second.close()
    assert indexed_chunks(corpus) == stored_chunks(corpus)


def test_the_log_is_trimmed_behind_the_follower(follower: LexicalFollower, corpus: Corpus) -> None:
    add(corpus, "a", "Text.")
    follower.beat()
    assert changelog.trim() == 0
    follower.catch_up()
    follower.beat()
    assert changelog.trim() == 1
    assert Change.objects.count() == 0


def test_an_unreadable_position_is_none(follower: LexicalFollower) -> None:
    (settings.LEXICAL_ROOT / position.FILE).write_text("{")
    assert position.read(settings.LEXICAL_ROOT) is None
