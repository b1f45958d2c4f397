"""Running heads and page numbers go; lines of text that recur but for their numbers stay."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.sources.pdf.taken import much_taken, told
from corpus.types import NormalizedDocument

PAGES = 8
LEFT, TOP, WIDTH = 72.0, 110.0, 440.0
VOCABULARY = (
    "kinase binds receptor lowers raises macrophage tumour serum level cells mice patients dose "
    "response signal pathway inhibitor trial week plasma cytokine lung liver tissue marker"
)
WORDS = VOCABULARY.split()

Draw = Callable[[Any, int], object]


def read(data: bytes) -> NormalizedDocument:
    (paper,) = parse(data, "paper.pdf", images=False)
    return normalize(paper)


def text_of(document: NormalizedDocument) -> str:
    return " ".join([document.title, *(block.text for block in document.blocks)])


def prose(page: int, count: int = 160) -> str:
    chance = random.Random(page)
    return f"Body {page} begins. " + " ".join(chance.choice(WORDS) for _ in range(count)) + "."


def made(sheet: Any, draw: Draw, *, pages: int = PAGES, top: float = TOP, size: float = 10) -> Any:
    """Pages of prose, each with what `draw` puts on it."""
    for number in range(1, pages + 1):
        sheet.new_page()
        draw(sheet, number)
        sheet.paragraph(LEFT, top, prose(number), WIDTH, size)
    return read(sheet.bytes())


def test_a_line_on_each_patient_is_kept_under_its_heading(sheet: Any) -> None:
    def patient(sheet: Any, number: int) -> None:
        sheet.line(72, 72, f"Patient {number}", 16)
        dose = f"{10 * number + 5} mg of lentozimab on day {number + 2}"
        sheet.line(72, 113, f"Patient {number} received {dose}.", 11)

    text = text_of(made(sheet, patient, pages=12, top=145, size=11))
    for number in range(1, 13):
        assert f"Patient {number} Patient {number} received" in text
        assert f"{10 * number + 5} mg of lentozimab on day {number + 2}." in text


@pytest.mark.slow
@pytest.mark.parametrize("gap", [16, 32])
def test_a_first_line_in_which_several_numbers_count_pages_is_kept(sheet: Any, gap: float) -> None:
    """Whether or not an empty line parts it from what follows."""

    def protein(sheet: Any, number: int) -> None:
        what = f"Protein P{number:04} binds receptor R{number:04} with a constant of {number + 1}"
        sheet.line(72, 84, f"{what} nM", 11)

    text = text_of(made(sheet, protein, pages=40, top=84 + gap, size=11))
    for number in range(1, 41):
        assert f"R{number:04} with a constant of {number + 1} nM" in text


def test_a_sentence_with_one_number_that_counts_pages_is_kept(sheet: Any) -> None:
    """The number stands within it, where no page number stands; an empty line follows."""

    def dose(sheet: Any, number: int) -> None:
        sheet.line(LEFT, TOP - 36, f"Patient {number} received 5 mg of the drug on one day.")

    text = text_of(made(sheet, dose))
    assert all(f"Patient {n} received 5 mg" in text for n in range(1, PAGES + 1))


def test_a_counted_line_in_the_type_and_spacing_of_the_text_is_kept(sheet: Any) -> None:
    text = text_of(made(sheet, lambda s, n: s.line(LEFT, TOP - 12, f"Observation on animal {n}")))
    assert all(f"Observation on animal {n} Body {n}" in text for n in range(1, PAGES + 1))


def test_the_same_line_is_kept_where_the_text_runs_on_under_it(sheet: Any) -> None:
    """Also in text that is set with wide spacing."""
    for number in range(1, PAGES + 1):
        sheet.new_page()
        sheet.line(LEFT, 90, "No adverse event of grade 3 was seen.")
        for row in range(30):
            sheet.line(LEFT, 110 + 20 * row, prose(100 * number + row, 10))
    assert text_of(read(sheet.bytes())).count("No adverse event of grade 3") == PAGES


def test_a_page_whose_text_begins_where_others_have_their_head_keeps_it(sheet: Any) -> None:
    for number in range(1, PAGES + 1):
        sheet.new_page()
        top = 52.0 if number == 4 else TOP
        if number != 4:
            sheet.line(LEFT, 50, "Journal of Examples 12 (2019) 34\u201356", 8)
        sheet.paragraph(LEFT, top, prose(number), WIDTH)
    text = text_of(read(sheet.bytes()))
    assert "Body 4 begins." in text
    assert "Journal of Examples" not in text


def test_numbers_of_a_table_at_the_top_of_a_page_are_kept(sheet: Any) -> None:
    def cells(sheet: Any, number: int) -> None:
        sheet.line(300, 800, str(number), 9)
        if number == 3:
            for place in range(4):
                sheet.line(LEFT + 90 * place, 60, str(211 + 7 * place))

    text = text_of(made(sheet, cells))
    assert all(str(211 + 7 * place) in text for place in range(4))


def mirrored(sheet: Any, number: int) -> None:
    if number % 2:
        sheet.line(LEFT, 50, f"J. Doe et al. / Journal 12 (2019) 34\u201356 {33 + number}", 8)
    else:
        sheet.line(300, 50, f"{33 + number} J. Doe et al. / Journal 12 (2019) 34\u201356", 8)


def parted(sheet: Any, number: int) -> None:
    sheet.line(LEFT, 50, "BMC Biology 2019, 17:45", 8)
    sheet.line(440, 50, f"Page {number} of {PAGES}", 8)


HEADS: dict[str, Draw] = {
    "the same on all pages": lambda s, n: s.line(LEFT, 50, "J. Doe et al. 12 (2019) 34\u201356"),
    "left and right by turns": mirrored,
    "volume, then page of pages": parted,
    "volume and page in one line": lambda s, n: s.line(
        LEFT, 50, f"BMC Biology 2019, 17:45 Page {n} of {PAGES}", 8
    ),
    "page first, in the type of the text": lambda s, n: s.line(
        LEFT, 50, f"{214 + n} The Journal, 2016, Volume 10"
    ),
    "page last, at the right, near the text": lambda s, n: s.line(480, TOP - 20, f"Doe {n}"),
    "a foot with the page": lambda s, n: s.line(LEFT, 800, f"The Journal 17:45 | {n}", 8),
    "a volume of two papers": lambda s, n: s.line(
        LEFT, 50, f"The Journal 12, {1 if n < 5 else 5}\u2013{4 if n < 5 else 8}, page {n}", 8
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", HEADS)
def test_running_heads_of_many_forms_are_left_out(sheet: Any, form: str) -> None:
    document = made(sheet, HEADS[form])
    text = text_of(document)
    assert not [part for part in ("Doe", "Journal", "BMC", "Page ") if part in text]
    assert all(f"Body {number} begins." in text for number in range(1, PAGES + 1))
    assert all(page.report["furniture"] for page in document.pages)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["{}", "- {} -", "Page {}", "Page {} of 8", "{} / 8", "S{}"])
def test_page_numbers_alone_are_left_out(sheet: Any, form: str) -> None:
    document = made(sheet, lambda s, n: s.line(290, 800, form.format(n), 9))
    told_on = [page.report["furniture"] for page in document.pages]
    assert told_on == [[form.format(number)] for number in range(1, PAGES + 1)]
    assert document.note == ""


def test_a_manuscript_with_numbered_lines_loses_only_the_numbers(sheet: Any) -> None:
    for number in range(1, 5):
        sheet.new_page()
        sheet.line(500, 40, f"Doe {number}")
        for row in range(25):
            count = str(25 * (number - 1) + row + 1)
            sheet.line(60 - 4.4 * len(count), 90 + 24 * row, count, 8)
            sheet.line(LEFT, 90 + 24 * row, f"row{number}x{row} {prose(row, 8)[14:]}")
    document = read(sheet.bytes())
    text = text_of(document)
    assert all(f"row{n}x{row}" in text for n in range(1, 5) for row in range(25))
    assert "Doe" not in text
    assert not [word for word in text.split() if word.isdecimal()]
    assert document.note == ""


def test_the_report_of_a_page_tells_what_was_taken_off_it(sheet: Any) -> None:
    document = made(sheet, parted)
    assert document.pages[2].report["furniture"] == ["BMC Biology 2019, 17:45", "Page 3 of 8"]


def test_a_report_tells_a_few_pieces_shortened() -> None:
    pieces = told(["1", "x" * 200, *(f"piece {number}" for number in range(9))])
    assert pieces[0] == "x" * 79 + "\u2026"
    assert pieces[1:] == [f"piece {number}" for number in range(5)]


def test_a_curator_is_told_where_much_was_taken(sheet: Any) -> None:
    long = "This form is to be kept with the records of the trial for as long as the law demands"
    document = made(sheet, lambda s, n: s.line(LEFT, 50, long, 8))
    assert "% of the text was left out as running heads" in document.note
    assert long[:60] in document.note


def test_what_differs_from_page_to_page_counts_as_much_sooner() -> None:
    same = [["The Journal of Examples"]] * 10
    own = [[f"The Journal of Examples {number}"] for number in range(10)]
    assert much_taken(same, 6000) == ""
    assert much_taken(own, 6000).startswith("4 % of the text")
    assert much_taken([["12"], ["13"]], 10) == ""


def test_a_panel_letter_at_the_top_of_many_pages_is_no_running_head(sheet: Any) -> None:
    sheet.new_page().paragraph(60, 90, prose(9), width=470)
    for page in range(4):
        sheet.new_page()
        sheet.line(62, 40, "(a)", 9).line(305, 40, "(b)", 9)
        sheet.picture((80, 60, 270, 240)).picture((320, 60, 500, 240))
        sheet.paragraph(60, 270, "Figure 1. Growth of (a) wild and (b) mutant cells.", 470, 8)
        sheet.paragraph(60, 320, prose(page), width=470)
    (paper,) = parse(sheet.bytes(), "paper.pdf")
    assert not any("(a)" in page.furniture for page in paper.pages)
    assert sum(figure.parent >= 0 for figure in paper.figures) == 8
