"""What a corpus says of papers reaches its own readers and nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.types import Role
from corpus.models import Change, Corpus, CorpusGrant, Document, Unsettled, Work
from corpus.services import works
from corpus.types import Block
from tests.factories import CorpusFactory, TeamFactory, UserFactory
from tests.support.papers import TITLE, paper, papers, put, remove, standing

pytestmark = pytest.mark.django_db

DOI = "10.5555/abc.1"
NOTICE = paper("notice", pmid="99", said=(("retracts", "pmid:11"),))
BRIDGE = paper("bridge", doi=DOI, pmid="11")


def shown() -> list[Any]:
    """Every column of the site's documents and works, and their corpora's revisions."""
    return [
        list(Document.objects.filter(corpus__visibility="site").order_by("pk").values()),
        list(Work.objects.filter(scope="site").order_by("pk").values()),
        list(Corpus.objects.filter(visibility="site").order_by("pk").values()),
        list(Change.objects.filter(corpus__visibility="site").order_by("pk").values()),
    ]


@pytest.mark.parametrize("visibility", ["private", "team"])
def test_a_hidden_notice_and_a_hidden_bridge_change_nothing_on_the_site(visibility: str):
    put(CorpusFactory(visibility="site"), paper("a", doi=DOI), paper("b", pmid="11"))
    before = shown()

    (*_, own) = put(CorpusFactory(visibility=visibility), NOTICE, BRIDGE, paper("own", doi=DOI))

    assert shown() == before
    assert standing() == {"a": "", "b": "", "notice": "", "bridge": "r", "own": "r"}
    remove(own)
    assert shown() == before


def test_a_notice_of_the_site_reaches_hidden_records_whichever_came_first():
    early = CorpusFactory(visibility="private")
    put(early, paper("early", doi=DOI))
    public = CorpusFactory(visibility="site")
    _, notice = put(public, BRIDGE, NOTICE)
    put(CorpusFactory(), paper("late", pmid="11"))

    assert standing() == {"early": "r", "bridge": "r", "notice": "", "late": "r"}
    assert {d.work.public_work.pmid for d in Document.objects.exclude(corpus=public)} == {"11"}

    remove(notice)
    assert set(standing().values()) == {""}


def test_a_notice_of_the_site_without_its_paper_reaches_hidden_records():
    put(CorpusFactory(), paper("hidden", pmid="11"))

    put(CorpusFactory(visibility="site"), NOTICE)

    assert standing()["hidden"] == "r"


def test_a_hidden_file_is_matched_with_the_sites_record_by_title_and_author():
    text = (Block("Ada Lindqvist, Bo Ek. SOCS3 inhibits JAK2."),)
    put(
        CorpusFactory(visibility="private"),
        paper("file", source="pdf", title=TITLE, authors=(), published="", blocks=text),
        paper("other", title=TITLE, authors=("Cem Demir",)),
    )

    put(CorpusFactory(visibility="site"), paper("a", doi=DOI, title=TITLE, retracted=True))

    assert standing() == {"file": "r", "other": "", "a": "r"}


def test_corpora_of_one_team_share_works_and_one_with_a_grant_stands_alone():
    team = TeamFactory()
    one, two, granted, private = (
        CorpusFactory(team=team, visibility=v) for v in ("team", "team", "team", "private")
    )
    CorpusGrant.objects.create(corpus=granted, user=UserFactory(), role=Role.READER.value)

    for number, corpus in enumerate((one, two, granted, private)):
        put(corpus, paper(str(number), doi=DOI))

    assert papers() == {frozenset("01"), frozenset("2"), frozenset("3")}


def test_a_grant_to_the_own_team_shows_a_corpus_to_nobody_new():
    corpus = CorpusFactory()
    CorpusGrant.objects.create(corpus=corpus, team=corpus.team, role=Role.READER.value)

    assert works.scope_of(corpus) == f"team:{corpus.team_id}"


def change(corpus: Corpus, visibility: str) -> None:
    Corpus.objects.filter(pk=corpus.pk).update(visibility=visibility)


@pytest.mark.slow
def test_a_corpus_that_is_hidden_takes_its_facts_along():
    public = CorpusFactory(visibility="site")
    other = CorpusFactory(visibility="site")
    put(public, paper("a", doi=DOI), paper("b", pmid="11"))
    put(other, NOTICE, BRIDGE)
    assert standing()["a"] == "r"

    change(other, "private")
    works.sweep()
    works.drain_all()

    assert standing() == {"a": "", "b": "", "notice": "", "bridge": "r"}
    assert papers() == {frozenset({n}) for n in ("a", "b", "notice", "bridge")}
    assert not Unsettled.objects.exists()


def test_a_corpus_that_is_shown_joins_the_sites_works():
    public, hidden = CorpusFactory(visibility="site"), CorpusFactory(visibility="private")
    put(public, paper("a", doi=DOI), paper("b", pmid="11"))
    put(hidden, NOTICE, BRIDGE)

    change(hidden, "site")
    works.rescope(hidden)
    works.drain_all()

    assert standing() == {"a": "r", "b": "r", "notice": "", "bridge": "r"}
    assert papers() == {frozenset({"a", "b", "bridge"}), frozenset({"notice"})}


def test_a_move_that_was_cut_off_is_found_and_ended():
    corpus = CorpusFactory(visibility="site")
    put(corpus, paper("a", doi=DOI), paper("b", pmid="11"))
    change(corpus, "private")
    works.rescope(corpus)
    works.drain(batch=1)  # and the worker is gone

    assert {w.scope for w in Work.objects.all()} == {"site", f"corpus:{corpus.pk}"}
    works.sweep()
    works.drain_all()
    assert {w.scope for w in Work.objects.all()} == {f"corpus:{corpus.pk}"}
    works.drain_all()
    assert papers() == {frozenset("a"), frozenset("b")}


def test_a_notice_deleted_behind_our_back_is_missed():
    (document,) = put(CorpusFactory(visibility="site"), paper("a", pmid="11"))
    put(CorpusFactory(visibility="site"), NOTICE)
    Document.objects.filter(external_id="notice").delete()
    assert standing() == {"a": "r"}

    works.sweep()
    works.drain_all()

    assert standing() == {"a": ""}
    assert list(Work.objects.all()) == [document.work]


def test_documents_of_an_earlier_release_are_settled():
    corpus = CorpusFactory(visibility="site")
    put(corpus, paper("a", doi=DOI), paper("b", doi=DOI, retracted=True), paper("c", authors=()))
    Document.objects.update(work=None)
    Document.objects.filter(external_id="a").update(retracted=False)
    for document in Document.objects.all():
        document.statements.all().delete()
        type(document).identity.related.related_model.objects.filter(document=document).delete()
    Work.objects.all().delete()
    works.note(Document.objects.values_list("pk", flat=True))

    works.drain_all()

    assert papers() == {frozenset("ab"), frozenset("c")}
    assert standing() == {"a": "r", "b": "r", "c": ""}
