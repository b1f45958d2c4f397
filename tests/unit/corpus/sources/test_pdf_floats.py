"""Figures and tables of a PDF: found, linked to their captions, told in words."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.chunking import chunk
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import NormalizedDocument

LONG = (
    "The kinase was active in all samples that were kept at low temperature for two days. "
    "No signal was seen in the control group, which had received the vehicle alone. "
)
ROWS = [
    ("Drug", "Dose (mg)", "Response (%)"),
    ("Alpha", "5.0", "12.5 ± 0.4"),
    ("Beta", "10.0", "31.0 ± 1.2"),
    ("Gamma", "20.0", "44.7 ± 2.0"),
]
COLUMNS = (60.0, 220.0, 380.0)


def read(data: bytes, *, images: bool = False) -> NormalizedDocument:
    (paper,) = parse(data, "paper.pdf", images=images)
    return normalize(paper)


def ruled_table(sheet: Any, top: float, *, rules: bool = True) -> None:
    sheet.line(60, top, "Table 1. Responses to three drugs.", 9, fontname="hebo")
    for number, row in enumerate(ROWS):
        for x, text in zip(COLUMNS, row, strict=True):
            sheet.line(x, top + 22 + 14 * number, text, 9)
    if rules:
        for y in (top + 8, top + 27, top + 22 + 14 * len(ROWS)):
            sheet.rule(55, y, 540)


@pytest.mark.parametrize("rules", [True, False])
def test_a_table_is_read_with_and_without_rules(sheet: Any, rules: bool) -> None:
    sheet.new_page()
    y = sheet.paragraph(60, 100, LONG * 4, width=480)
    ruled_table(sheet, y + 20, rules=rules)
    sheet.paragraph(60, y + 140, LONG * 4, width=480)
    document = read(sheet.bytes())

    (table,) = document.tables
    assert table.rows == tuple(ROWS)
    assert (table.label, table.caption) == ("Table 1", "Responses to three drugs.")
    assert table.header_rows == 1
    assert table.cells[1][1] is not None
    assert table.cells[1][1].x0 == pytest.approx(220, abs=2)
    text = " ".join(b.text for b in document.blocks if b.kind == "paragraph")
    assert "31.0" not in text
    assert "Responses to three drugs" not in text


def test_a_table_chunk_quotes_each_number_beside_its_headers(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(60, 100, LONG * 4, width=480)
    ruled_table(sheet, y + 20)
    (found,) = [c for c in chunk(read(sheet.bytes())) if c.content_type == "table"]
    assert found.text.split("\n") == [
        "Table 1. Responses to three drugs.",
        "Drug: Alpha; Alpha — Dose (mg): 5.0; Alpha — Response (%): 12.5 ± 0.4",
        "Drug: Beta; Beta — Dose (mg): 10.0; Beta — Response (%): 31.0 ± 1.2",
        "Drug: Gamma; Gamma — Dose (mg): 20.0; Gamma — Response (%): 44.7 ± 2.0",
    ]
    beta = next(line for line in found.lines if found.text.startswith("Drug: Beta", line.start))
    assert beta.box.y0 < y + 20 + 22 + 28 < beta.box.y1 + 3
    assert found.fields["table"] == 0


def test_a_sideways_table_is_read_and_its_boxes_lie_on_the_page(sheet: Any) -> None:
    sheet.new_page()
    sheet.paragraph(60, 60, LONG * 2, width=480)
    places = zip((150.0, 180.0, 200.0, 220.0), ROWS, strict=True)
    sheet.line(128, 780, "Table 2. The same table, set sideways.", 9, rotate=90)
    for x, row in places:
        for y, text in zip((780.0, 600.0, 420.0), row, strict=True):
            sheet.line(x, y, text, 9, rotate=90)
    for x in (135, 157, 230):
        sheet.page.draw_line((x, 785), (x, 300), width=0.7)
    document = read(sheet.bytes())

    (table,) = document.tables
    assert table.rows == tuple(ROWS)
    dose = table.cells[2][1]
    assert dose is not None
    assert dose.x0 < 200 < dose.x1 + 4
    assert dose.y0 < dose.y1 <= 601


def test_a_span_over_columns_is_known(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(60, 100, LONG * 4, width=480) + 20
    sheet.line(60, y, "Table 1. Two arms.", 9, fontname="hebo")
    sheet.line(285, y + 20, "Response", 9).rule(215, y + 24, 460)
    rows = [("Drug", "day 1", "day 7"), ("A", "1.5", "2.5"), ("B", "3.5", "4.5")]
    for number, row in enumerate(rows):
        for x, text in zip(COLUMNS, row, strict=True):
            sheet.line(x, y + 36 + 14 * number, text, 9)
    for line in (y + 8, y + 40, y + 72):
        sheet.rule(55, line, 540)
    (table,) = read(sheet.bytes()).tables
    assert table.rows[:2] == (("Drug", "Response", ""), ("", "day 1", "day 7"))
    assert table.header_rows == 2
    assert set(table.spans) == {(0, 0, 2, 1), (0, 1, 1, 2)}


def test_a_raster_figure_is_linked_to_its_caption(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(60, 100, LONG * 4, width=480)
    sheet.picture((150, y + 10, 350, y + 210))
    sheet.line(150, y + 225, "Figure 1. Noise of the camera.", 9, fontname="hebo")
    sheet.paragraph(60, y + 260, LONG * 4, width=480)
    document = read(sheet.bytes(), images=True)

    (figure,) = document.figures
    assert (figure.label, figure.caption, figure.page) == ("Figure 1", "Noise of the camera.", 1)
    assert figure.box is not None
    assert figure.box.x0 == pytest.approx(150, abs=2)
    assert figure.image is not None
    assert len(figure.image) > 4096
    assert figure.media_type in ("image/png", "image/jpeg", "image/webp")
    (found,) = [c for c in chunk(document) if c.content_type == "image"]
    assert found.text == "Figure 1. Noise of the camera."
    assert found.fields == {"figure": 0}


def test_a_vector_figure_has_a_box_and_its_labels_are_no_text(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(60, 100, LONG * 4, width=480)
    sheet.page.draw_circle((250, y + 80), 50)
    sheet.page.draw_bezier((180, y + 130), (200, y + 20), (300, y + 20), (330, y + 130))
    sheet.line(240, y + 85, "Label inside", 7)
    sheet.line(150, y + 160, "Fig. 2 Curves alone.", 9, fontname="hebo")
    sheet.paragraph(60, y + 200, LONG * 4, width=480)
    document = read(sheet.bytes(), images=True)
    (figure,) = document.figures
    assert figure.box is not None
    assert figure.media_type == "image/webp"
    assert "Label inside" not in " ".join(block.text for block in document.blocks)


def test_small_pictures_are_no_figures(sheet: Any) -> None:
    sheet.new_page()
    sheet.paragraph(60, 100, LONG * 4, width=480)
    sheet.picture((60, 300, 90, 330), pixels=40)
    assert read(sheet.bytes(), images=True).figures == ()


def test_a_sentence_that_opens_with_a_figure_is_no_caption(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(60, 100, LONG * 4, width=480)
    sheet.paragraph(60, y + 14, "Figure 3 shows that the effect was small. " + LONG * 2, width=480)
    document = read(sheet.bytes())
    assert document.figures == ()
    assert "Figure 3 shows" in " ".join(b.text for b in document.blocks if b.kind == "paragraph")


def test_every_page_has_a_small_picture(sheet: Any) -> None:
    for _ in range(2):
        sheet.new_page()
        sheet.paragraph(60, 100, LONG * 12, width=480)
        sheet.picture((60, 500, 500, 800), pixels=400)
    for page in read(sheet.bytes(), images=True).pages:
        assert page.image is not None
        assert page.image[:4] == b"RIFF"
        assert page.image[8:12] == b"WEBP"
        assert len(page.image) <= 120_000
