"""Cells of a table: quoted ones are marked, spans kept, nothing hidden."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.web.cells import Cell, cells, quoted_cells


def test_only_the_cell_that_is_quoted_is_hit_among_equal_values() -> None:
    rows = [["Outcome", "Drug", "Placebo"], ["Death", "31 %", "31 %"], ["Relapse", "31 %", "9 %"]]
    text = "Death \u2014 Drug: 31 %; Death \u2014 Placebo: 31 %"
    stated = [[0, 18, 1, 1], [20, 41, 1, 2]]

    hits = quoted_cells(stated, text.index("Placebo"), len(text))
    table = cells(rows, 1, hits)

    assert hits == {(1, 2)}
    assert [[cell.text for cell in row] for row in table["head"]] == [rows[0]]
    assert [[cell.hit for cell in row] for row in table["rows"]] == [
        [False, False, True],
        [False, False, False],
    ]


def test_a_quote_over_two_statements_hits_both_cells() -> None:
    assert quoted_cells([[0, 18, 1, 1], [20, 41, 1, 2]], 10, 30) == {(1, 1), (1, 2)}


ROWS = [["", "Weight", ""], ["Sex", "Day 0", "Day 7"], ["Male", "20", "25"], ["", "21", ""]]
SPANS = [(0, 1, 1, 2), (2, 0, 2, 1), (2, 2, 2, 1)]


def test_a_cell_over_several_places_is_one_and_leads_its_rows() -> None:
    table = cells(ROWS, 2, spans=SPANS)

    assert table["head"][0] == [Cell("", leads=True), Cell("Weight", columns=2)]
    assert table["rows"] == [
        [Cell("Male", leads=True, rows=2), Cell("20"), Cell("25", rows=2)],
        [Cell("21")],
    ]


def test_a_cell_is_marked_where_its_span_covers_the_quoted_place() -> None:
    table = cells(ROWS, 2, frozenset({(3, 2)}), spans=SPANS)

    assert [cell.text for row in table["rows"] for cell in row if cell.hit] == ["25"]


def test_rows_below_the_beginning_of_a_span_repeat_its_text() -> None:
    table = cells(ROWS, 2, shown=range(3, 4), spans=SPANS)

    assert table["rows"] == [[Cell("Male", leads=True), Cell("21"), Cell("25")]]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(1, 4), st.integers(1, 3)),
        max_size=4,
    )
)
def test_no_text_is_hidden_whatever_a_source_says_of_spans(
    spans: list[tuple[int, int, int, int]],
) -> None:
    table = cells(ROWS, 2, spans=spans)
    shown = [cell.text for part in ("head", "rows") for row in table[part] for cell in row]

    assert {text for row in ROWS for text in row if text} <= set(shown)
    for part, height in (("head", 2), ("rows", 2)):
        area = sum(cell.rows * cell.columns for row in table[part] for cell in row)
        assert area == 3 * height
