"""Tables drawn as grids are read without a caption; what only looks like a grid is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.sources.pdf.score_form import paper_form
from corpus.types import NormalizedDocument

PROSE = (
    "The treated animals were observed for several weeks and none of them lost weight. "
    "Blood was drawn every second day and kept cold until all the samples were complete. "
)
HEAD = ["Drug", "Target", "Dose (mg)"]
ROWS = [["Tofacitinib", "JAK1", "10"], ["Baricitinib", "JAK2", "4"], ["Upadacitinib", "JAK1", "15"]]
LEFT, WIDE, HIGH = 60.0, 120.0, 20.0


def grid(sheet: Any, top: float, rows: Sequence[Sequence[str]], **options: Any) -> float:
    """Draw rows in a full grid; the y below it."""
    columns = len(rows[0])
    right, bottom = LEFT + columns * WIDE, top + len(rows) * HIGH
    for number in range(len(rows) + 1):
        sheet.rule(LEFT, top + number * HIGH, right)
    for number in range(columns + 1):
        x = LEFT + number * WIDE
        sheet.page.draw_line((x, top), (x, bottom), width=0.7)
    for number, row in enumerate(rows):
        for place, text in enumerate(row):
            font = {"fontname": "hebo"} if number == 0 and options.get("bold") else {}
            sheet.line(LEFT + place * WIDE + 4, top + number * HIGH + 14, text, 9, **font)
    return bottom


def read(sheet: Any) -> NormalizedDocument:
    (paper,) = parse(sheet.bytes(), "grids.pdf", images=False)
    assert paper_form(paper, "grids", 0.0)["captions"] == []
    return normalize(paper)


def around(sheet: Any, top: float = 80) -> float:
    """Prose above a table; where the table may begin."""
    sheet.new_page()
    return sheet.paragraph(LEFT, top, PROSE * 4, width=470) + 10


def test_a_grid_without_a_caption_is_a_table_whose_cells_can_be_cited(sheet: Any) -> None:
    bottom = grid(sheet, around(sheet), [HEAD, *ROWS])
    sheet.paragraph(LEFT, bottom + 30, PROSE * 2, width=470)

    document = read(sheet)

    (table,) = document.tables
    assert (table.rows, table.header_rows) == ((tuple(HEAD), *map(tuple, ROWS)), 1)
    (block,) = (block for block in document.blocks if block.kind == "table")
    assert "Baricitinib \u2014 Dose (mg): 4" in block.text
    assert (block.page, block.fields["captioned"]) == (1, False)
    assert all(line.box.page == 1 for line in block.lines)
    assert len(block.lines) == len(block.fields["cells"])
    prose = " ".join(b.text for b in document.blocks if b.kind == "paragraph")
    assert "Baricitinib" not in prose
    assert prose.count("none of them lost weight") == 6


def test_cells_that_are_each_drawn_with_their_own_frame_are_a_grid(sheet: Any) -> None:
    top = around(sheet)
    rows = [HEAD, *ROWS * 5]
    for number, row in enumerate(rows):
        for place, text in enumerate(row):
            x, y = LEFT + place * WIDE, top + number * HIGH
            for edge in ((x, y, x + WIDE, y), (x, y + HIGH, x + WIDE, y + HIGH)):
                sheet.page.draw_line(edge[:2], edge[2:], width=0.5)
            for edge in ((x, y, x, y + HIGH), (x + WIDE, y, x + WIDE, y + HIGH)):
                sheet.page.draw_line(edge[:2], edge[2:], width=0.5)
            sheet.line(x + 4, y + 14, text, 9)

    (table,) = read(sheet).tables

    assert table.rows == tuple(map(tuple, rows))


def test_cells_over_several_places_span_them(sheet: Any) -> None:
    top = around(sheet)
    grid(sheet, top + HIGH, [HEAD, *ROWS])
    sheet.rule(LEFT, top, LEFT + 3 * WIDE)
    for x in (LEFT, LEFT + WIDE, LEFT + 3 * WIDE):
        sheet.page.draw_line((x, top), (x, top + HIGH), width=0.7)
    sheet.line(LEFT + WIDE + 60, top + 14, "What it does", 9)

    (table,) = read(sheet).tables

    assert table.rows[0] == ("", "What it does", "")
    assert table.spans == ((0, 1, 1, 2),)
    assert table.header_rows == 2


def test_rows_between_two_rules_are_parted_by_their_numbers(sheet: Any) -> None:
    top = around(sheet)
    rows = [["Georgia", "14", "15"], ["Guam", "0", "10"], ["Hawaii", "12", "7"]]
    sheet.rule(LEFT, top, LEFT + 3 * WIDE).rule(LEFT, top + 3 * HIGH, LEFT + 3 * WIDE)
    sheet.rule(LEFT, top + 6 * HIGH, LEFT + 3 * WIDE)
    for place in range(4):
        x = LEFT + place * WIDE
        sheet.page.draw_line((x, top), (x, top + 6 * HIGH), width=0.7)
    for number, row in enumerate([*rows, *rows]):
        for place, text in enumerate(row):
            sheet.line(LEFT + place * WIDE + 4, top + number * HIGH + 14, text, 9)

    (table,) = read(sheet).tables

    assert table.rows == tuple(map(tuple, [*rows, *rows]))
    assert table.header_rows == 0


def test_a_text_of_several_lines_stays_one_cell(sheet: Any) -> None:
    top = around(sheet)
    grid(sheet, top, [HEAD, ["Tofacitinib", "JAK1 and", "10"], ["Baricitinib", "JAK2", "4"]])
    sheet.line(LEFT + WIDE + 4, top + HIGH + 18, "JAK3", 5)

    (table,) = read(sheet).tables

    assert table.rows[1] == ("Tofacitinib", "JAK1 and JAK3", "10")


def test_a_grid_that_goes_on_overleaf_is_one_table(sheet: Any) -> None:
    top = sheet.new_page().paragraph(LEFT, 80, PROSE * 26, width=470) + 10
    assert 560 < top < 640
    grid(sheet, top, [HEAD, *ROWS])
    more = [["Filgotinib", "JAK1", "200"], ["Ruxolitinib", "JAK2", "5"]]
    bottom = grid(sheet.new_page(), 70, [HEAD, *more])
    sheet.paragraph(LEFT, bottom + 30, PROSE * 6, width=470)

    (table,) = read(sheet).tables

    assert table.rows == tuple(map(tuple, [HEAD, *ROWS, *more]))
    assert {box.page for row in table.cells for box in row if box} == {1, 2}


@pytest.mark.parametrize(
    "rows",
    [
        [["", "", ""], ["", "", ""], ["Name", "", ""]],
        [[PROSE[:60], PROSE[60:120], "a"], ["", "", ""], ["", "", ""]],
    ],
    ids=["a form that is empty", "one row of text"],
)
def test_a_grid_with_little_in_it_is_no_table(sheet: Any, rows: list[list[str]]) -> None:
    bottom = grid(sheet, around(sheet), rows)
    sheet.paragraph(LEFT, bottom + 30, PROSE, width=470)

    document = read(sheet)

    assert document.tables == ()
    assert rows[0][0][:20] in " ".join(block.text for block in document.blocks)


def test_a_caption_names_the_grid_below_it_whatever_heights_its_texts_have(sheet: Any) -> None:
    top = around(sheet)
    sheet.line(LEFT, top, "Table 3. Inhibitors of four kinases.", 9)
    rows = [["Drug", "Target"], ["Tofacitinib", "JAK1"], ["Baricitinib", "JAK2"]]
    empty = [["", ""]] * 3
    grid(sheet, top + 6, [[*row] for row in empty])
    for number, row in enumerate(rows):
        for place, text in enumerate(row):
            y = top + 6 + number * HIGH + (9 if place else 18)
            sheet.line(LEFT + place * WIDE + 4, y, text, 8)

    (paper,) = parse(sheet.bytes(), "grids.pdf", images=False)
    (table,) = paper.tables

    assert (table.label, table.rows) == ("Table 3", tuple(map(tuple, rows)))


def test_a_caption_at_the_foot_of_a_page_names_the_grid_overleaf(sheet: Any) -> None:
    sheet.new_page()
    sheet.paragraph(LEFT, 80, PROSE * 38, width=470)
    sheet.line(LEFT, 780, "Table 2. Inhibitors of three kinases.", 9)
    bottom = grid(sheet.new_page(), 70, [HEAD, *ROWS])
    sheet.paragraph(LEFT, bottom + 30, PROSE * 6, width=470)

    (paper,) = parse(sheet.bytes(), "grids.pdf", images=False)
    (table,) = paper.tables

    assert (table.label, table.page, table.rows[1:]) == ("Table 2", 2, tuple(map(tuple, ROWS)))


def test_frames_around_prose_are_no_table(sheet: Any) -> None:
    top = around(sheet)
    for place in range(2):
        for row in range(2):
            x, y = LEFT + place * 240, top + row * 120
            sheet.page.draw_rect((x, y, x + 240, y + 120), width=0.7)
            sheet.paragraph(x + 5, y + 14, PROSE * 2, width=225, size=8)

    document = read(sheet)

    assert document.tables == ()
    assert " ".join(b.text for b in document.blocks).count("samples were") == 8


def test_key_and_value_have_no_head(sheet: Any) -> None:
    grid(sheet, around(sheet), [["Name", "Trial"], ["Phase", "II"], ["Arms", "two"]])

    (table,) = read(sheet).tables

    assert table.header_rows == 0


def test_a_bold_row_is_a_head(sheet: Any) -> None:
    rows = [["Name", "Role"], ["SOCS3", "inhibits JAK2"], ["STAT3", "drives SOCS3"]]
    grid(sheet, around(sheet), rows, bold=True)

    (table,) = read(sheet).tables

    assert table.header_rows == 1


def test_graph_paper_is_looked_at_no_further(sheet: Any) -> None:
    sheet.new_page()
    for n in range(100):
        sheet.rule(50, 60 + 7 * n, 550)
        sheet.page.draw_line((50 + 5 * n, 60), (50 + 5 * n, 760), width=0.3)
    sheet.line(100, 300, "Lead II, 25 mm a second")

    assert read(sheet).tables == ()
