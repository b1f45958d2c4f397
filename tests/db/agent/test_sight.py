"""What a reader of a shared run may see of it."""

from __future__ import annotations

import json

import pytest

from agent.models import RunShare
from agent.services import runs
from flux_site.kernel.errors import NotFound
from tests.db.retrieval.library import embed
from tests.factories import CorpusFactory, MembershipFactory, TeamFactory, UserFactory
from tests.support.asking import answered, hold, library

pytestmark = [pytest.mark.django_db]
SECRET = "SOCS3 inhibits JAK2 in the unpublished zebrafish screen and ends IL-6 signalling."


@pytest.fixture
def starter():
    return UserFactory()


@pytest.fixture
def viewer():
    return UserFactory()


@pytest.fixture
def run(starter, viewer):
    """A run over an open corpus and one that the viewer may not read, shared with the viewer."""
    open_corpus = library(starter, slug="open")
    MembershipFactory(team=open_corpus.team, user=viewer)
    hidden = CorpusFactory(slug="hidden", team=TeamFactory(members=[starter]))
    hold(hidden, "secret", "Unpublished screen", SECRET)
    embed()
    made = answered(starter)
    RunShare.objects.create(run=made, user=viewer)
    return made


def seen(run, reader):
    events, _ = runs.events_for(run, runs.readable_ids(reader))
    return json.dumps([event.payload for event in events]), [event.kind for event in events]


def test_the_starter_sees_both_sources(run, starter):
    text, _ = seen(run, starter)
    assert "zebrafish" in text
    assert "Unpublished screen" in text


def test_a_viewer_sees_nothing_of_the_hidden_corpus(run, viewer):
    text, kinds = seen(run, viewer)
    result = json.dumps(runs.result_for(run, viewer))
    for trace in ("zebrafish", "Unpublished", "secret", "hidden"):
        assert trace not in text
        assert trace not in result
    assert {"start", "citations", "final", "done"} <= set(kinds)


def test_what_is_left_is_whole(run, viewer):
    final = runs.result_for(run, viewer)["final"]
    ids = {citation["id"] for citation in final["citations"]}
    assert final["claims"]
    assert all(set(claim["citations"]) <= ids for claim in final["claims"])
    assert final["answer"] == "\n\n".join(claim["text"] for claim in final["claims"])
    cited = {citation["external_id"] for citation in final["citations"]}
    assert cited <= {"socs3", "stat3", "museum"}


def test_inner_marks_do_not_leave(run, starter, viewer):
    for reader in (starter, viewer):
        text, _ = seen(run, reader)
        assert '"_' not in text


def test_a_viewer_of_no_corpus_sees_that_there_was_an_answer_and_no_more(run):
    nobody = UserFactory()
    text, _ = seen(run, nobody)
    assert "JAK2" not in text.replace(run.question, "")
    final = runs.result_for(run, nobody)["final"]
    assert (final["claims"], final["citations"]) == ([], [])


def test_an_abstention_names_no_hidden_corpus_or_title(starter, viewer):
    hidden = library(starter, slug="hidden")
    run = answered(starter, "Who painted the ceiling of the Sistine Chapel?")
    assert hidden.name in runs.result_for(run, starter)["final"]["answer"]
    text = json.dumps(runs.result_for(run, viewer)) + seen(run, viewer)[0]
    for trace in (hidden.name, "Opening hours", "museum"):
        assert trace not in text


def test_a_run_is_found_by_its_starter_and_those_it_is_shared_with(run, starter, viewer):
    assert runs.find(run.public_id, starter) == run
    assert runs.find(run.public_id, viewer) == run
    with pytest.raises(NotFound):
        runs.find(run.public_id, UserFactory())


def test_leaving_the_team_hides_its_part_at_once(run, starter):
    starter.memberships.filter(team__corpora__slug="hidden").delete()
    text, _ = seen(run, starter)
    assert "zebrafish" not in text
