"""A table's text names row and column beside every value, and tells which characters do."""

from __future__ import annotations

from corpus.sources.tables import table_block, table_rows, titled
from corpus.types import TableDraft


def texts(table: TableDraft) -> list[tuple[int, str]]:
    return [(row.number, row.text) for row in table_rows(table)]


def test_label_and_caption_are_joined_once() -> None:
    assert titled("Table 1.", "Doses.") == "Table 1. Doses."
    assert titled("Table 1", "Table 1. Doses.") == "Table 1. Doses."
    assert titled("Table 1:", "") == "Table 1"
    assert titled("", "Doses.") == "Doses."


def test_each_value_stands_beside_its_row_and_its_column() -> None:
    table = TableDraft(rows=(("Drug", "Dose", "n"), ("A", "5 mg", "10"), ("B", "10 mg", "12")))
    assert texts(table) == [
        (1, "Drug: A; A — Dose: 5 mg; A — n: 10"),
        (2, "Drug: B; B — Dose: 10 mg; B — n: 12"),
    ]


def test_every_statement_knows_its_cell() -> None:
    table = TableDraft(
        label="Table 2",
        caption="Doses",
        rows=(("Drug", "Dose", "n"), ("A", "5 mg", "10"), ("B", "", "10")),
    )
    block = table_block(table, 0, ())
    stated = {
        (row, column): block.text[start:end] for start, end, row, column in block.fields["cells"]
    }
    assert block.text.splitlines()[0] == "Table 2. Doses"
    assert stated == {
        (1, 0): "Drug: A",
        (1, 1): "A — Dose: 5 mg",
        (1, 2): "A — n: 10",
        (2, 0): "Drug: B",
        (2, 2): "B — n: 10",
    }


def test_rows_without_heads_are_values_beside_their_label() -> None:
    table = TableDraft(rows=(("a", "1"), ("b", "2")), header_rows=0)
    assert texts(table) == [(0, "a; a — 1"), (1, "b; b — 2")]


def test_heads_above_heads_make_a_path() -> None:
    table = TableDraft(
        rows=(("", "Weight", ""), ("Sex", "Day 0", "Day 7"), ("Male", "20", "25")),
        header_rows=2,
        spans=((0, 1, 1, 2),),
    )
    assert texts(table) == [(2, "Sex: Male; Male — Weight / Day 0: 20; Male — Weight / Day 7: 25")]


def test_a_title_over_all_columns_names_none() -> None:
    table = TableDraft(
        rows=(("All trials", "", ""), ("Year", "n", "dead"), ("2001", "8", "1")),
        header_rows=2,
        spans=((0, 0, 1, 3),),
    )
    assert texts(table) == [(2, "Year: 2001; 2001, 8 — n: 8; 2001, 8 — dead: 1")]


def test_a_value_over_rows_counts_for_each_and_labels_tell_rows_apart() -> None:
    table = TableDraft(
        rows=(("Arm", "Strain", "n"), ("A", "wild", "10"), ("", "mutant", "12")),
        spans=((1, 0, 2, 1),),
    )
    assert texts(table) == [
        (1, "Arm: A; A, wild — Strain: wild; A, wild — n: 10"),
        (2, "Arm: A; A, mutant — Strain: mutant; A, mutant — n: 12"),
    ]


def test_rows_that_only_their_subheading_tells_apart_are_named_by_it() -> None:
    table = TableDraft(
        rows=(("Group", "n"), ("Urban", ""), ("Male", "3"), ("Rural", ""), ("Male", "4"))
    )
    assert texts(table) == [
        (1, "Urban"),
        (2, "Group: Male; Urban, Male — n: 3"),
        (3, "Rural"),
        (4, "Group: Male; Rural, Male — n: 4"),
    ]


def test_running_numbers_name_no_row() -> None:
    table = TableDraft(rows=(("No.", "Compound", "%"), ("1", "Thujene", "3"), ("2", "Pinene", "4")))
    assert texts(table)[0] == (1, "No.: 1; 1, Thujene — Compound: Thujene; 1, Thujene — %: 3")


def test_a_long_label_is_cut_where_it_is_said_again() -> None:
    label = "a very long label of a row that runs on and on until nobody would read it twice"
    ((_, text),) = texts(TableDraft(rows=(("Trial", "n"), (label, "3"))))
    assert text.startswith(f"Trial: {label}; a very long label")
    assert text.endswith("… — n: 3")


def test_a_table_of_heads_alone_is_still_told() -> None:
    assert texts(TableDraft(rows=(("a", "b"),), header_rows=1)) == [(0, "a; a — b")]


def test_ragged_rows_and_spans_outside_do_no_harm() -> None:
    table = TableDraft(rows=(("h",), ("a", "b"), ()), spans=((9, 9, 2, 2), (1, 1, 5, 5)))
    assert texts(table)[0] == (1, "h: a; a — b")


def test_nothing_gives_nothing() -> None:
    assert table_block(TableDraft(), 0, ()).text == ""
