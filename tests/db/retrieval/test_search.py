"""What a reader finds, what they do not, and what happens when a part is missing."""

from __future__ import annotations

import shutil
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from corpus.models import ChunkVector, Corpus
from flux_site.kernel.errors import InvalidInput, NotFound
from retrieval.legs.lexical import reader_of
from retrieval.lexical.index import IndexFolders
from retrieval.services.search import search
from retrieval.stages.explain import Explain
from retrieval.stages.state import SearchState
from retrieval.types import Filters, Query, Ranked, Scope, ScopedCorpus
from tests.db.retrieval.library import add, embed, index
from tests.factories import CorpusFactory, TeamFactory, UserFactory

pytestmark = pytest.mark.django_db

STAT3 = "IL-6 activates STAT3 in hepatocytes through JAK1."
SOCS3 = "SOCS3 inhibits JAK2 and ends the cytokine signal."
MUSEUM = "The museum opens at nine on Sundays."


@pytest.fixture(autouse=True)
def small_encoder(settings: Any) -> None:
    settings.DEFAULT_ENCODER = "hashing"


@pytest.fixture
def reader() -> User:
    return UserFactory()


@pytest.fixture
def corpus(reader: User) -> Corpus:
    return CorpusFactory(slug="cytokines", team=TeamFactory(members=[reader]))


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    add(corpus, "a", STAT3, title="Interleukin-6 signalling", year=2019, tags=["jak"])
    add(corpus, "b", SOCS3, MUSEUM, title="Feedback", year=2021, section=["Results", "Ends"])
    embed()
    index()
    return corpus


def ids(result: Any) -> list[tuple[str, int]]:
    return [(hit.external_id, hit.chunk_index) for hit in result.hits]


def test_every_hit_says_where_it_stands_and_why(reader: User, filled: Corpus) -> None:
    result = search("Does IL6 activate STAT3?", reader=reader)

    assert ids(result)[0] == ("a", 0)
    assert result.legs == ("dense", "lexical")
    assert result.notes == ()
    assert [hit.rank for hit in result.hits] == [1, 2, 3]
    first = result.hits[0]
    assert first.scores.lexical_rank == 1
    assert all(hit.scores.dense is not None for hit in result.hits)
    assert any("il-6" in reason and "stat3" in reason for reason in first.why)
    assert [hit.score for hit in result.hits] == sorted(
        (hit.score for hit in result.hits), reverse=True
    )
    shown = result.as_json()
    assert {"rank", "chunk_id", "source", "external_id", "title", "text", "page", "section"} <= set(
        shown["hits"][0]
    )
    assert shown["timings"]["total_ms"] > 0
    assert [step["stage"] for step in shown["trace"]] == ["analyse", "search", "merge", "explain"]


def test_no_database_number_is_shown(reader: User, filled: Corpus) -> None:
    shown = search("STAT3", reader=reader).as_json()["hits"][0]
    assert not [key for key in shown if key.endswith("pk")]
    assert uuid.UUID(shown["chunk_id"])
    assert uuid.UUID(shown["document_id"])


def test_a_stranger_finds_nothing_and_cannot_name_the_corpus(filled: Corpus) -> None:
    stranger = UserFactory()

    assert search("STAT3", reader=stranger).hits == ()
    with pytest.raises(NotFound) as hidden:
        search("STAT3", reader=stranger, corpora=["cytokines"])
    with pytest.raises(NotFound) as absent:
        search("STAT3", reader=stranger, corpora=["nothing-such"])
    assert hidden.value.message.replace("cytokines", "nothing-such") == absent.value.message


@pytest.mark.slow
def test_hidden_documents_do_not_move_a_score(reader: User, filled: Corpus) -> None:
    before = search("JAK1 in hepatocytes", reader=reader)
    hidden = CorpusFactory()
    for number in range(30):
        add(hidden, f"h{number}", "JAK1 in hepatocytes. JAK1 again.", title="JAK1")
    embed()
    index()
    after = search("JAK1 in hepatocytes", reader=reader)

    assert [hit.scores for hit in after.hits] == [hit.scores for hit in before.hits]
    assert ids(after) == ids(before)
    assert after.index_version == before.index_version


def test_a_passage_is_fetched_only_for_who_may_read_it(reader: User, filled: Corpus) -> None:
    hidden = add(CorpusFactory(), "h", "A hidden passage.").chunks.get()
    mine = filled.chunks.first()
    scoped = [
        ScopedCorpus(c.pk, c.public_id, c.slug, c.revision, c.chunk_count)
        for c in (filled, hidden.corpus)
    ]
    state = SearchState(Query("q", Scope(tuple(scoped))), reader)
    state = replace(state, ranked=(Ranked(hidden.pk, 2.0), Ranked(mine.pk, 1.0)))

    assert [hit.chunk_pk for hit in Explain()(state).hits] == [mine.pk]


