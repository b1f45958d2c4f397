"""DOI and year are read from the first page, wherever and however they are printed there."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.sources.pdf.imprint import find_doi, find_year
from corpus.sources.pdf.model import Line, Rect, Word, make_line
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse

PLACE = Rect(0, 0, 10, 10)


def lines(*texts: str) -> list[Line]:
    return [
        make_line([Word(word, PLACE, 8, 10, "f") for word in text.split()], 1) for text in texts
    ]


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("DOI 10.1007/s00001-015-0001-7", "10.1007/s00001-015-0001-7"),
        ("Foods 2018, 10, 16; doi:10.3390/xy10120016 www.example.org", "10.3390/xy10120016"),
        ("http://dx.doi.org/10.1097/MD.0000000000000001", "10.1097/md.0000000000000001"),
        ("DOI: 10. 1186/ s00002-6-3", "10.1186/s00002-6-3"),
        ("(doi: 10.1155/2018/0000001).", "10.1155/2018/0000001"),
        ("version 110.1234/5 of the table", ""),
        ("a dose of 10.5/day", ""),
    ],
)
def test_a_doi_as_publishers_print_it(text: str, doi: str) -> None:
    assert find_doi(lines(text)) == doi


@pytest.mark.parametrize(
    ("texts", "year"),
    [
        (
            ["Received: 13 April 2014 / Accepted: 31 May 2014 / Published online: 20 June 2015"],
            "2015",
        ),
        (["Received 3 May 2016; Published March 31, 2017"], "2017"),
        (["cohorts of 1998", "© The Author(s). 2017 Open Access"], "2017"),
        (["Marsh. Example 2012;1:e00353."], "2012"),
        (["Behav Ex (2016) 69: 1407"], "2016"),
        (["Accepted: 3 October 2018"], "2018"),
        (["We followed patients from 1998 to 2004.", "(Lind 2003)"], ""),
        ([], ""),
    ],
)
def test_a_year_only_where_it_is_that_of_publication(texts: list[str], year: str) -> None:
    assert find_year(lines(*texts)) == year


def test_both_stand_on_the_document(sheet: Any) -> None:
    sheet.new_page().line(60, 70, "How cooling keeps a kinase active", 18)
    sheet.paragraph(60, 110, "The kinase was active in all of the samples. " * 20, width=470)
    sheet.line(60, 800, "Cold Res. 2018, 10, 16; doi:10.3390/xy10120016 www.example.org", 8)

    (paper,) = parse(sheet.bytes(), "cold.pdf", images=False)
    document = normalize(paper)

    assert (document.published, document.identifiers.doi) == ("2018", "10.3390/xy10120016")
