"""Tables as Markdown and CSV: what a reader of the file sees is what the table says."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from corpus.sources.tableforms import csv_of, markdown_file, markdown_of

# Every sign that means something to Markdown, HTML or a spreadsheet, beside letters and spaces.
TEXTS = st.text(st.sampled_from("ab1 .|\\*_`~[]()<>&#!$=+-@/\"'\n"), max_size=8)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[str]], int]:
    """Rows of equal width, and how many of them are heads."""
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(TEXTS, min_size=width, max_size=width), min_size=1, max_size=5))
    return rows, draw(st.integers(0, 1))


def shown(markdown: str) -> list[list[str]]:
    """The texts of the cells as a browser would show them, head first."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    rows: list[list[str]] = []
    for token in reader.parse(markdown):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            pieces = token.children or []
            assert {piece.type for piece in pieces} <= {"text", "text_special", "html_inline"}
            assert {piece.content for piece in pieces if piece.type == "html_inline"} <= {"<br>"}
            rows[-1].append("".join(piece.content for piece in pieces))
    return rows


def plain(texts: Sequence[str]) -> list[str]:
    """Texts as one line each: breaks are <br>, spaces around them count for nothing."""
    return ["<br>".join(filter(None, map(str.strip, text.strip().split("\n")))) for text in texts]


@given(tables())
def test_every_cell_reads_in_markdown_as_it_is(table: tuple[list[list[str]], int]) -> None:
    rows, heads = table
    wanted = [plain(row) for row in rows]
    if not heads:
        wanted.insert(0, [""] * len(rows[0]))
    assert shown(markdown_of(rows, heads)) == wanted


@given(tables())
def test_every_cell_stands_in_the_csv(table: tuple[list[list[str]], int]) -> None:
    rows, _ = table
    read = list(csv.reader(io.StringIO(csv_of(rows), newline="")))
    assert [[cell.removeprefix("'") for cell in row] for row in read if row] == [
        [cell.removeprefix("'") for cell in row] for row in rows
    ]


def test_heads_above_heads_are_one_row_and_spans_are_told() -> None:
    rows = [
        ["", "Weight", "", "Note"],
        ["Sex", "Day 0", "Day 7", ""],
        ["Male", "20", "25", "fed"],
        ["", "21", "not weighed", ""],
        ["Controls", "", "", ""],
    ]
    spans = [(0, 1, 1, 2), (0, 3, 2, 1), (2, 0, 2, 1), (3, 2, 1, 2), (4, 0, 1, 4)]
    assert markdown_of(rows, 2, spans).splitlines() == [
        "| Sex | Weight / Day 0 | Weight / Day 7 | Note |",
        "| --- | --- | --- | --- |",
        "| Male | 20 | 25 | fed |",
        "| Male | 21 | not weighed |  |",
        "| Controls |  |  |  |",
    ]
    assert csv_of(rows[2:4], [(0, 0, 2, 1), (1, 2, 1, 2)]).splitlines() == [
        '"Male","20","25","fed"',
        '"Male","21","not weighed","not weighed"',
    ]


def test_a_file_opens_with_the_caption_and_a_table_without_cells_has_only_that() -> None:
    assert markdown_file("Table 1", "Doses_of *both*", [["a"], ["1"]], 1) == (
        "Table 1. Doses\\_of \\*both\\*\n\n| a |\n| --- |\n| 1 |\n"
    )
    assert markdown_file("Table 2", "Odds", [], 0) == "Table 2. Odds\n"


def test_short_rows_are_filled_up_to_the_width_of_the_table() -> None:
    assert shown(markdown_of([["a", "b"], ["1"]], 1)) == [["a", "b"], ["1", ""]]


def test_a_formula_is_text_in_a_spreadsheet_and_numbers_stay_numbers() -> None:
    assert csv_of([["a;=1+1"]]) == '"a;=1+1"\r\n'
    rows = [["=1+1", "@SUM(A1)", "-2+3+cmd|' /C calc'!A0"], ["-0.5", "+/-", "−3 (n = 2)"]]
    assert list(csv.reader(io.StringIO(csv_of(rows)))) == [
        ["'=1+1", "'@SUM(A1)", "'-2+3+cmd|' /C calc'!A0"],
        rows[1],
    ]