def test_one_record_in_two_corpora_is_one_hit(reader: User, filled: Corpus) -> None:
    other = CorpusFactory(slug="second", team=filled.team)
    add(other, "a", STAT3, title="Interleukin-6 signalling", year=2019)
    embed()
    index()

    result = search("IL-6 STAT3 hepatocytes", reader=reader)

    assert ids(result).count(("a", 0)) == 1
    hit = next(hit for hit in result.hits if hit.external_id == "a")
    assert {hit.corpus, *hit.also_in} == {"cytokines", "second"}
    assert [row.external_id for row in search("IL-6", reader=reader, limit=1).hits] == ["a"]


def test_a_missing_vector_is_said_and_the_passage_still_found(reader: User, filled: Corpus) -> None:
    chunk = filled.chunks.get(text=STAT3)
    ChunkVector.objects.filter(chunk=chunk).delete()

    hit = search("STAT3 hepatocytes", reader=reader).hits[0]

    assert hit.chunk_id == chunk.public_id
    assert hit.scores.dense is None
    assert hit.as_json()["scores"]["dense"] is None


def test_legs_and_fusions_can_be_chosen(reader: User, filled: Corpus) -> None:
    words = search("SOCS3 JAK2", reader=reader, legs=("lexical",))
    meaning = search("SOCS3 JAK2", reader=reader, legs=("dense",))
    rrf = search("SOCS3 JAK2", reader=reader, fusion="rrf")
    cc = search("SOCS3 JAK2", reader=reader, fusion="cc")

    assert ids(words) == [("b", 0)]
    assert words.hits[0].score == words.hits[0].scores.bm25
    assert len(meaning.hits) == 3
    assert meaning.hits[0].score == meaning.hits[0].scores.dense
    assert rrf.hits[0].score == rrf.hits[0].scores.rrf == pytest.approx(2 / 61)
    assert cc.hits[0].score == cc.hits[0].scores.cc
    assert (rrf.fusion, cc.fusion) == ("rrf", "cc")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (["year=2019"], {("a", 0)}),
        (["year=2020-2022"], {("b", 0), ("b", 1)}),
        (["year=2019", "year=2021"], {("a", 0), ("b", 0), ("b", 1)}),
        (["section=ENDS"], {("b", 0), ("b", 1)}),
        (["tag=jak"], {("a", 0)}),
        (["tag=jak", "year=2021"], set()),
        (["source=jsonl", "type=article"], {("a", 0), ("b", 0), ("b", 1)}),
        (["source=pubmed"], set()),
        (["retracted=true"], set()),
        (["retracted=false", "retracted=true"], {("a", 0), ("b", 0), ("b", 1)}),
        (["content_type=table"], set()),
    ],
)
@pytest.mark.parametrize("leg", ["dense", "lexical"])
def test_filters_act_inside_each_leg(
    reader: User, filled: Corpus, leg: Any, filters: list[str], expected: set[tuple[str, int]]
) -> None:
    asked = "STAT3 SOCS3 museum"
    result = search(asked, reader=reader, filters=Filters.parse(filters), legs=(leg,))
    assert set(ids(result)) == expected


@pytest.mark.parametrize("leg", ["dense", "lexical"])
def test_a_document_filter_takes_ids_of_readable_documents(
    reader: User, filled: Corpus, leg: Any
) -> None:
    wanted = filled.documents.get(external_id="a")
    hidden = add(CorpusFactory(), "h", STAT3)
    embed()
    index()

    for document, found in ((wanted, [("a", 0)]), (hidden, [])):
        filters = Filters(documents=(document.public_id,))
        result = search("STAT3", reader=reader, filters=filters, legs=(leg,))
        assert ids(result) == found


def test_without_an_index_meaning_answers_and_says_so(reader: User, filled: Corpus) -> None:
    shutil.rmtree(IndexFolders(reader_root()).corpus(filled.public_id))

    result = search("Does IL6 activate STAT3?", reader=reader)

    assert result.legs == ("dense",)
    assert any("by meaning" in note for note in result.notes)
    assert len(result.hits) == 3


