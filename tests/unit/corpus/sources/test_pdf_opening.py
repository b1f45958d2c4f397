"""Abstracts without a heading, citations of the paper itself, and what follows the references."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import NormalizedDocument

PROSE = (
    "The treated animals were observed for several weeks and none of them lost weight. "
    "Blood was drawn every second day and kept cold until all the samples were complete. "
    "We then compared the groups with one another and with those of the former season. "
)
LEFT = 50.0
AIM = "The present work looks at camels and at what they carry through the desert."


def read(sheet: Any) -> NormalizedDocument:
    (paper,) = parse(sheet.bytes(), "opening.pdf", images=False)
    return normalize(paper)


def under(document: NormalizedDocument, *section: str) -> str:
    return " ".join(b.text for b in document.blocks if b.section == section)


def opened(sheet: Any, *, size: float = 10.0) -> float:
    """A first page down to the end of an abstract that nothing names; the next baseline."""
    sheet.new_page()
    sheet.line(LEFT, 80, "A study of camels and of their use in the desert", 16, fontname="hebo")
    sheet.line(LEFT, 104, "Carl Camel and Dora Dune", 10, fontname="hebo")
    address = "1 Department of Camels, University of Dunes, Sand Street 5, Oasis, Desert Land"
    sheet.line(LEFT, 120, address, 8)
    sheet.line(LEFT, 140, "Received 4 January 2018; Accepted 22 March 2018", 8)
    return float(sheet.paragraph(LEFT, 170, f"{AIM} {PROSE * 2}", 480, size))


@pytest.mark.parametrize("size", [9.0, 10.0, 11.0])
def test_prose_between_the_front_and_the_introduction_is_the_abstract(
    sheet: Any, size: float
) -> None:
    y = opened(sheet, size=size)
    sheet.line(LEFT, y + 24, "1. Introduction", 13, fontname="hebo")
    sheet.paragraph(LEFT, y + 44, PROSE * 8, width=480)
    document = read(sheet)
    assert under(document, "Abstract").startswith(AIM)
    assert "Received 4 January" in under(document, "Title page")
    assert under(document, "1. Introduction").endswith(PROSE.strip())


def test_addresses_and_licences_before_the_introduction_are_no_abstract(sheet: Any) -> None:
    sheet.new_page()
    sheet.line(LEFT, 80, "A study of camels and of their use in the desert", 16, fontname="hebo")
    licence = (
        "This is an open access article under a licence that permits its use in any medium. "
        "The work must be cited as is usual among those who study camels and their ways. "
    )
    y = sheet.paragraph(LEFT, 110, licence * 2, 480, 9)
    sheet.line(LEFT, y + 24, "Introduction", 13, fontname="hebo")
    sheet.paragraph(LEFT, y + 44, PROSE * 8, width=480)
    assert not under(read(sheet), "Abstract")


def test_what_stands_before_another_section_is_not_named(sheet: Any) -> None:
    y = opened(sheet)
    sheet.line(LEFT, y + 24, "Camels in the desert", 13, fontname="hebo")
    sheet.paragraph(LEFT, y + 44, PROSE * 8, width=480)
    document = read(sheet)
    assert not under(document, "Abstract")
    assert AIM in " ".join(block.text for block in document.blocks)


def test_how_to_cite_the_paper_is_no_part_of_the_text_read_before_it(sheet: Any) -> None:
    sheet.new_page()
    sheet.line(LEFT, 80, "A study of camels and of their use in the desert", 16, fontname="hebo")
    told = ["Article type:", "Review", "Article history:", "Received: May 18", "Accepted: Jul 14",
            "Keywords:", "Camels", "Deserts", "Dunes", "Please cite this article as:"]  # fmt: skip
    for number, text in enumerate(told):
        sheet.line(LEFT, 110 + 14 * number, text, 8)
    sheet.line(200, 110, "Abstract", 11, fontname="hebo")
    sheet.paragraph(200, 124, PROSE * 2, width=330)
    citation = (
        "Camel C, Dune D. A study of camels and of their use in the desert. J Camels 2018; 1:1-9"
    )
    sheet.line(LEFT, 246, citation, 8)
    sheet.line(LEFT, 280, "Introduction", 13, fontname="hebo")
    for x in (LEFT, 310):
        sheet.paragraph(x, 300, PROSE * 9)
    document = read(sheet)
    assert "J Camels 2018" in under(document, "Title page")
    assert under(document, "Abstract").replace("Abstract ", "") == (PROSE * 2).strip()


def test_a_statement_in_small_type_after_the_references_is_a_section(sheet: Any) -> None:
    sheet.new_page()
    sheet.line(LEFT, 80, "Discussion", 13, fontname="hebo")
    y = sheet.paragraph(LEFT, 100, PROSE * 9, width=480)
    sheet.line(LEFT, y + 20, "References", 13, fontname="hebo")
    y += 40
    for n in range(6):
        work = f"Author, A. ({1990 + n}). A work on camels and their use. J. Camels {n}, 1-9."
        y = sheet.paragraph(LEFT, y, work, 480, 7.5)
    title = "Conflict of Interest Statement:"
    sheet.line(LEFT, y + 12, title, 7.5, fontname="hebo")
    sheet.line(LEFT + 130, y + 12, "The authors declare that they own no camels at all.", 7.5)
    document = read(sheet)
    (statement,) = [b for b in document.blocks if "own no camels" in b.text]
    assert (statement.kind, statement.section) == ("paragraph", (title.rstrip(":"),))
    assert "J. Camels 5" in under(document, "References")


def test_entries_that_hang_below_their_first_line_are_told_apart(sheet: Any) -> None:
    sheet.new_page()
    sheet.line(LEFT, 80, "Discussion", 13, fontname="hebo")
    y = sheet.paragraph(LEFT, 100, PROSE * 9, width=480)
    sheet.line(LEFT, y + 20, "References", 13, fontname="hebo")
    y += 40
    for n in range(5):
        for number, text in enumerate(
            (f"Author, A., and Writer, B.: A work on camels, number {n}, and on what they carry",
             "through the desert when there is no other way, with a word on the dunes and their",
             f"names, J. Camels, {n}, 1-9, doi:10.5555/camels.{n}")
        ):  # fmt: skip
            sheet.line(LEFT + (10 if number else 0), y, text, 9)
            y += 11
    entries = [block.text for block in read(sheet).blocks if block.kind == "reference"]
    assert [entry[-8:] for entry in entries] == [f"camels.{n}" for n in range(5)]
