"""Heads, columns and rows of tables as real papers set them, typeset anew."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from corpus.sources.pdf.cellgrid import join_lines
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import TableDraft

PROSE = "The treated animals were observed for several weeks and none of them lost weight. "


def table(sheet: Any) -> TableDraft:
    """The one table of a sheet."""
    (paper,) = parse(sheet.bytes(), "heads.pdf", images=False)
    (found,) = normalize(paper).tables
    return found


def begin(sheet: Any, caption: str = "Table 1. What was seen") -> float:
    """Prose and a caption; the baseline of the table's first row."""
    sheet.new_page()
    y = float(sheet.paragraph(50, 80, PROSE * 6, width=480))
    sheet.line(50, y + 20, caption, 9, fontname="hebo")
    return y + 44


def row(sheet: Any, y: float, cells: dict[float, str], size: float = 8, **options: Any) -> None:
    for x, text in cells.items():
        sheet.line(x, y, text, size, **options)


def end(sheet: Any, y: float) -> None:
    sheet.rule(50, y, 540)
    sheet.paragraph(50, y + 40, PROSE * 6, width=480)


def test_a_broad_stroke_behind_the_head_parts_it_from_the_first_row(sheet: Any) -> None:
    y = begin(sheet)
    sheet.page.draw_line((50, y - 3), (540, y - 3), width=14, color=(0.1, 0.1, 0.1))
    row(sheet, y, {54: "Protein", 220: "Band", 330: "Function"}, color=(1, 1, 1))
    for number, name in enumerate(("Casein", "Lipase", "Lysozyme", "Albumin")):
        row(sheet, y + 15 + 15 * number, {54: name, 220: "A, B", 330: "is found in many of them"})
        sheet.rule(50, y + 20 + 15 * number, 540)
    end(sheet, y + 66)
    found = table(sheet)
    assert found.header_rows == 1
    assert found.rows[0] == ("Protein", "Band", "Function")
    assert found.rows[1][0] == "Casein"


@pytest.mark.parametrize("in_pieces", [False, True])
def test_one_rule_under_two_labels_is_shared_by_them(sheet: Any, in_pieces: bool) -> None:
    y = begin(sheet)
    xs = (140.0, 200.0, 260.0, 320.0, 380.0, 440.0, 500.0)
    sheet.rule(50, y - 11, 540)
    row(sheet, y, {54: "Day", 200: "First line", 405: "Second line"})
    edges = [136.0, *(x + 50 for x in xs)] if in_pieces else [136.0, 540.0]
    for x0, x1 in pairwise(edges):
        sheet.rule(x0, y + 3, x1)
    row(sheet, y + 12, dict(zip(xs, ("A1", "B1", "C1", "D1", "E1", "F1", "G1"), strict=True)))
    sheet.rule(50, y + 16, 540)
    for number, day in enumerate(("Monday", "Tuesday", "Sunday")):
        values = {x: f"{number}.{at}" for at, x in enumerate(xs)}
        row(sheet, y + 30 + 14 * number, {54: day, **values})
    end(sheet, y + 66)
    found = table(sheet)
    assert found.header_rows == 2
    assert found.rows[0] == ("Day", "First line", "", "", "Second line", "", "", "")
    assert {(0, 1, 1, 3), (0, 4, 1, 4)} <= set(found.spans)
    assert found.rows[1][1:] == ("A1", "B1", "C1", "D1", "E1", "F1", "G1")


def test_names_below_a_rule_that_leaves_out_the_first_column_are_head(sheet: Any) -> None:
    y = begin(sheet)
    xs = (140.0, 230.0, 320.0, 410.0)
    sheet.rule(50, y - 11, 540)
    row(sheet, y, {54: "Plant", 240: "Zone of inhibition (mm)", 515: "Other"})
    sheet.rule(136, y + 5, 508)
    row(sheet, y + 16, dict(zip(xs, ("Conc.", "C1", "C2", "C3"), strict=True)))
    row(sheet, y + 25, {140: "mg/ml"})
    for number in range(6):
        row(sheet, y + 42 + 14 * number, {54: f"Plant {'ABCDEF'[number]}", 140: "50", 230: "8",
                                          320: "-", 410: "7", 515: "-"})  # fmt: skip
    end(sheet, y + 120)
    found = table(sheet)
    assert found.header_rows == 2
    assert found.rows[1][1:5] == ("Conc. mg/ml", "C1", "C2", "C3")
    assert found.rows[2][:3] == ("Plant A", "50", "8")


