"""Curators say what is one paper and what is not, and it stays said."""

from __future__ import annotations

import pytest

from accounts.models import AuditEvent
from corpus.models import Work
from corpus.services import works
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.ingesting import curator_of
from tests.support.papers import paper, papers, put, standing

pytestmark = pytest.mark.django_db

DOI = "10.5555/abc.1"


def test_a_merge_holds_when_records_come_again():
    a, b = put(CorpusFactory(), paper("a", doi=DOI), paper("b", doi="10.5555/b", retracted=True))
    curator = curator_of(a.corpus)

    work = works.merge([a.work, b.work], by=curator)
    put(a.corpus, paper("a", doi=DOI, title="Another title"), paper("c", doi="10.5555/b"))

    assert papers() == {frozenset("abc")}
    assert work == Work.objects.get() == a.work
    assert set(standing().values()) == {"r"}
    event = AuditEvent.objects.get(action="work.merge")
    assert (event.actor, len(event.before["works"])) == (curator, 2)


def test_a_split_holds_when_records_come_again_and_a_merge_takes_it_back():
    a, b, _ = put(
        CorpusFactory(),
        paper("a", doi=DOI),
        paper("b", doi=DOI, retracted=True),
        paper("c", doi=DOI),
    )
    curator = curator_of(a.corpus)

    work = works.split(b, by=curator)
    put(a.corpus, paper("a", doi=DOI, title="Another title"))

    assert papers() == {frozenset("ac"), frozenset("b")}
    assert standing() == {"a": "", "b": "r", "c": ""}
    assert AuditEvent.objects.filter(action="work.split", target=str(b.public_id)).exists()

    a.refresh_from_db()
    works.merge([a.work, work], by=curator)
    assert papers() == {frozenset("abc")}


def test_who_may_not_see_learns_nothing_and_who_may_not_curate_is_told():
    a, b = put(CorpusFactory(), paper("a", doi=DOI), paper("b", pmid="11"))
    reader = MembershipFactory(team=a.corpus.team, role="reader").user

    for verb in (
        lambda by: works.merge([a.work, b.work], by=by),
        lambda by: works.split(a, by=by),
    ):
        with pytest.raises(NotFound):
            verb(UserFactory())
        with pytest.raises(NotAllowed):
            verb(reader)
    assert papers() == {frozenset("a"), frozenset("b")}


def test_works_of_other_readers_cannot_be_merged_and_one_alone_cannot_be_split():
    (a,) = put(CorpusFactory(), paper("a", doi=DOI))
    (b,) = put(CorpusFactory(), paper("b", doi="10.5555/b"))
    curator = curator_of(a.corpus)

    with pytest.raises(InvalidInput, match="different readers"):
        works.merge([a.work, b.work], by=curator)
    with pytest.raises(InvalidInput, match="two works"):
        works.merge([a.work], by=curator)
    with pytest.raises(InvalidInput, match="only one"):
        works.split(a, by=curator)
