"""Filters and questions as people write them."""

from __future__ import annotations

import uuid

import pytest

from flux_site.kernel.errors import InvalidInput
from retrieval.types import NO_FILTERS, Filters, Scores, cleaned_query


def test_filters_are_read_from_pairs() -> None:
    document = uuid.uuid4()
    filters = Filters.parse(
        [
            "year=2019",
            "year=2015-2017",
            "source=pubmed",
            "source=jats",
            f"document={document}",
            "retracted=TRUE",
            "section=Results",
            "tag=a b",
            "entity=HGNC:11364",
            "type=article",
            "content_type=table",
        ]
    )
    assert filters == Filters(
        years=((2019, 2019), (2015, 2017)),
        sources=("pubmed", "jats"),
        types=("article",),
        documents=(document,),
        retracted=True,
        sections=("Results",),
        tags=("a b",),
        entities=("HGNC:11364",),
        content_types=("table",),
    )
    assert filters
    assert not NO_FILTERS
    assert Filters.parse(["retracted=true", "retracted=false"]) == NO_FILTERS


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("year", "key=value"),
        ("year=", "key=value"),
        ("year=recent", "year"),
        ("colour=blue", "colour"),
        ("retracted=maybe", "true or false"),
        ("document=7", "id of a document"),
    ],
)
def test_a_bad_filter_is_explained(pair: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        Filters.parse([pair])


def test_a_question_is_cleaned() -> None:
    assert cleaned_query("  IL-6\x00\n and\tSTAT3 ") == "IL-6 and STAT3"
    for empty in ("", " \n", "\x00\x01"):
        with pytest.raises(InvalidInput, match="empty"):
            cleaned_query(empty)


def test_scores_keep_what_is_unknown_apart_from_zero() -> None:
    assert Scores(dense=0.0).as_json()["dense"] == 0.0
    assert Scores().as_json()["dense"] is None