def test_names_with_percents_and_intervals_are_no_measured_values(sheet: Any) -> None:
    y = begin(sheet)
    sheet.rule(50, y - 11, 540)
    row(sheet, y, {205: "Body mass", 417: "Grip strength"})
    sheet.rule(136, y + 4, 540)
    names = {140: "SMD", 210: "(95%CI)", 290: "I2 (%)", 360: "SMD", 430: "(95%CI)", 500: "I2 (%)"}
    row(sheet, y + 14, {54: "Subgroup", **names})
    sheet.rule(50, y + 18, 540)
    for number, name in enumerate(("Overall", "Women", "Men")):
        values = {140: "0.62", 210: "(0.21, 1.03)", 290: "37", 360: "0.38", 430: "(0.2, 0.5)",
                  500: "26"}  # fmt: skip
        row(sheet, y + 32 + 14 * number, {54: name, **values})
        sheet.rule(50, y + 36 + 14 * number, 540)
    end(sheet, y + 68)
    found = table(sheet)
    assert found.header_rows == 2
    assert {(0, 1, 1, 3), (0, 4, 1, 3)} <= set(found.spans)


def test_texts_that_run_over_now_and_then_do_not_join_two_columns(sheet: Any) -> None:
    y = begin(sheet)
    sheet.rule(50, y - 11, 540)
    row(sheet, y, {54: "Herb", 160: "Form", 240: "Design", 480: "Score"})
    sheet.rule(50, y + 4, 540)
    for number in range(14):
        long = number in (3, 9)
        row(sheet, y + 18 + 14 * number, {
            54: f"Herb {'ABCDEFGHIJKLMN'[number]}",
            160: "a chewing stick of wood" if long else "a wash",
            238 + (14 if long else 0): "in two groups of patients",
            480: str(number % 5),
        })  # fmt: skip
    end(sheet, y + 210)
    found = table(sheet)
    assert {len(cells) for cells in found.rows} == {4}
    assert found.rows[4][1:] == ("a chewing stick of wood", "in two groups of patients", "3")


def test_the_last_line_of_an_overfull_cell_stays_above_the_rule_it_touches(sheet: Any) -> None:
    y = begin(sheet)
    sheet.rule(50, y - 11, 540)
    row(sheet, y, {54: "Herb", 200: "Days", 300: "What was seen"})
    sheet.rule(50, y + 4, 540)
    at = y + 16
    for number, name in enumerate(("Aloe", "Basil", "Clove", "Dill", "Fennel", "Ginger")):
        row(sheet, at, {54: name, 200: str(14 + number), 300: "fewer signs of the illness"})
        row(sheet, at + 9, {300: "and no change in the others"})
        row(sheet, at + 18, {300: "of them"})
        if number == 2:
            sheet.rule(50, at + 17.6, 540)
        at += 27
    end(sheet, at - 4)
    found = table(sheet)
    assert [cells[0] for cells in found.rows] == [
        "Herb", "Aloe", "Basil", "Clove", "Dill", "Fennel", "Ginger",
    ]  # fmt: skip
    assert all(cells[2].endswith("of them") for cells in found.rows[1:])


def test_a_hyphen_between_two_words_of_the_document_stays() -> None:
    words = Counter({"subjects": 9, "compared": 7, "double-blind": 4})
    assert join_lines(["60 subjects-", "compared with"], words) == "60 subjects-compared with"
    assert join_lines(["a double-", "blind trial"], words) == "a double-blind trial"
    assert join_lines(["some gingi-", "vitis"], words) == "some gingivitis"


def test_a_word_torn_by_a_narrow_cell_is_one_where_the_document_has_it() -> None:
    words = Counter({"percentage": 1, "perce": 1, "resistant": 3, "in": 40, "into": 2, "base": 9})
    assert join_lines(["Perce", "ntage (%)"], words) == "Percentage (%)"
    assert join_lines(["No. of Resista", "nt isolates"], words) == "No. of Resistant isolates"
    assert join_lines(["put in", "to water"], words) == "put in to water"
    assert join_lines(["a base", "line of its own"], words) == "a base line of its own"
    assert join_lines(["Resista", "Nt isolates"], words) == "Resista Nt isolates"


def test_a_first_row_of_words_below_such_a_rule_is_no_head(sheet: Any) -> None:
    y = begin(sheet)
    sheet.rule(50, y - 11, 540)
    row(sheet, y, {180: "What the first saw", 360: "What the second saw"})
    sheet.rule(136, y + 5, 540)
    for number, name in enumerate(("Camel", "Donkey", "Horse", "Mule", "Ostrich")):
        row(sheet, y + 18 + 14 * number, {54: name, 180: "in the desert", 360: "at the well"})
    end(sheet, y + 82)
    found = table(sheet)
    assert found.header_rows == 1
    assert found.rows[1] == ("Camel", "in the desert", "at the well")


def test_a_thick_rule_below_the_head_stays_a_rule(sheet: Any) -> None:
    y = begin(sheet)
    sheet.rule(50, y - 11, 540)
    row(sheet, y, {54: "Animal", 240: "Place"})
    row(sheet, y + 10, {54: "(wild)", 240: "(seen)"})
    sheet.page.draw_line((50, y + 15), (540, y + 15), width=3)
    for number, name in enumerate(("Camel", "Donkey", "Horse", "Mule")):
        row(sheet, y + 28 + 14 * number, {54: name, 240: "in the desert"})
    end(sheet, y + 80)
    found = table(sheet)
    assert found.header_rows == 1
    assert found.rows[0] == ("Animal (wild)", "Place (seen)")
