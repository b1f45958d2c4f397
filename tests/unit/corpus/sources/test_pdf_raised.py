"""Raised letters and numbers of cells: marks of notes and exponents, no parts of words."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import NormalizedDocument

PROSE = "The treated animals were observed for several weeks and none of them lost weight. "


def raised(sheet: Any, x: float, y: float, pieces: list[str], size: float = 9) -> None:
    """Pieces of a word in turn level and raised."""
    for number, text in enumerate(pieces):
        high = number % 2 == 1
        own = 0.6 * size if high else size
        sheet.line(x, y - 0.4 * size * high, text, own)
        x += pymupdf.get_text_length(text, fontsize=own)


def table(sheet: Any, head: list[list[str]], rows: list[list[list[str]]]) -> NormalizedDocument:
    sheet.new_page()
    y = sheet.paragraph(50, 80, PROSE * 8, width=480)
    sheet.line(50, y + 20, "Table 1. What the oil holds", 9, fontname="hebo")
    sheet.rule(50, y + 28, 530)
    for number, cells in enumerate([head, *rows]):
        for column, pieces in enumerate(cells):
            raised(sheet, 54 + 160 * column, y + 42 + 14 * number, pieces)
    sheet.rule(50, y + 47, 530)
    sheet.rule(50, y + 48 + 14 * len(rows), 530)
    sheet.paragraph(50, y + 120, PROSE * 6, width=480)
    (paper,) = parse(sheet.bytes(), "raised.pdf", images=False)
    return normalize(paper)


@pytest.mark.parametrize(
    ("pieces", "cell"),
    [
        (["RI", "b"], "RIᵇ"),
        (["3.83", "a,b"], "3.83ᵃ,ᵇ"),
        (["Control", "3"], "Control³"),
        (["mg kg", "-1"], "mg kg⁻¹"),
        (["Total", "sum"], "Totalˢᵘᵐ"),
        (["Total", "quantity"], "Totalquantity"),
    ],
)
def test_what_is_raised_in_a_cell_stays_raised(sheet: Any, pieces: list[str], cell: str) -> None:
    document = table(sheet, [["Compound"], pieces], [[["Thujene"], ["926"]], [["Pinene"], ["933"]]])
    (found,) = document.tables
    assert [list(row) for row in found.rows] == [
        ["Compound", cell],
        ["Thujene", "926"],
        ["Pinene", "933"],
    ]


def test_running_text_keeps_its_citations_in_brackets(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(50, 80, PROSE * 8, width=480)
    raised(sheet, 50, y, ["This was seen before", "12", " in other camels than ours."], 10)
    (paper,) = parse(sheet.bytes(), "raised.pdf", images=False)
    text = " ".join(block.text for block in normalize(paper).blocks)
    assert "seen before[12] in other camels" in text
