"""What people saw amiss on pages of real papers, typeset anew: headings, figures, notes, order."""

from __future__ import annotations

from typing import Any

import pymupdf

from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import NormalizedDocument

PROSE = (
    "The treated animals were observed for several weeks and none of them lost weight. "
    "Blood was drawn every second day and kept cold until all the samples were complete. "
    "We then compared the groups with one another and with those of the former season. "
)
LEFT, RIGHT, STEP = 50.0, 310.0, 12.0


def read(sheet: Any, *, images: bool = False) -> NormalizedDocument:
    (paper,) = parse(sheet.bytes(), "eye.pdf", images=images)
    return normalize(paper)


def lines(sheet: Any, x: float, y: float, texts: list[str], **options: Any) -> float:
    for text in texts:
        sheet.line(x, y, text, **options)
        y += STEP
    return y


def headings(document: NormalizedDocument) -> list[str]:
    return [block.text for block in document.blocks if block.kind == "heading"]


def said(document: NormalizedDocument, *kinds: str) -> str:
    return " ".join(b.text for b in document.blocks if b.kind in (kinds or ("paragraph",)))


def test_names_in_italics_at_the_top_of_a_column_are_no_heading(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(LEFT, 80, PROSE * 6)
    sheet.line(LEFT, y, "A mixture of several herbs that contains the leaves of")
    sheet.line(RIGHT, 80, "Acacia chundra, Mimusops elengi and Piper nigrum", fontname="heit")
    sheet.line(RIGHT, 92, "reduced all indices that were looked at in the study.")
    y = sheet.paragraph(RIGHT, 104, PROSE * 3)
    sheet.line(RIGHT, y + 20, "Ocimum sanctum", fontname="heit")
    sheet.paragraph(RIGHT, y + 34, PROSE * 3)
    document = read(sheet)
    assert headings(document) == ["Ocimum sanctum"]
    assert "leaves of Acacia chundra, Mimusops" in said(document)


def test_a_name_that_opens_the_paragraph_is_no_part_of_the_title(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(LEFT, 80, PROSE * 4, width=480)
    sheet.line(LEFT, y + 20, "Aloe vera (Aloe)", fontname="heit")
    sheet.line(LEFT + 12, y + 33, "Aloe vera and Aloe arborescens Mill.", fontname="heit")
    sheet.line(LEFT + 178, y + 33, "(Burm.) or aloe from the family")
    sheet.paragraph(LEFT, y + 45, f"Asphodelaceae is a perennial plant. {PROSE * 2}", width=480)
    document = read(sheet)
    assert headings(document) == ["Aloe vera (Aloe)"]
    assert "Aloe vera and Aloe arborescens Mill. (Burm.) or aloe" in said(document)


def test_abbreviations_are_a_label_and_a_bold_abstract_is_a_heading(sheet: Any) -> None:
    sheet.new_page()
    sheet.line(LEFT, 80, "Abstract", fontname="hebo")
    sheet.line(LEFT + 50, 80, "The animals that were treated did not lose any weight at all and")
    y = sheet.paragraph(LEFT, 92, PROSE * 2, width=480)
    sheet.line(LEFT, y + 12, "Abbreviations:", fontname="hebo")
    sheet.line(LEFT + 76, y + 12, "PI, plaque index; GI, gingival index; CHX, chlorhexidine.")
    sheet.line(LEFT, y + 44, "Introduction", fontname="hebo")
    sheet.paragraph(LEFT, y + 58, PROSE * 6, width=480)
    assert headings(read(sheet)) == ["Abstract", "Introduction"]


def test_rules_and_logos_of_the_page_are_no_part_of_a_figure(sheet: Any) -> None:
    for number in range(4):
        sheet.new_page()
        sheet.rule(LEFT, 60, 545)
        sheet.picture((480, 22, 540, 56))
        if number == 2:
            sheet.picture((LEFT, 90, 280, 250))
            sheet.line(LEFT, 270, "Figure 1. Noise of the camera.", 9, fontname="hebo")
            sheet.paragraph(LEFT, 310, PROSE * 7)
        else:
            sheet.paragraph(LEFT, 90, PROSE * 10)
        sheet.paragraph(RIGHT, 90, f"Here begins column {number}. {PROSE * 10}")
    document = read(sheet, images=True)
    (figure,) = document.figures
    assert figure.box is not None
    assert (round(figure.box.y0), round(figure.box.x1)) == (90, 280)
    assert "Here begins column 2. The treated" in said(document)


def test_a_heading_below_a_caption_is_no_label_of_the_figure(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(LEFT, 80, PROSE * 4)
    sheet.picture((LEFT, y, 280, y + 150))
    sheet.line(LEFT, y + 162, "Figure 1. Noise of the camera.", 9)
    sheet.line(LEFT, y + 176, "Isolation of the strains", fontname="hebo")
    sheet.paragraph(LEFT, y + 189, PROSE * 4)
    sheet.paragraph(RIGHT, 80, PROSE * 9)
    assert headings(read(sheet)) == ["Isolation of the strains"]


def test_short_forms_explained_below_a_table_are_its_notes(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(LEFT, 80, PROSE * 4, width=480)
    sheet.line(LEFT, y + 20, "Table 1. Resistance of the isolates", 9, fontname="hebo")
    sheet.rule(LEFT, y + 28, 530)
    for number, row in enumerate((("Drugs", "Isolates"), ("CC, NS", "4"), ("IT, KT", "7"))):
        sheet.line(LEFT, y + 42 + 14 * number, row[0], 9)
        sheet.line(350, y + 42 + 14 * number, row[1], 9)
    sheet.rule(LEFT, y + 47, 530)
    sheet.rule(LEFT, y + 76, 530)
    lines(sheet, LEFT, y + 90, [
        "Agents used here: CC = clotrimazole, NS = nystatin, IT = itraconazole, and also at last",
        "KT = ketoconazole, which was bought in the same year from the maker of all the others",
    ])  # fmt: skip
    sheet.paragraph(LEFT, y + 150, PROSE * 6, width=480)
    document = read(sheet)
    assert "NS = nystatin" in said(document, "footnote")
    assert "ketoconazole" not in said(document)


def test_a_line_of_many_short_forms_is_a_note_further_below_too(sheet: Any) -> None:
    sheet.new_page()
    sheet.line(LEFT, 90, "Table 1. Substances in the leaves", 9, fontname="hebo")
    sheet.rule(LEFT, 98, 530)
    for number, row in enumerate((("Plant", "A", "F"), ("Neem", "+", "-"), ("Basil", "-", "+"))):
        for x, text in zip((LEFT, 300, 420), row, strict=True):
            sheet.line(x, 112 + 14 * number, text, 9)
    sheet.rule(LEFT, 117, 530)
    sheet.rule(LEFT, 146, 530)
    sheet.line(LEFT, 182, "Key to substances: A = alkaloid; F = flavonoid; T = tannin", 8)
    sheet.paragraph(LEFT, 215, PROSE * 9, width=480)
    document = read(sheet)
    assert "T = tannin" in said(document, "footnote")
    assert "tannin" not in said(document)


def test_fine_print_of_the_first_page_interrupts_no_sentence(sheet: Any) -> None:
    sheet.new_page()
    sheet.paragraph(LEFT, 80, PROSE * 10)
    y = sheet.paragraph(RIGHT, 80, PROSE * 10)
    sheet.line(RIGHT, y, "Such variants could be taken as markers that tell us")
    sheet.line(180, 760, "\u00a9 The Authors. This article is under a Creative Commons", 7)
    sheet.line(180, 769, "licence, which permits use and reproduction in any medium, if cited.", 7)
    sheet.new_page()
    sheet.line(LEFT, 80, "who will fall ill. The next one is another sentence.")
    sheet.paragraph(LEFT, 92, PROSE * 5)
    document = read(sheet)
    assert "markers that tell us who will fall ill." in said(document)
    assert "Creative Commons" in said(document, "footnote")


def test_page_numbers_further_out_or_in_wide_margins_are_left_out(sheet: Any) -> None:
    for number in range(1, 6):
        sheet.new_page()
        sheet.paragraph(LEFT, 80, PROSE * 8, width=480)
        sheet.line(290, 600, str(40 + number))
        if number < 5:
            sheet.paragraph(LEFT, 480, f"Page {number} ends so. {PROSE * 2}", width=480)
    text = said(read(sheet))
    assert not any(f" {40 + number} " in f"{text} " for number in range(1, 6))


def test_a_line_between_the_text_and_the_page_number_is_a_foot(sheet: Any) -> None:
    for number in range(1, 5):
        sheet.new_page()
        sheet.paragraph(LEFT, 80, f"Page {number} begins. {PROSE * 9}")
        sheet.paragraph(RIGHT, 80, f"Column of page {number}. {PROSE * 9}")
        sheet.line(LEFT, 756, "ISSN 0973-2063 (online) 0973-8894 (print)", 8)
        sheet.line(290, 774, str(66 + number), 9)
        sheet.line(LEFT, 780, "Journal of Invented Examples 13(3): 67-72", 8)
    text = said(read(sheet), "paragraph", "footnote")
    assert "ISSN" not in text
    assert "67 " not in text


def test_text_beside_a_reference_list_is_read_before_it(sheet: Any) -> None:
    sheet.new_page()
    y = sheet.paragraph(LEFT, 80, f"The conclusion comes first. {PROSE * 5}")
    sheet.line(RIGHT, 80, "Author Contributions", 12, fontname="hebo")
    sheet.paragraph(RIGHT, 98, f"All of us wrote the paper. {PROSE * 3}")
    top = y + 40
    sheet.line(LEFT, top, "References", 12, fontname="hebo")
    works = [f"Author, A. ({1990 + n}). A work on camels and their use. J. Camels {n}, 1-9."
             for n in range(12)]  # fmt: skip
    for x, some in ((LEFT, works[:6]), (RIGHT, works[6:])):
        at = top + (16 if x == LEFT else 2)
        for work in some:
            at = sheet.paragraph(x, at, work, size=8)
    document = read(sheet)
    assert headings(document) == ["Author Contributions", "References"]
    kinds = {block.text[8:17]: block.kind for block in document.blocks}
    assert "All of us wrote the paper." in said(document)
    assert "Camels 11" in said(document, "reference"), kinds
    assert "Camels" not in said(document)


def test_the_first_long_lines_end_the_front_where_no_abstract_is_named(sheet: Any) -> None:
    sheet.new_page()
    sheet.line(180, 90, "A study of camels and of their use in the desert", 16, fontname="hebo")
    lines(sheet, 40, 120, ["Edited by:", "Ann Author", "Reviewed by:", "Bea Writer"], size=7)
    sheet.line(180, 120, "Carl Camel and Dora Dune", 9, fontname="hebo")
    sheet.paragraph(180, 160, f"The present work looks at camels. {PROSE * 3}", 380, 11)
    sheet.new_page()
    sheet.paragraph(LEFT, 80, PROSE * 12, width=480)
    document = read(sheet)
    front = " ".join(b.text for b in document.blocks if b.section == ("Title page",))
    assert "Edited by:" in front
    assert "The present work" not in front


def test_a_line_stretched_to_its_column_stays_whole_above_a_figure(sheet: Any) -> None:
    sheet.new_page()
    sheet.paragraph(RIGHT, 80, PROSE * 6)
    y = sheet.paragraph(LEFT, 80, PROSE * 6)
    sheet.line(LEFT, y, "Then all of them were brought to the large and wide desert")
    for row in (1, 2):
        x = LEFT
        for word in ("such", "enlightening", "camels", "in", "a", "desert", "so"):
            sheet.line(x, y + 12 * row, word)
            x += pymupdf.get_text_length(word, fontsize=10) + 11
    sheet.picture((LEFT, y + 38, LEFT + 230, y + 138))
    sheet.line(LEFT, y + 152, "Figure 1. Noise of the camera.", 9)
    sheet.paragraph(LEFT, y + 190, PROSE * 3)
    assert 2 * " such enlightening camels in a desert so" in said(read(sheet))