def test_a_damaged_index_is_reported_for_mending(reader: User, filled: Corpus) -> None:
    folders = IndexFolders(reader_root())
    for path in folders.current(filled.public_id).iterdir():
        if path.suffix not in (".json", ".lock"):
            path.write_bytes(b"damaged")
    reader_of(reader_root()).close()

    result = search("Does IL6 activate STAT3?", reader=reader)

    assert result.legs == ("dense",)
    assert folders.suspects() == [filled.public_id]
    follower = index()
    follower.mend_suspects()
    assert folders.suspects() == []
    assert search("STAT3", reader=reader).legs == ("dense", "lexical")


def test_without_vectors_words_answer_and_say_so(reader: User, corpus: Corpus) -> None:
    add(corpus, "a", STAT3)
    index()

    result = search("STAT3", reader=reader)

    assert result.legs == ("lexical",)
    assert any("Only words" in note or "only words" in note for note in result.notes)
    assert ids(result) == [("a", 0)]


def test_a_missing_model_leaves_the_words(
    reader: User, filled: Corpus, settings: Any, tmp_path: Path
) -> None:
    from corpus.encoding import hub
    from corpus.encoding.registry import encoders
    from corpus.models import Encoder

    absent = hub.HubModel(name="absent", path=tmp_path)
    encoders.register("absent", lambda: hub.load(absent))
    Encoder.objects.create(name="absent", dimension=8, weights_sha256="0" * 64)
    settings.DEFAULT_ENCODER = "absent"

    result = search("STAT3", reader=reader)

    assert result.legs == ("lexical",)
    assert any(str(tmp_path) in note for note in result.notes)


def test_a_question_without_a_known_word_is_answered_by_meaning(
    reader: User, filled: Corpus
) -> None:
    result = search("zzz qqq", reader=reader)
    assert result.legs == ("dense", "lexical")
    assert all(hit.scores.bm25 is None for hit in result.hits)
    assert search("the of and", reader=reader).notes == ()


def test_an_empty_library_answers_with_nothing(reader: User, corpus: Corpus) -> None:
    index()
    assert search("STAT3", reader=reader).hits == ()
    assert search("STAT3", reader=reader, corpora=["cytokines"]).hits == ()


@pytest.mark.parametrize(
    ("query", "options", "words"),
    [
        ("", {}, "empty"),
        (" \x00 \n", {}, "empty"),
        ("a" * 100_000, {}, "100,000"),
        ("q", {"limit": 0}, "limit"),
        ("q", {"limit": 5_001}, "limit"),
        ("q", {"fusion": "sum"}, "fusion"),
        ("q", {"legs": ()}, "leg"),
        ("q", {"legs": ("graph",)}, "leg"),
    ],
)
def test_bad_input_is_refused_in_words(
    reader: User, query: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        search(query, reader=reader, **options)


@pytest.mark.parametrize(
    "spellings",
    [("TGF-β1", "TGFβ1", "TGF-beta 1"), ("α-synuclein", "alpha-synuclein")],  # the second is A21
)
def test_all_spellings_of_a_name_find_the_same_ten(
    reader: User, corpus: Corpus, spellings: tuple[str, ...]
) -> None:
    names = (*spellings, *spellings, *spellings, *spellings, *spellings)[:10]
    for n, name in enumerate((*names, *["The beta version of a museum"] * 10)):
        add(corpus, f"d{n}", f"{name} was seen here. " + "It binds nothing. " * n)
    embed()
    index()

    for spelling in spellings:
        hits = search(spelling, reader=reader, limit=10, legs=("lexical",)).hits
        assert {hit.external_id for hit in hits} == {f"d{n}" for n in range(10)}


def test_odd_characters_are_no_error(reader: User, filled: Corpus) -> None:
    for query in ("STAT3\x00 in liver", 'IL-6 AND (STAT3 OR "x', "* ? ~ ^2 title:x [a TO b]", "🧬"):
        search(query, reader=reader)
    assert ids(search("STAT3\x00 hepatocytes", reader=reader))[0] == ("a", 0)


def test_the_index_version_follows_the_corpora_in_scope(reader: User, filled: Corpus) -> None:
    other = CorpusFactory(team=filled.team)
    one = search("q", reader=reader, corpora=["cytokines"]).index_version
    both = search("q", reader=reader).index_version
    add(other, "x", "Text.")

    assert one != both
    assert search("q", reader=reader, corpora=["cytokines"]).index_version == one
    assert search("q", reader=reader).index_version != both


def test_a_change_that_is_not_indexed_yet_is_said(reader: User, filled: Corpus) -> None:
    from retrieval.lexical import position

    at = position.read(reader_root())
    assert at is not None
    position.write(reader_root(), replace(at, xid=0, change=0))
    assert any("still being indexed" in note for note in search("STAT3", reader=reader).notes)


def reader_root() -> Path:
    from django.conf import settings

    return settings.LEXICAL_ROOT
