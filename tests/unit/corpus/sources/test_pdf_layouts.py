"""Layouts and captions of publishers that the saved papers lack, typeset with known keys."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from corpus.chunking import chunk
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import NormalizedDocument

PROSE = (
    "The treated animals were observed for several weeks and none of them lost weight. "
    "Blood was drawn every second day and kept cold until all the samples were complete. "
    "We then compared the groups with one another and with those of the former season. "
)


def read(sheet: Any) -> NormalizedDocument:
    (paper,) = parse(sheet.bytes(), "layout.pdf")
    return normalize(paper)


def words(sheet: Any, x: float, y: float, count: int, width: float = 230) -> float:
    """Numbered sentences, so that order can be judged; the next baseline."""
    text = " ".join(f"{PROSE} Sentence {n} of column {round(x)} ends here." for n in range(count))
    return float(sheet.paragraph(x, y, text, width=width, size=9))


def grid(
    sheet: Any, rows: list[list[str]], xs: list[float], y: float, step: float = 14, size: float = 8
) -> float:
    """A table with a rule above, under the first row and below."""
    left, right = xs[0] - 4, xs[-1] + 70
    sheet.rule(left, y - 11, right)
    for number, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            if text:
                sheet.line(x, y + number * step, text, size)
        if number == 0:
            sheet.rule(left, y + 4, right)
    end = y + (len(rows) - 1) * step
    sheet.rule(left, end + 4, right)
    return end + 16


def order(document: NormalizedDocument) -> list[str]:
    text = " ".join(block.text for block in document.blocks if block.kind == "paragraph")
    found = []
    for column in (30, 40, 60, 215, 310, 400):
        for n in range(4):
            at = text.find(f"Sentence {n} of column {column} ends")
            if at >= 0:
                found.append((at, f"{column}.{n}"))
    return [name for _, name in sorted(found)]


def test_three_columns_are_read_one_after_the_other(sheet: Any) -> None:
    sheet.new_page()
    for x in (30, 215, 400):
        words(sheet, x, 90, 3, width=165)
    assert order(read(sheet)) == [f"{x}.{n}" for x in (30, 215, 400) for n in range(3)]


def test_a_table_over_both_columns_interrupts_neither(sheet: Any) -> None:
    sheet.new_page()
    for x in (60, 310):
        words(sheet, x, 80, 2)
    sheet.line(60, 350, "Table 1. Weights of both groups by week", 8, fontname="hebo")
    rows = [["Group", "Week 1", "Week 2", "Week 3"], ["Fed", "10.1", "11.2", "12.3"],
            ["Fasted", "9.1", "8.2", "7.3"], ["Mixed", "9.9", "9.8", "9.7"]]  # fmt: skip
    end = grid(sheet, rows, [70, 200, 320, 440], 372)
    for x in (60, 310):
        words(sheet, x, end + 30, 1)
    document = read(sheet)
    (table,) = document.tables
    assert [list(row) for row in table.rows] == rows
    text = " ".join(block.text for block in document.blocks if block.kind == "paragraph")
    assert "11.2" not in text


def test_a_fully_ruled_table_in_one_column_keeps_its_cells(sheet: Any) -> None:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    sheet.line(60, y + 20, "Table 2: Doses", 9, fontname="hebo")
    top, xs, rows = y + 28, [60, 200, 300, 400], ["Drug|Dose|Effect", "A|5 mg|none", "B|9 mg|some"]
    for number, row in enumerate([*rows, ""]):
        sheet.rule(60, top + number * 18, 400)
        for x, text in zip(xs, row.split("|"), strict=False):
            if text:
                sheet.line(x + 5, top + number * 18 + 12, text, 8)
    for x in xs:
        sheet.page.draw_line((x, top), (x, top + 54), width=0.7)
    words(sheet, 60, top + 90, 1, width=470)
    (table,) = read(sheet).tables
    assert [list(row) for row in table.rows] == [row.split("|") for row in rows]


def test_a_head_over_two_columns_is_one_cell_with_a_path(sheet: Any) -> None:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    sheet.line(60, y + 20, "Table 3. Growth of both lines", 9, fontname="hebo")
    base = y + 44
    sheet.rule(56, base - 11, 500)
    sheet.line(235, base, "Line one", 8).line(395, base, "Line two", 8)
    for x, text in zip((60, 200, 280, 360, 440), ("Day", "Wild", "Mutant", "Wild", "Mutant"),
                       strict=True):  # fmt: skip
        sheet.line(x, base + 14, text, 8)
    sheet.rule(56, base + 18, 500)
    for number, day in enumerate(("Monday", "Tuesday", "Sunday")):
        for x, text in zip((60, 200, 280, 360, 440), (day, "1.1", "2.2", "3.3", "4.4"),
                           strict=True):  # fmt: skip
            sheet.line(x, base + 32 + number * 14, text, 8)
    sheet.rule(56, base + 66, 500)
    words(sheet, 60, base + 100, 1, width=470)
    document = read(sheet)
    (table,) = document.tables
    assert table.header_rows == 2
    assert {span[1:] for span in table.spans if span[0] == 0} >= {(1, 1, 2), (3, 1, 2)}
    (found,) = [c for c in chunk(document) if c.content_type == "table"]
    assert "Tuesday — Line two / Wild: 3.3" in found.text


def test_stripes_part_rows_of_several_lines(sheet: Any) -> None:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    sheet.line(60, y + 20, "Table 4. Effects", 9, fontname="hebo")
    base = y + 44
    for number in (0, 2):
        area = pymupdf.Rect(56, base + 6 + number * 36, 500, base + 42 + number * 36)
        sheet.page.draw_rect(area, color=None, fill=(0.9, 0.9, 0.9))
    sheet.rule(56, base - 11, 500)
    sheet.line(60, base, "Drug", 8).line(220, base, "What was seen", 8)
    for number, drug in enumerate(("Alpha", "Beta", "Gamma")):
        top = base + 20 + number * 36
        sheet.line(60, top + 6, drug, 8)
        sheet.line(220, top, f"{drug} slows the growth of cells in the dish", 8)
        sheet.line(220, top + 12, "and leaves the others as they were", 8)
    sheet.rule(56, base + 116, 500)
    words(sheet, 60, base + 150, 1, width=470)
    (table,) = read(sheet).tables
    assert [row[0] for row in table.rows] == ["Drug", "Alpha", "Beta", "Gamma"]
    assert all(row[1].endswith("as they were") for row in table.rows[1:])


@pytest.mark.parametrize(
    ("printed", "label"),
    [
        ("Fig. 3 | Cells under light", "Fig 3"),
        ("Extended Data Fig. 1 | Cells under light", "Extended Data Fig 1"),
        ("Scheme 1. Cells under light", "Scheme 1"),
        ("Figura 2. Cells under light", "Figura 2"),
        ("Supplementary Figure 4: Cells under light", "Supplementary Figure 4"),
        ("Figure S2. Cells under light", "Figure S2"),
        ("Abbildung 5: Cells under light", "Abbildung 5"),
    ],
)
def test_figure_captions_of_many_forms_name_their_picture(
    sheet: Any, printed: str, label: str
) -> None:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    sheet.picture((150, y + 10, 450, y + 190))
    sheet.line(60, y + 206, printed, 8)
    words(sheet, 60, y + 250, 1, width=470)
    figures = [figure for figure in read(sheet).figures if figure.label]
    assert [(figure.label, figure.box is not None) for figure in figures] == [(label, True)]


@pytest.mark.parametrize(
    ("printed", "label"),
    [
        ("Table S2. Doses of both drugs", "Table S2"),
        ("Tableau 1. Doses of both drugs", "Tableau 1"),
        ("Extended Data Table 2 | Doses of both drugs", "Extended Data Table 2"),
        ("TABLE IV. Doses of both drugs", "Table IV"),
        ("Tabla 3. Doses of both drugs", "Tabla 3"),
    ],
)
def test_table_captions_of_many_forms_name_their_table(
    sheet: Any, printed: str, label: str
) -> None:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    sheet.line(60, y + 20, printed, 8)
    rows = [["Drug", "Dose", "Effect"], ["Alpha", "5 mg", "0.1"], ["Beta", "9 mg", "0.7"]]
    end = grid(sheet, rows, [64, 220, 380], y + 42)
    words(sheet, 60, end + 30, 1, width=470)
    (table,) = read(sheet).tables
    assert (table.label, [list(row) for row in table.rows]) == (label, rows)


def test_a_caption_below_its_table_is_found(sheet: Any) -> None:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    rows = [["Drug", "Dose", "Effect"], ["Alpha", "5 mg", "0.1"], ["Beta", "9 mg", "0.7"]]
    end = grid(sheet, rows, [64, 220, 380], y + 30)
    sheet.line(60, end + 2, "Table 1. Doses of both drugs", 8, fontname="hebo")
    words(sheet, 60, end + 60, 1, width=470)
    (table,) = read(sheet).tables
    assert [list(row) for row in table.rows] == rows


def test_a_caption_beside_its_picture_is_linked(sheet: Any) -> None:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    sheet.picture((60, y + 10, 330, y + 200))
    sheet.paragraph(350, y + 30, "Figure 1. Cells kept under light for a day", width=150, size=8)
    words(sheet, 60, y + 240, 1, width=470)
    (figure,) = [figure for figure in read(sheet).figures if figure.label]
    assert figure.box is not None
    assert figure.box.x1 < 345


def test_bold_run_in_headings_and_lettered_sections_make_paths(sheet: Any) -> None:
    sheet.new_page()
    y = 90.0
    for title in ("A. Methods", "B. Results"):
        sheet.line(60, y, title, 12, fontname="hebo")
        y = words(sheet, 60, y + 20, 1, width=470)
        for name in ("Animals.", "Statistics."):
            sheet.line(60, y, name, 9, fontname="hebo")
            sheet.line(62 + pymupdf.get_text_length(name, "hebo", 9), y, PROSE[:80], 9)
            y = words(sheet, 60, y + 11, 1, width=470) + 10
        y += 10
    paths = {block.section for block in read(sheet).blocks if block.kind == "paragraph"}
    tails = {path[-1].rstrip(".") for path in paths if path}
    assert {"Animals", "Statistics"} <= tails
    assert any(len(path) > 1 and path[0].endswith("Results") for path in paths)


def panelled(sheet: Any, caption: str) -> NormalizedDocument:
    sheet.new_page()
    y = words(sheet, 60, 80, 1, width=470)
    for number, (x, top) in enumerate(((80, y + 20), (300, y + 20), (80, y + 170), (300, y + 170))):
        sheet.line(x, top + 10, "ABCD"[number], 11, fontname="hebo")
        sheet.page.draw_rect(pymupdf.Rect(x + 20, top + 14, x + 190, top + 130), width=0.7)
        sheet.page.draw_circle((x + 100, top + 70), 30, width=0.7)
    sheet.paragraph(60, y + 330, caption, width=470, size=8)
    words(sheet, 60, y + 390, 1, width=470)
    return read(sheet)


def test_panels_are_cropped_at_their_letters_and_carry_their_part(sheet: Any) -> None:
    document = panelled(
        sheet,
        "Figure 2. Growth of cells. (A) Wild type. (B) Mutant cells grow fast. (C) Rescue. "
        "(D) Control.",
    )
    whole, *panels = [figure for figure in document.figures if figure.label]
    assert [panel.label for panel in panels] == ["Figure 2A", "Figure 2B", "Figure 2C", "Figure 2D"]
    place = document.figures.index(whole)
    assert all(panel.parent == place for panel in panels)
    second = panels[1]
    assert second.caption == "(B) Mutant cells grow fast."
    assert second.image is not None
    assert second.box is not None
    assert 290 < second.box.x0 < 305
    assert whole.box is not None
    assert second.box.y1 < (whole.box.y0 + whole.box.y1) / 2 + 20
    texts = [c.text for c in chunk(document) if c.content_type == "image"]
    assert "Figure 2B. (B) Mutant cells grow fast." in texts


def test_a_caption_that_names_other_letters_makes_no_panels(sheet: Any) -> None:
    document = panelled(sheet, "Figure 2. Growth. (A) Wild type. (B) Mutant cells grow fast.")
    assert all(figure.parent is None for figure in document.figures)
