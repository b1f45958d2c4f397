"""A table's text names row and column beside every number."""

from __future__ import annotations

from corpus.sources.tables import table_lines, table_text, titled
from corpus.types import TableDraft


def test_label_and_caption_are_joined_once() -> None:
    assert titled("Table 1.", "Doses.") == "Table 1. Doses."
    assert titled("Table 1", "Table 1. Doses.") == "Table 1. Doses."
    assert titled("Table 1:", "") == "Table 1"
    assert titled("", "Doses.") == "Doses."


def test_rows_without_headers_are_joined_cells() -> None:
    table = TableDraft(rows=(("a", "1"), ("b", "2")), header_rows=0)
    assert table_text(table) == "a; 1\nb; 2"


def test_a_table_of_headers_alone_is_still_told() -> None:
    table = TableDraft(rows=(("a", "b"),), header_rows=1)
    assert table_lines(table) == [(0, "a; b")]


def test_a_value_over_rows_counts_for_each() -> None:
    table = TableDraft(
        rows=(("Arm", "Dose", "n"), ("A", "5 mg", "10"), ("", "10 mg", "12")),
        spans=((1, 0, 2, 1),),
    )
    assert table_lines(table) == [
        (1, "Arm: A; Dose: 5 mg; n: 10"),
        (2, "Arm: A; Dose: 10 mg; n: 12"),
    ]


def test_ragged_rows_and_spans_outside_do_no_harm() -> None:
    table = TableDraft(rows=(("h",), ("a", "b"), ()), spans=((9, 9, 2, 2), (1, 1, 5, 5)))
    assert table_text(table) == "h: a; b"


def test_nothing_gives_nothing() -> None:
    assert table_text(TableDraft()) == ""
