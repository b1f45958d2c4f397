"""Works are made whole or not at all: death before any statement leaves the former ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from django.db import connection, transaction

from corpus.models import (
    Corpus,
    Document,
    Identity,
    Statement,
    Unsettled,
    Work,
    WorkConflict,
    WorkLink,
)
from corpus.services import fingerprint, store, works
from tests.factories import CorpusFactory
from tests.support.papers import paper, put
from tests.support.statements import cut_everywhere

pytestmark = pytest.mark.django_db(transaction=True)

TITLE = "A kinase brake in memory T cells of the human liver"


def state() -> tuple:
    """All that settling writes, by names that outlive the rows."""
    documents = {
        (d.external_id, d.retracted, d.concern, d.corrected): d.work and (d.work.doi, d.work.pmid)
        for d in Document.objects.select_related("work")
    }
    return (
        documents,
        sorted(Work.objects.values_list("scope", "doi", "pmid", "title_key", "retracted")),
        sorted(WorkLink.objects.values_list("source__doi", "target__doi", "kind")),
        sorted(WorkConflict.objects.values_list("one__doi", "two__doi", "reason")),
        sorted(Identity.objects.values_list("document__external_id", "scope")),
        sorted(Statement.objects.values_list("document__external_id", "kind", "other")),
    )


def library() -> None:
    """A preprint, its paper in two records, and one whose ids contradict them."""
    put(
        CorpusFactory(visibility="site"),
        paper("preprint", doi="10.1101/2020.01.02.000001", title=TITLE, published="2020"),
        paper("paper", doi="10.5555/a", title=TITLE, published="2021"),
        paper("record", pmid="7", title=TITLE, published="2021"),
        paper("other", doi="10.5555/other", title="Another title of quite another paper"),
    )


def bridge(corpus: Corpus) -> None:
    """Records that join, retract and contradict what is there, in one transaction."""
    records = [
        paper("bridge", doi="10.5555/a", pmid="7", title=TITLE, published="2021"),
        paper("clash", doi="10.5555/other", pmid="7", title=TITLE, published="2021"),
        paper("notice", pmid="9", title=f"Retraction: {TITLE}", said=(("retracts", "pmid:7"),)),
    ]
    store.swap_in_all(
        corpus,
        [
            store.prepare(record, store.Origin("0" * 64, n), fingerprint.of_document(record))
            for n, record in enumerate(records)
        ],
    )


@pytest.mark.slow
def test_records_that_come_leave_all_or_nothing():
    library()
    before, corpus = state(), CorpusFactory(visibility="site")
    with transaction.atomic():
        bridge(corpus)
        after = state()
        transaction.set_rollback(True)

    def whole() -> None:
        assert state() == before

    deaths = cut_everywhere(lambda: bridge(corpus), whole)

    assert deaths > 40
    assert state() == after != before


@pytest.mark.slow
def test_draining_leaves_all_or_nothing_and_goes_on():
    library()
    bridge(CorpusFactory(visibility="site"))
    wanted = state()
    Document.objects.update(work=None)
    Work.objects.all().delete()
    pks = list(Document.objects.values_list("pk", flat=True))
    works.note(pks)

    def whole() -> None:
        loose = Document.objects.filter(work=None, identity__isnull=False).values_list("pk")
        waiting = Unsettled.objects.values_list("pk")
        assert set(loose) <= set(waiting), "a document without a work waits for one"
        assert not Work.objects.filter(documents=None).exists()

    deaths = cut_everywhere(works.drain_all, whole)

    assert deaths > 40
    assert state() == wanted
    assert not Unsettled.objects.exists()


KILLED = """
import os, signal
import django
django.setup()
from django.db import connection
from corpus.services import works
from corpus.models import Work

def dying(execute, sql, *rest):
    result = execute(sql, *rest)
    if sql.startswith("UPDATE") and "corpus_document" in sql:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

with connection.execute_wrapper(dying):
    works.drain_all()
"""


@pytest.mark.slow
def test_a_process_killed_while_members_are_written_leaves_the_former_works():
    library()
    before = state()
    Document.objects.update(work=None)
    Work.objects.all().delete()
    works.note(list(Document.objects.values_list("pk", flat=True)))
    emptied = state()

    database = connection.settings_dict
    url = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
    done = subprocess.run(
        [sys.executable, "-c", KILLED],
        env={**os.environ, "DATABASE_URL": url},
        check=False,
    )

    assert done.returncode == -signal.SIGKILL
    assert state() == emptied
    works.drain_all()
    assert state() == before
