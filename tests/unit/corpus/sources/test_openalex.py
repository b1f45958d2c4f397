"""OpenAlex works of every schema; abstracts put back in order."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.openalex.abstracts import plain, rebuild
from corpus.sources.openalex.normalizer import normalize
from corpus.sources.openalex.parser import Work, parse
from corpus.types import NormalizedDocument


def read(value: Any, name: str = "answer.json") -> list[NormalizedDocument]:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return [normalize(item) for item in parse(data, name) if isinstance(item, Work)]


def work(**fields: Any) -> NormalizedDocument:
    (document,) = read({"id": "https://openalex.org/W1", "title": "T", **fields})
    return document


@pytest.fixture
def page(data: Path) -> list[NormalizedDocument]:
    return read((data / "openalex" / "page.json").read_bytes())


def test_a_page_gives_its_works_and_names_what_cannot_be_read(data: Path) -> None:
    records = list(parse((data / "openalex" / "page.json").read_bytes(), "page.json"))
    assert [record.id for record in records if isinstance(record, Work)] == ["W9001", "W9004"]
    empty, other = (record for record in records if isinstance(record, Broken))
    assert (empty.name, empty.reason) == ("W9005", "W9005 has neither title nor abstract.")
    assert "describes a source" in other.reason


def test_a_work_becomes_an_article(page: list[NormalizedDocument]) -> None:
    first = page[0]
    ids = first.identifiers
    assert (first.type, first.external_id, first.title) == (
        "article", "W9001", "Widgets & gadgets",
    )  # fmt: skip
    assert (ids.doi, ids.pmid, ids.pmcid, ids.openalex) == (
        "10.5555/abc.1", "12345", "PMC678", "W9001",
    )  # fmt: skip
    assert [(block.text, block.section) for block in first.blocks] == [
        ("Old R&D beats R&D twice.", ("Abstract",)),
    ]
    assert (first.authors, first.journal) == (("Ann Author", "B. Bee"), "Journal of R&D")
    assert (first.published, first.language, first.licence) == ("2024-05-06", "en", "cc-by")
    assert first.retracted
    assert not first.note


def test_topics_keywords_headings_and_fitting_concepts_are_tags(
    page: list[NormalizedDocument],
) -> None:
    assert page[0].tags == ("Widget Science", "widget", "older form", "Gadgets")


def test_concepts_alone_are_tags_of_older_works() -> None:
    concepts = [{"display_name": "Cell", "score": 0.5}, {"display_name": "Far", "score": 0.1}]
    assert work(concepts=concepts).tags == ("Cell",)


def test_references_are_relations_without_the_work_itself(
    page: list[NormalizedDocument],
) -> None:
    assert [(r.subject, r.predicate, r.object) for r in page[0].relations] == [
        ("openalex:W9001", "cites", "openalex:W9002"),
    ]


def test_places_to_read_a_work_are_kept(page: list[NormalizedDocument]) -> None:
    metadata = page[0].metadata
    assert metadata["open_access"] == {"status": "green", "url": "https://example.org/a.pdf"}
    assert metadata["locations"] == [{
        "venue": "Repository", "kind": "repository", "licence": "cc-by",
        "version": "acceptedVersion", "is_oa": True, "url": "https://example.org/a",
        "pdf": "https://example.org/a.pdf",
    }]  # fmt: skip
    assert (metadata["volume"], metadata["pages"], metadata["funders"]) == (
        "7",
        "11-19",
        ["A Fund"],
    )
    assert metadata["revised"] == "2025-01-02T03:04:05.6"


def test_a_work_without_abstract_is_told_from_its_facts(page: list[NormalizedDocument]) -> None:
    second = page[1]
    assert (second.type, second.blocks[0].kind) == ("book", "record")
    assert second.blocks[0].text == "Of 2026. Published in 2026. Topics: Widget Science."
    assert "no abstract" in second.note
    assert second.metadata["funders"] == ["A Fund"]


def test_words_stand_at_each_of_their_places() -> None:
    """A09."""
    index = {"it": [0, 3], "is": [1, 4], "new": [2], "old": [5]}
    assert rebuild(index).paragraphs == ("it is new it is old",)


@pytest.mark.parametrize("key", ["R&amp;amp;D", "R&amp;D", "R&D"])
def test_entities_are_resolved_however_often_escaped(key: str) -> None:
    """A10."""
    assert rebuild({key: [0]}).paragraphs == ("R&D",)


def test_missing_words_leave_a_mark_and_are_counted() -> None:
    document = work(abstract_inverted_index={"late": [3], "one": [5], "two": [9]})
    assert document.blocks[0].text == "late […] one […] two"
    assert document.metadata["missing_words"] == 4
    assert document.note == "Words of the abstract that OpenAlex lacks: 4; each gap is marked […]."


def test_two_words_at_one_place_are_both_kept() -> None:
    assert rebuild({"a": [0], "b": [1], "c": [1]}).paragraphs == ("a b c",)


def test_a_place_far_out_costs_nothing() -> None:
    found = rebuild({"a": [0], "b": [10**12], "c": [True, -1, 1.5, None, "2"], "d": 7})
    assert found.paragraphs == ("a […] b",)


def test_markup_goes_and_comparisons_stay() -> None:
    assert plain("<i>TP53</i> at 10<sup>6</sup>, p < 0.05 &lt;b and c&gt; d") == (
        "TP53 at 10^6, p < 0.05 <b and c> d"
    )
    words = ["<jats:p>One.</jats:p>", "<jats:p>Two.</jats:p>"]
    assert rebuild({word: [place] for place, word in enumerate(words)}).paragraphs == (
        "One.", "Two.",
    )  # fmt: skip


_words = st.text(
    st.characters(exclude_characters="&<>", exclude_categories=("Cs", "Cc", "Co", "Cn", "Cf")),
    min_size=1,
    max_size=12,
).map(lambda word: one_line(word).replace(" ", ""))


@given(st.lists(_words.filter(bool), min_size=1, max_size=60))
def test_an_inverted_abstract_comes_back_word_by_word(words: list[str]) -> None:
    index: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        index[word].append(place)
    found = rebuild(index)
    assert (found.paragraphs, found.missing) == ((one_line(" ".join(words)),), 0)


@pytest.mark.parametrize(
    "value",
    [
        {"open_access": {"is_oa": True}, "doi": "https://doi.org/10.1/x"},
        {"id": "https://openalex.org/C1", "display_name": "X"},
        {"id": "https://openalex.org/T1", "display_name": "X"},
        {"meta": {}, "results": []}, {"meta": {}, "results": [{"id": "https://openalex.org/A1"}]},
        {"error": "Invalid query", "message": "x"}, {"stId": "R-HSA-1"}, [], {}, 7, None, "text",
    ],
)  # fmt: skip
def test_other_answers_are_not_this_source(value: object) -> None:
    with pytest.raises(NotThisSource):
        list(parse(json.dumps(value).encode(), "answer.json"))


def test_a_narrow_answer_says_what_to_fetch() -> None:
    raw = b'{"open_access": {"is_oa": false}, "doi": "https://doi.org/10.1/x"}'
    with pytest.raises(NotThisSource, match=r"open_access alone, without an id.*Fetch"):
        list(parse(raw, "answer.json"))


def test_a_page_of_the_web_is_an_unknown_work() -> None:
    with pytest.raises(NotThisSource, match="does not know a work"):
        list(parse(b"<!doctype html>\n<title>404 Not Found</title>", "answer.json"))


@pytest.mark.parametrize(
    "raw", [b"{", b"\xff\xfe\x00", b"[" * 100_000, b'{"id": ' + b"9" * 10_000 + b"}"]
)
def test_what_is_no_json_is_named(raw: bytes) -> None:
    with pytest.raises(ParseError):
        list(parse(raw, "answer.json"))


def test_works_are_read_line_by_line() -> None:
    good = json.dumps({"id": "https://openalex.org/W1", "title": "T"}).encode()
    first, second = parse(b"{bad\n\n" + good, "works.jsonl")
    assert isinstance(first, Broken)
    assert isinstance(second, Work)
    with pytest.raises(NotThisSource, match="Line 1 is not JSON"):
        list(parse(b"{bad\n", "works.jsonl"))


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
_keys = st.sampled_from(
    [
        "ids", "doi", "title", "publication_year", "publication_date", "primary_location", "biblio",
        "best_oa_location", "open_access", "authorships", "locations", "topics", "concepts", "mesh",
        "keywords", "referenced_works", "related_works", "grants", "funders", "language", "type",
        "abstract_inverted_index", "host_venue", "updated_date", "cited_by_count",
    ]
)  # fmt: skip


@given(st.dictionaries(_keys, _json, max_size=8))
def test_fields_of_any_shape_harm_nothing(fields: dict[str, Any]) -> None:
    value = {"display_name": "T", **fields, "id": "https://openalex.org/W1"}
    for record in parse(json.dumps(value).encode(), "answer.json"):
        if isinstance(record, Work):
            document = normalize(record)
            assert document.external_id == "W1"
            assert "\x00" not in json.dumps(dict(document.metadata), ensure_ascii=False)


REAL = {
    "hashiya/works_page_cursor.json": (1, 1, 1), "openalex-python/W2741809807.json": (1, 1, 0),
    "openalex-python/W-api-response.json": (1, 1, 0), "pubmed-watch/openalex_works.json": (3, 0, 0),
    "paper-qa/test_doi_search_paper_attributes0.json": (1, 0, 0),
    "paper-qa/test_doi_search_paper_attributes1.json": (1, 0, 0),
    "paper-qa/test_doi_search_paper_attributes2.json": (1, 0, 0),
    "paper-qa/test_doi_search_paper_attributes3.json": (1, 1, 0),
    "paper-qa/test_doi_search_paper_attributes4.json": (1, 1, 0),
    "paper-qa/test_title_search_paper_attributes0.json": (1, 1, 0),
    "paper-qa/test_title_search_paper_attributes1.json": (1, 1, 0),
    "paper-qa/test_title_search_paper_attributes2.json": (2, 2, 0),
}  # fmt: skip


@pytest.mark.shared_data
def test_every_saved_answer_is_read_or_told_apart(shared_data: Path) -> None:
    """Works, those of them with an abstract, and broken ones of each file; six hold no work."""
    found, skipped = {}, 0
    for path in sorted((shared_data / "openalex").glob("*/*.json")):
        try:
            records = list(parse(path.read_bytes(), path.name))
        except NotThisSource:
            skipped += 1
            continue
        documents = [normalize(record) for record in records if isinstance(record, Work)]
        abstracts = sum(document.blocks[0].kind == "paragraph" for document in documents)
        broken = len(records) - len(documents)
        found[f"{path.parent.name}/{path.name}"] = (len(documents), abstracts, broken)
    assert found == REAL
    assert skipped == 6


@pytest.mark.shared_data
def test_a_name_escaped_twice_is_plain(shared_data: Path) -> None:
    raw = (shared_data / "openalex" / "pubmed-watch" / "openalex_works.json").read_bytes()
    assert read(raw)[0].journal == "Pediatrics & Neonatology"
