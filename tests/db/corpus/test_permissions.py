"""Who may read and fill what."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.types import Role
from corpus.models import Chunk, Corpus, CorpusGrant, Document, IngestJob, Work
from corpus.services import corpora
from flux_site.kernel.errors import InvalidInput, NotFound
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    MembershipFactory,
    TeamFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def readable(user: object) -> set[Corpus]:
    return set(Corpus.objects.readable_by(user))


def test_a_stranger_sees_public_passages_and_not_anothers_upload():
    member, stranger = UserFactory.create_batch(2)
    lab = TeamFactory(members=[member])
    public = ChunkFactory(document__corpus__visibility="site")
    private = ChunkFactory(document__corpus__team=lab)

    assert set(Chunk.objects.visible_to(stranger)) == {public}
    assert set(Chunk.objects.visible_to(member)) == {public, private}


def test_anonymous_visitors_and_closed_accounts_see_nothing():
    closed = UserFactory(is_active=False)
    corpus = CorpusFactory(visibility="site", team=TeamFactory(owners=[closed]))

    assert readable(AnonymousUser()) == set()
    assert readable(closed) == set()
    assert readable(UserFactory()) == {corpus}


def test_a_site_admin_has_no_wider_view():
    admin = UserFactory(is_superuser=True, is_staff=True)
    CorpusFactory(visibility="team")

    assert readable(admin) == set()


def test_a_private_corpus_is_for_owners_and_grants():
    owner, curator, guest = UserFactory.create_batch(3)
    corpus = CorpusFactory(
        visibility="private", team=TeamFactory(owners=[owner], members=[curator])
    )
    CorpusGrant.objects.create(corpus=corpus, user=guest, role=Role.READER.value)

    assert readable(owner) == readable(guest) == {corpus}
    assert readable(curator) == set()


def test_a_grant_to_a_team_reaches_its_members_with_its_role():
    guest = UserFactory()
    corpus = CorpusFactory(visibility="team")
    CorpusGrant.objects.create(
        corpus=corpus, team=TeamFactory(readers=[guest]), role=Role.CURATOR.value
    )

    assert corpus in Corpus.objects.with_role(guest, Role.CURATOR)


def test_reading_a_site_corpus_gives_no_right_to_fill_it():
    reader = UserFactory()
    corpus = CorpusFactory(visibility="site")

    assert corpus in Corpus.objects.with_role(reader, Role.READER)
    assert corpus not in Corpus.objects.with_role(reader, Role.CURATOR)


def test_leaving_a_team_ends_it_at_once():
    member = UserFactory()
    corpus = CorpusFactory(team=TeamFactory(members=[member]))
    assert readable(member) == {corpus}

    member.memberships.filter(team=corpus.team).delete()

    assert readable(member) == set()


def test_several_ways_to_a_document_show_it_once():
    user = UserFactory()
    team = TeamFactory(owners=[user])
    corpus = CorpusFactory(team=team, visibility="site")
    CorpusGrant.objects.create(corpus=corpus, user=user, role=Role.READER.value)
    CorpusGrant.objects.create(corpus=corpus, team=team, role=Role.READER.value)
    document = DocumentFactory(corpus=corpus)

    assert list(Document.objects.visible_to(user)) == [document]


def test_a_work_is_seen_through_its_readable_documents():
    user = UserFactory()
    seen, hidden = Work.objects.create(pmid="1"), Work.objects.create(pmid="2")
    DocumentFactory(corpus__visibility="site", work=seen)
    DocumentFactory(work=hidden)

    assert set(Work.objects.visible_to(user)) == {seen}


def test_jobs_are_for_those_who_may_fill_the_corpus():
    reader, curator = UserFactory.create_batch(2)
    corpus = CorpusFactory(team=TeamFactory(readers=[reader], members=[curator]))
    job = IngestJob.objects.create(corpus=corpus, source="jsonl")

    assert list(IngestJob.objects.visible_to(reader)) == []
    assert list(IngestJob.objects.visible_to(curator)) == [job]


def test_a_hidden_corpus_is_named_like_one_that_does_not_exist():
    stranger = UserFactory()
    hidden = CorpusFactory()

    with pytest.raises(NotFound) as of_hidden:
        corpora.find(hidden.slug, stranger)
    with pytest.raises(NotFound) as of_absent:
        corpora.find("nothing-here", stranger)
    assert of_hidden.value.message.replace(hidden.slug, "X") == of_absent.value.message.replace(
        "nothing-here", "X"
    )


def test_a_name_that_two_teams_use_asks_which():
    user = UserFactory()
    one, two = (
        CorpusFactory(slug="papers", team=MembershipFactory(user=user).team) for _ in range(2)
    )

    with pytest.raises(InvalidInput, match="Several"):
        corpora.find("papers", user)
    assert corpora.find(f"{one.team.slug}/papers", user) == one
    assert corpora.find(str(two.public_id), user) == two


def test_a_curator_can_use_the_private_corpus_that_they_made():
    curator, colleague = UserFactory.create_batch(2)
    team = TeamFactory(members=[curator], researchers=[colleague])

    corpus = corpora.create("Mine", team, visibility="private", by=curator)

    assert set(Corpus.objects.with_role(curator, Role.CURATOR)) == {corpus}
    assert not Corpus.objects.readable_by(colleague).exists()
