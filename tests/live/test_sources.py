"""The real services still answer in the form that is read: one record each, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.services import fetching
from corpus.sources.registry import SOURCES

KNOWN = {
    "pubmed": "24808625",
    "openalex": "W2741809807",
    "reactome": "R-HSA-6805479",
    "wikipathways": "WP554",
}


@pytest.mark.parametrize("source", KNOWN)
def test_a_known_record_comes_and_is_read(source: str, settings: Any):
    settings.SOURCE_URLS = dict.fromkeys(fetching.LIVE, "")

    files = list(fetching.fetch_files(source, fetching.request_for(ids=KNOWN[source])))

    assert len(files) == 1
    if source in SOURCES:
        (record,) = SOURCES[source].parse(files[0][1], files[0][0])
        assert SOURCES[source].normalize(record).title
