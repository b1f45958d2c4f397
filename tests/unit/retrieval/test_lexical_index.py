"""Indexes on disk: what is written is found, several are searched as one, damage is noticed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retrieval.lexical.analyser import query_terms
from retrieval.lexical.index import BrokenIndex, CorpusWriter, IndexFolders, build
from retrieval.lexical.reader import MAX_TERMS, LexicalReader, ResolvedFilters, idf
from retrieval.lexical.schema import FORMAT, Passage, tie_of
from retrieval.types import NO_FILTERS, Filters

NONE = ResolvedFilters(NO_FILTERS)
TOPICS = ("kinase", "receptor", "cytokine", "membrane", "mitosis", "ligase", "apoptosis")


def passage(number: int, text: str, **values: Any) -> Passage:
    """A passage of a document of its own."""
    defaults: dict[str, Any] = {
        "chunk": number,
        "public_id": uuid.UUID(int=number << 70),
        "document": number,
        "title": "",
        "section_path": [],
        "text": text,
        "content_type": "text",
        "source": "jsonl",
        "type": "article",
        "year": None,
        "retracted": False,
        "tags": [],
    }
    return Passage(**(defaults | values))


@pytest.fixture
def folders(tmp_path: Path) -> IndexFolders:
    return IndexFolders(tmp_path)


@pytest.fixture
def reader(tmp_path: Path) -> LexicalReader:
    return LexicalReader(tmp_path)


def found(
    reader: LexicalReader,
    corpora: list[uuid.UUID],
    question: str,
    filters: ResolvedFilters = NONE,
    limit: int = 100,
) -> list[tuple[int, float]]:
    result = reader.search(corpora, query_terms(question), filters=filters, limit=limit)
    return [(hit.chunk, hit.score) for hit in result.candidates]


def test_several_indexes_score_like_one(folders: IndexFolders, reader: LexicalReader) -> None:
    texts = [
        " ".join(TOPICS[(number * step) % 7] for step in range(1, 6)) + f" gene{number % 5}"
        for number in range(60)
    ]
    passages = [passage(number, text) for number, text in enumerate(texts)]
    one, left, right = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
    build(folders, one, passages)
    build(folders, left, passages[:20])
    build(folders, right, passages[20:])

    for question in ("kinase receptor", "gene3 apoptosis", "mitosis of the membrane"):
        together, apart = found(reader, [one], question), found(reader, [left, right], question)
        # Lengths are compared within a corpus: all are equal here, so the scores are too.
        assert dict(apart) == pytest.approx(dict(together), rel=1e-3)
        assert len(apart) > 10


def test_equal_scores_are_ordered_by_public_id(
    folders: IndexFolders, reader: LexicalReader
) -> None:
    corpora = [uuid.uuid4() for _ in range(3)]
    order = [7, 3, 9, 1, 8, 2]
    for place, corpus in enumerate(corpora):
        build(folders, corpus, [passage(n, "kinase") for n in order[2 * place : 2 * place + 2]])
    assert [chunk for chunk, _ in found(reader, corpora, "kinase")] == sorted(order)
    assert tie_of(uuid.UUID(int=2**128 - 1)) == 2**63 - 1


def test_a_title_weighs_more_than_the_text(folders: IndexFolders, reader: LexicalReader) -> None:
    corpus = uuid.uuid4()
    build(
        folders,
        corpus,
        [
            passage(1, "kinase and more words here", title="Membranes"),
            passage(2, "membranes and more words here", title="Kinase"),
        ],
    )
    assert [chunk for chunk, _ in found(reader, [corpus], "kinase")] == [2, 1]


def test_replacing_and_removing_documents(folders: IndexFolders, reader: LexicalReader) -> None:
    corpus = uuid.uuid4()
    build(folders, corpus, [passage(1, "kinase"), passage(2, "receptor")])
    writer = CorpusWriter(folders.current(corpus))
    writer.replace(1, [passage(11, "ligase", document=1), passage(12, "mitosis", document=1)])
    writer.replace(2, [])
    assert found(reader, [corpus], "kinase")  # nothing shows before the commit
    writer.commit()
    writer.close()

    assert found(reader, [corpus], "kinase receptor") == []
    assert {chunk for chunk, _ in found(reader, [corpus], "ligase mitosis")} == {11, 12}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(years=((2018, 2019),)), {1, 2}),
        (Filters(years=((2018, 2018), (2020, 2020))), {1, 3}),
        (Filters(years=((2030, 2020),)), set()),
        (Filters(retracted=True), {2}),
        (Filters(retracted=False), {1, 3, 4}),
        (Filters(sections=("results",)), {1}),
        (Filters(sections=("METHODS", "Results")), {1, 2}),
        (Filters(tags=("a",), sources=("pubmed",)), {2}),
        (Filters(types=("pathway",)), {3}),
        (Filters(entities=("hgnc:11364",)), {4}),
        (Filters(content_types=("table",)), {4}),
    ],
)
def test_filters_keep_scores_and_leave_out_the_rest(
    folders: IndexFolders, reader: LexicalReader, filters: Filters, expected: set[int]
) -> None:
    corpus = uuid.uuid4()
    build(
        folders,
        corpus,
        [
            passage(1, "kinase", year=2018, section_path=["Results", "Cells"], tags=["a"]),
            passage(
                2,
                "kinase kinase",
                year=2019,
                section_path=["Methods"],
                retracted=True,
                source="pubmed",
                tags=["a", "b"],
            ),
            passage(3, "kinase receptor", year=2020, type="pathway"),
            passage(4, "kinase mitosis", content_type="table", entities=["HGNC:11364", "STAT3"]),
        ],
    )
    everything = dict(found(reader, [corpus], "kinase"))
    kept = dict(found(reader, [corpus], "kinase", ResolvedFilters(filters)))
    assert kept == {chunk: everything[chunk] for chunk in expected}
    some = ResolvedFilters(NO_FILTERS, (2, 3))
    assert set(dict(found(reader, [corpus], "kinase", some))) == {2, 3}
    assert found(reader, [corpus], "kinase", ResolvedFilters(NO_FILTERS, ())) == []


def test_a_missing_index_is_named_and_the_others_answer(
    folders: IndexFolders, reader: LexicalReader
) -> None:
    there, absent = uuid.uuid4(), uuid.uuid4()
    build(folders, there, [passage(1, "kinase")])
    result = reader.search([there, absent], query_terms("kinase"), filters=NONE, limit=5)
    assert [hit.chunk for hit in result.candidates] == [1]
    assert result.missing == (absent,)


def test_damage_is_noticed_and_reported(folders: IndexFolders, reader: LexicalReader) -> None:
    corpus = uuid.uuid4()
    build(folders, corpus, [passage(1, "kinase")])
    (folders.current(corpus) / "meta.json").write_text("{}")

    assert reader.open(corpus) is None
    assert folders.suspects() == [corpus]
    with pytest.raises(BrokenIndex):
        CorpusWriter(folders.current(corpus))


def test_a_new_index_takes_the_place_of_the_old_while_it_is_read(
    folders: IndexFolders, reader: LexicalReader
) -> None:
    corpus = uuid.uuid4()
    build(folders, corpus, [passage(1, "kinase")])
    held = reader.open(corpus)
    assert held is not None
    folders.suspect(corpus)
    (folders.corpus(corpus) / "0.9").mkdir()  # another version's index

    assert build(folders, corpus, [passage(2, "kinase"), passage(3, "kinase")]) == 2

    assert held.searcher.num_docs == 1
    assert {chunk for chunk, _ in found(reader, [corpus], "kinase")} == {2, 3}
    assert [path.name for path in folders.corpus(corpus).iterdir()] == [FORMAT]
    folders.remove(corpus)
    assert reader.open(corpus) is None
    assert folders.known() == set()


def test_a_build_that_fails_leaves_the_old_index(
    folders: IndexFolders, reader: LexicalReader
) -> None:
    corpus = uuid.uuid4()
    build(folders, corpus, [passage(1, "kinase")])

    def lost() -> Iterator[Passage]:
        yield passage(2, "kinase")
        raise ConnectionError("the database went away")

    with pytest.raises(ConnectionError):
        build(folders, corpus, lost())

    assert not folders.is_building(corpus)
    assert [chunk for chunk, _ in found(reader, [corpus], "kinase")] == [1]
    build(folders, corpus, [passage(3, "kinase")])
    assert [chunk for chunk, _ in found(reader, [corpus], "kinase")] == [3]


def test_a_question_of_many_words_keeps_its_rarest(
    folders: IndexFolders, reader: LexicalReader
) -> None:
    corpus = uuid.uuid4()
    common = [f"word{n}" for n in range(2 * MAX_TERMS)]
    passages = [passage(n, " ".join(common)) for n in range(3)]
    build(folders, corpus, [*passages, passage(9, "rarity alone")])
    assert 9 in dict(found(reader, [corpus], " ".join([*common, "rarity"])))


def test_idf_is_positive_also_where_deleted_passages_still_count() -> None:
    assert idf(10, 1) > idf(10, 5) > idf(10, 10) > 0
    assert idf(3, 9) > 0
