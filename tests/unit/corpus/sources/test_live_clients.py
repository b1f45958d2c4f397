"""Whatever an upstream answers, a fetch ends: with pages, or with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.sources.fetching import Request
from corpus.sources.kegg import client as kegg
from corpus.sources.openalex import client as openalex
from corpus.sources.pubmed import client as pubmed
from corpus.sources.reactome import client as reactome
from corpus.sources.wikipathways import client as wikipathways
from flux_site.kernel.errors import FluxError
from tests.support.replay import ReplayServer, Reply
from tests.support.upstreams import collect

FETCHES: dict[str, tuple[Callable[..., Any], Callable[..., Any], Request]] = {
    "kegg": (partial(kegg.fetch, licensed=True), kegg.policy, Request(query="pathway/hsa")),
    "openalex": (openalex.fetch, openalex.policy, Request(query="x", limit=3)),
    "openalex ids": (openalex.fetch, openalex.policy, Request(ids=("W1", "10.1000/a"))),
    "pubmed": (pubmed.fetch, pubmed.policy, Request(query="x", limit=3)),
    "pubmed links": (pubmed.fetch, pubmed.policy, Request(query="cited-by:1")),
    "pubmed ids": (pubmed.fetch, pubmed.policy, Request(ids=("1",))),
    "reactome": (reactome.fetch, reactome.policy, Request(ids=("R-HSA-1",), limit=3)),
    "reactome top": (reactome.fetch, reactome.policy, Request(query="9606", limit=3)),
    "wikipathways": (wikipathways.fetch, wikipathways.policy, Request(query="a", limit=3)),
}
_LISTS = ("meta", "count", "results", "next_cursor", "organisms", "name", "pathways", "id")
_EVENTS = ("dbId", "stId", "schemaClass", "lastUpdatedDate", "revision", "a")
KEYS = st.sampled_from((*_LISTS, *_EVENTS))
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.sampled_from(["a", "Pathway", "R-HSA-2", "WP1"]),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=12,
)
XML = st.recursive(
    st.sampled_from(["", "7", "x", "<Count>7</Count>", "<WebEnv>w</WebEnv>", "<Id>5</Id>", "\x00"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["eSearchResult", "eLinkResult", "LinkSet", "PubmedArticleSet", "ERROR"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=10,
)
BODIES = st.one_of(JSON.map(lambda value: json.dumps(value).encode()), XML.map(str.encode))
ANSWERS = st.lists(st.one_of(BODIES, st.binary(max_size=60)), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def server() -> Iterator[ReplayServer]:
    with ReplayServer() as running:
        yield running


@pytest.mark.parametrize("name", FETCHES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(bodies=ANSWERS)
def test_any_answer_gives_pages_or_a_sentence(name, server, bodies):
    fetch, policy, request = FETCHES[name]
    left = list(bodies)
    server.script = lambda asked: Reply(left.pop(0) if left else b"", media_type="")

    pages, notes, sentence = [], [], "none"
    try:
        pages, notes = collect(fetch, server, policy, request)
    except FluxError as error:
        sentence = error.message

    assert sentence.strip()
    assert all(page.name and page.data for page in pages)
    assert all(notes)
