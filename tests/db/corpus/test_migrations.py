"""Data that an earlier release stored is there after its migrations."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from corpus.services import works
from tests.support.papers import papers, standing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def migrate(name: str) -> Any:
    """Bring corpus to a migration; the models as they were then."""
    executor = MigrationExecutor(connection)
    executor.loader.build_graph()
    # All apps at the end: going back takes along what depends on corpus.
    targets = executor.loader.graph.leaf_nodes() if name == "latest" else [("corpus", name)]
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


@pytest.fixture
def at_0003() -> Any:
    yield migrate("0003_document_pipeline")
    migrate("latest")


@pytest.fixture
def at_0022() -> Any:
    yield migrate("0022_figure_words")
    migrate("latest")


def test_relations_move_into_rows_of_their_own(at_0003: Any) -> None:
    old = at_0003
    team = old.get_model("accounts", "Team").objects.create(name="Lab", slug="lab")
    corpus = old.get_model("corpus", "Corpus").objects.create(team=team, slug="c", name="C")
    old.get_model("corpus", "Document").objects.create(
        corpus=corpus,
        source="reactome",
        external_id="R-HSA-1",
        relations=[
            {
                "subject": "reactome:R-HSA-1",
                "predicate": "contains",
                "object": "reactome:R-HSA-2",
                "sign": 0,
                "subject_label": "A",
                "object_label": "B",
                "subject_kind": "pathway",
                "object_kind": "reaction",
                "record": "R-HSA-1",
                "pmids": ["1", "2"],
            },
            {"subject": "x", "predicate": "inhibits", "object": "y", "sign": -1, "pmids": []},
        ],
    )
    new = migrate("latest")
    rows = list(new.get_model("corpus", "RelationDraft").objects.order_by("position").values())
    assert [(row["subject"], row["object"], row["sign"]) for row in rows] == [
        ("reactome:R-HSA-1", "reactome:R-HSA-2", 0),
        ("x", "y", -1),
    ]
    assert rows[0]["pmids"] == ["1", "2"]
    assert rows[0]["object_label"] == "B"


@pytest.fixture
def at_0006() -> Any:
    yield migrate("0006_drop_document_relations")
    migrate("latest")


def test_works_that_all_readers_shared_are_made_anew_within_scopes(at_0006: Any) -> None:
    old = at_0006
    team = old.get_model("accounts", "Team").objects.create(name="Lab", slug="lab")
    work = old.get_model("corpus", "Work").objects.create(pmid="11", doi="10.5555/a")
    for visibility, retracted in (("site", False), ("private", True)):
        corpus = old.get_model("corpus", "Corpus").objects.create(
            team=team, slug=visibility, name=visibility, visibility=visibility
        )
        old.get_model("corpus", "Document").objects.create(
            corpus=corpus,
            source="pubmed",
            external_id=visibility,
            identifiers={"pmid": "11", "doi": "10.5555/a"},
            retracted=retracted,
            work=work,
        )
    migrate("latest")

    works.drain_all()

    assert standing() == {"site": "", "private": "r"}
    assert papers() == {frozenset({"site"}), frozenset({"private"})}


def test_watched_folders_stay_what_they_were(at_0022: Any) -> None:
    old = at_0022
    team = old.get_model("accounts", "Team").objects.create(name="Lab", slug="lab")
    corpus = old.get_model("corpus", "Corpus").objects.create(team=team, slug="c", name="C")
    folder = old.get_model("corpus", "WatchedFolder").objects.create(corpus=corpus, path="/inbox")
    folder.files.create(name="a.jsonl", stamp="1", seen_at=timezone.now(), taken=True)

    row = migrate("latest").get_model("corpus", "Watched").objects.get(corpus=corpus.pk)

    assert (row.pk, row.public_id, row.path) == (folder.pk, folder.public_id, "/inbox")
    assert (row.query, row.files.get().taken) == ("", True)
