"""Passages: whole sentences within a page and a section, nothing lost, everything placed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.chunking import chunk, document_text
from corpus.chunking.sentences import split
from corpus.types import Block, Box, ChunkDraft, Line, NormalizedDocument

SENTENCE = "The kinase JAK2 phosphorylates STAT3 in response to interleukin 6 within minutes. "


def document(*blocks: Block, kind: str = "article") -> NormalizedDocument:
    return NormalizedDocument(kind, "jsonl", "1", "T", blocks=blocks)  # type: ignore[arg-type]


def box(page: int, row: int = 0) -> Box:
    return Box(page, 50.0, 100.0 + 12 * row, 300.0, 110.0 + 12 * row)


def test_sentences_are_packed_to_the_target_with_one_repeated() -> None:
    text = "".join(f"Sentence number {n} tells of one thing only. " for n in range(100)).strip()
    chunks = chunk(document(Block(text)))

    assert all(len(c.text) <= 1800 * 1.15 for c in chunks)
    assert len(chunks) == 3
    for before, after in pairwise(chunks):
        last = before.text[split(before.text)[-1][0] :]
        assert after.text.startswith(last)
        assert after.char_start == before.char_end - len(last)


def test_no_chunk_crosses_a_section() -> None:
    chunks = chunk(
        document(
            Block("Methods", ("Methods",), "heading"),
            Block("We did it.", ("Methods",)),
            Block("And that.", ("Methods",)),
            Block("We saw it.", ("Results",)),
        )
    )
    assert [(c.section, c.text) for c in chunks] == [
        (("Methods",), "We did it.\n\nAnd that."),
        (("Results",), "We saw it."),
    ]


def test_a_sentence_over_a_page_turn_stays_whole_on_its_first_page() -> None:
    text = "It begins here. This one runs over the turn of the page. The third is new."
    turn, third = text.index("over"), text.index("The third")
    lines = (
        Line(0, turn, box(3)),
        Line(turn, third, box(4)),
        Line(third, len(text), box(4, 1)),
    )
    first, second = chunk(document(Block(text, page=3, lines=lines)))

    assert first.text.endswith("turn of the page.")
    assert (first.page_start, first.page_end) == (3, 4)
    assert {line.box.page for line in first.lines} == {3, 4}
    assert (second.text, second.page_start, second.page_end) == ("The third is new.", 4, 4)
    assert second.lines == (Line(0, len(second.text), box(4, 1)),)


def test_captions_records_footnotes_and_tables_stand_alone() -> None:
    chunks = chunk(
        document(
            Block("Body before."),
            Block("Figure 1. A curve.", kind="caption", fields={"figure": 0}),
            Block("Table 1. Doses.", kind="caption", fields={"table": 0}),
            Block("1 Deceased.", kind="footnote"),
            Block("JAK2 binds STAT3.", kind="record", fields={"stId": "R-1"}),
            Block("Roe A. A title. 2019.", kind="reference"),
        )
    )
    assert [(c.content_type, c.text) for c in chunks] == [
        ("text", "Body before."),
        ("image", "Figure 1. A curve."),
        ("table", "Table 1. Doses."),
        ("text", "1 Deceased."),
        ("record", "JAK2 binds STAT3."),
    ]
    assert chunks[1].fields == {"figure": 0}
    assert chunks[4].fields == {"stId": "R-1"}


def test_every_part_of_a_long_table_opens_with_its_caption() -> None:
    rows = [f"Row {n}: Dose: {n} mg; Response: {n * 2} %" for n in range(60)]
    text = "\n".join(["Table 2. Doses and responses.", *rows])
    caption_line = Line(0, 29, box(5))
    row_line = Line(text.index("Row 59"), len(text), box(6))
    block = Block(
        text, ("Results",), "table", 5, (caption_line, row_line), {"table": 0, "captioned": True}
    )
    chunks = chunk(document(Block("Before."), block), target=800)[1:]

    assert len(chunks) > 2
    assert all(c.text.startswith("Table 2. Doses and responses.\nRow ") for c in chunks)
    assert all(c.content_type == "table" and c.fields["table"] == 0 for c in chunks)
    assert [row for c in chunks for row in c.text.split("\n")[1:]] == rows
    last = chunks[-1]
    assert [last.text[line.start : line.end] for line in last.lines] == [rows[-1]]
    assert (last.page_start, last.page_end) == (6, 6)


def test_a_monster_sentence_is_cut_between_words() -> None:
    text = "GENE " * 4000
    chunks = chunk(document(Block(text.strip())))
    assert all(len(c.text) <= 1800 * 1.15 for c in chunks)
    assert " ".join(c.text for c in chunks) == text.strip()


def test_lines_are_counted_from_the_chunk() -> None:
    lines = tuple(Line(i * 82, (i + 1) * 82, box(1, i)) for i in range(60))
    chunks = chunk(document(Block((SENTENCE * 60).strip(), page=1, lines=lines)))
    for c in chunks:
        assert c.lines
        for line in c.lines:
            assert c.text[line.start : line.end].strip() in SENTENCE


def topics(texts: Sequence[str]) -> list[list[float]]:
    """A tiny encoder: kinase sentences point one way, all others another."""
    return [[1.0, 0.0] if "kinase" in text else [0.0, 1.0] for text in texts]


def test_summaries_break_where_the_subject_changes() -> None:
    kinase = "This kinase acts on many a substrate in the cell and on its own tail as well. " * 5
    lipid = "Membranes hold lipids of several kinds that move about within each leaflet. " * 5
    summary = document(Block((kinase + lipid).strip()), kind="pathway")
    first, second = chunk(summary, strategy="semantic", embed=topics)

    assert "Membranes" not in first.text
    assert "kinase" not in second.text
    assert len(chunk(summary)) == 1  # without an encoder, by layout


def test_a_small_rest_joins_its_neighbour() -> None:
    kinase = "This kinase acts on many a substrate in the cell and on its own tail as well. " * 6
    summary = document(Block(f"{kinase}Lipids move."), kind="pathway")
    (only,) = chunk(summary, strategy="semantic", embed=topics)
    assert only.text.endswith("Lipids move.")


def test_windows_cover_the_text_by_whole_words() -> None:
    text = SENTENCE * 100
    chunks = chunk(document(Block(text.strip())), strategy="sliding", target=500)
    assert all(len(c.text) <= 500 for c in chunks)
    assert all(after.char_start < before.char_end for before, after in pairwise(chunks))
    assert {word for c in chunks for word in c.text.split()} == set(text.split())


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(ValueError, match="embed"):
        chunk(document(Block("a")), strategy="semantic")
    with pytest.raises(ValueError, match="target"):
        chunk(document(Block("a")), target=10)


def test_nothing_gives_no_chunk() -> None:
    assert chunk(document()) == []
    assert chunk(document(Block("Only a heading", ("Only a heading",), "heading"))) == []


words = st.text(alphabet="abcdE0. \n?(", min_size=1, max_size=300).map(str.strip).filter(bool)
kinds = st.sampled_from(["paragraph", "list", "heading", "caption", "footnote", "record"])


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    text = draw(words)
    page = draw(st.sampled_from([None, 1, 2]))
    lines: tuple[Line, ...] = ()
    if page:
        cut = draw(st.integers(0, len(text)))
        pieces = [(0, cut, page), (cut, len(text), page + 1)]
        lines = tuple(Line(a, b, box(p)) for a, b, p in pieces if a < b)
    return Block(text, draw(st.sampled_from([(), ("A",), ("A", "B")])), draw(kinds), page, lines)


def covered(chunks: Sequence[ChunkDraft]) -> set[int]:
    return {i for c in chunks for i in range(c.char_start, c.char_end)}


@given(st.lists(blocks(), max_size=8), st.sampled_from(["layout", "semantic", "sliding"]))
def test_chunks_are_slices_and_lose_nothing(parts: list[Block], strategy: str) -> None:
    whole = document(*parts, kind="pathway")
    text = document_text(whole)
    chunks = chunk(whole, target=120, strategy=strategy, embed=topics)  # type: ignore[arg-type]

    assert chunk(whole, target=120, strategy=strategy, embed=topics) == chunks  # type: ignore[arg-type]
    assert all(c.text == text[c.char_start : c.char_end] and c.text.strip() for c in chunks)
    position, expected = 0, set()
    for block in parts:
        if block.kind != "heading":
            expected |= {position + i for i, char in enumerate(block.text) if not char.isspace()}
        position += len(block.text) + 2
    assert expected <= covered(chunks)
    for c in chunks:
        assert all(0 <= line.start < line.end <= len(c.text) for line in c.lines)
