"""Where the evidence panel finds a quote: its page or the two it runs over, and the links there."""

from __future__ import annotations

import pytest

from agent.web import evidence
from corpus.models import Chunk
from flux_site.kernel import blobs
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    PageFactory,
    TeamFactory,
    UserFactory,
)

FIRST = "STAT3 binds the promoter. "
OVER = "SOCS3 ends the signal by binding gp130."
LAST = " Cells then rest."

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader():
    return UserFactory()


@pytest.fixture
def passage(reader) -> Chunk:
    """A passage whose second sentence begins on page 2 and ends on page 3."""
    corpus = CorpusFactory(team=TeamFactory(readers=[reader]))
    paper = DocumentFactory(corpus=corpus, source="pdf", external_id="c" * 64)
    for number in (1, 2, 3):
        PageFactory(document=paper, number=number, image_sha256=blobs.put(b"picture"))
    turn = len(FIRST) + 15
    text = FIRST + OVER + LAST
    lines = [[0, turn, 2, 30, 700, 300, 712], [turn, len(text), 3, 30, 40, 300, 52]]
    return ChunkFactory(document=paper, text=text, page_start=2, page_end=3, lines=lines)


def shown(passage: Chunk, quote: str, reader) -> dict:
    quoted = evidence.Quoted(1, passage.public_id, quote=quote)
    (item,) = evidence.items([quoted], reader, open_first=False)
    return item


def test_a_quote_over_a_page_turn_is_marked_on_both_pages(passage, reader):
    item = shown(passage, OVER, reader)

    assert [sheet.label[:6] for sheet in item["sheets"]] == ["Page 2", "Page 3"]
    assert all(sheet.boxes for sheet in item["sheets"])
    assert item["page_line"] == "2 of 3"


def test_a_quote_on_the_second_page_opens_that_page(passage, reader):
    item = shown(passage, LAST.strip(), reader)

    (sheet,) = item["sheets"]
    start = len(FIRST + OVER) + 1
    assert sheet.label.startswith("Page 3")
    assert "/p/3/" in item["page_url"]
    assert item["page_url"].endswith(f"span={start}-{start + len(LAST) - 1}")
    assert f"span={start}-" in item["document_url"]


def test_without_a_quote_the_whole_passage_is_meant(passage, reader):
    item = shown(passage, "", reader)

    assert len(item["sheets"]) == 2
    assert "span=" not in item["page_url"]
