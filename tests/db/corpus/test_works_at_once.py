"""Several workers at once, and lists read by command."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from corpus.models import Corpus, Document, Work
from corpus.services import works
from tests.factories import CorpusFactory, UserFactory
from tests.support.papers import paper, papers, put, standing


def at_once(*jobs: Callable[[], Any]) -> None:
    """Run jobs in threads that start together; what one raises is raised here."""
    start, wrong = threading.Barrier(len(jobs)), []

    def run(job: Callable[[], Any]) -> None:
        try:
            start.wait(10)
            job()
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong, wrong


@pytest.mark.django_db(transaction=True)
def test_records_of_one_paper_that_arrive_at_the_same_moment_are_one_work():
    corpora = CorpusFactory.create_batch(4, visibility="site")
    records = [
        [paper(f"{c}{n}", doi=f"10.5555/{n}", retracted=c == 0) for n in range(5)] for c in range(4)
    ]

    at_once(*(lambda c=c, r=r: put(c, *r) for c, r in zip(corpora, records, strict=True)))

    assert papers() == {frozenset(f"{c}{n}" for c in range(4)) for n in range(5)}
    assert set(standing().values()) == {"r"}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_notice_of_the_site_and_a_hidden_record_that_cross_meet():
    public, *hidden = (CorpusFactory(visibility=v) for v in ("site", "team", "private", "team"))
    notice = paper("notice", pmid="99", said=(("retracts", "pmid:11"),))
    for number in range(3):
        at_once(
            lambda: put(public, paper("site", pmid="11"), notice),
            *(lambda c=c: put(c, paper("hidden", pmid="11")) for c in hidden),
        )
        works.drain_all()

        marks = set(Document.objects.exclude(external_id="notice").values_list("retracted"))
        assert marks == {(True,)}, number
        Document.objects.all().delete()
        Work.objects.all().delete()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_drains_and_a_move_at_once_end_like_one():
    public = CorpusFactory(visibility="site")
    put(public, *(paper(str(n), doi=f"10.5555/{n}") for n in range(8)))
    Corpus.objects.update(visibility="private")

    at_once(works.sweep, works.drain_all, works.drain_all)
    works.drain_all()

    assert {w.scope for w in Work.objects.all()} == {f"corpus:{public.pk}"}
    assert Work.objects.count() == 8


@pytest.mark.django_db
class TestCommand:
    """bin/flux retractions --from FILE"""

    def call(self, path: Path, *more: str) -> Any:
        out = StringIO()
        with contextlib.suppress(SystemExit):
            call_command("retractions", "--from", str(path), "--json", *more, stdout=out)
        return json.loads(out.getvalue())

    def test_a_list_is_read_and_noted(self, tmp_path: Path):
        UserFactory(is_superuser=True, is_staff=True)
        put(CorpusFactory(), paper("a", pmid="11"))
        path = tmp_path / "list.tsv"
        path.write_text("pmid\treason\n11\tdata\nPMID: 12\n\nnot a number\n")

        assert self.call(path) == {"listed": 2, "new": 2, "documents": 0, "settled": 1}
        assert standing() == {"a": "r"}
        assert self.call(path) == {"listed": 2, "new": 0, "documents": 1, "settled": 0}

    def test_only_site_admins_may(self, tmp_path: Path):
        person = UserFactory()
        path = tmp_path / "list.txt"
        path.write_text("11\n")

        assert self.call(path, "--as", person.email)["error"]["code"] == "not_allowed"

    def test_a_file_without_pmids_or_absent_is_told(self, tmp_path: Path):
        UserFactory(is_superuser=True, is_staff=True)
        path = tmp_path / "list.txt"
        path.write_text("nothing here\n")

        assert "no PMIDs" in self.call(path)["error"]["message"]
        assert "cannot be read" in self.call(tmp_path / "absent")["error"]["message"]
