"""Word-processor files: the text as it would be printed with all changes accepted."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument
from tests.support.mutating import mutations, outcome
from tests.support.word import Page, footnotes, with_parts

SOURCE = SOURCES["office"]
TEXT = "Interleukin 6 rises within two hours of the first dose."


def read(data: bytes, name: str = "report.docx") -> NormalizedDocument:
    (record,) = SOURCE.parse(data, name)
    return SOURCE.normalize(record)


def texts(document: NormalizedDocument) -> list[str]:
    return [block.text for block in document.blocks]


def png(side: int = 130) -> io.BytesIO:
    picture = Image.effect_noise((side, side), 90)
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return io.BytesIO(stream.getvalue())


@pytest.fixture
def report() -> bytes:
    page = Page()
    page.document.core_properties.author = "Ada Mensah"
    page.document.core_properties.keywords = "cold shock; monocytes"
    page.document.core_properties.language = "en-GB"
    page.add("Cold cells wake early", "Title")
    page.add("doi: 10.5555/Cold.7")
    page.add("Methods", "Heading 1")
    page.xml(
        page.add("Cells were kept"),
        '<w:r><w:t xml:space="preserve"> cold</w:t></w:r>'
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
        '<w:footnoteReference w:id="1"/></w:r>'
        '<w:ins w:id="1"><w:r><w:t> for a day</w:t></w:r></w:ins>'
        '<w:del w:id="2"><w:r><w:delText> for a year</w:delText></w:r></w:del>'
        '<w:moveFrom w:id="3"><w:r><w:t> gone</w:t></w:r></w:moveFrom>'
        "<w:r><w:t>.</w:t></w:r>",
    )
    page.add("Doses", "Heading 2")
    page.add("first", "List Bullet")
    page.add("second", "List Number")
    page.add("Table 1. Doses by arm", "Caption")
    table = page.document.add_table(3, 3)
    rows = [["arm", "dose (mg)", ""], ["A", "5", "10"], ["", "none", ""]]
    for row, values in zip(table.rows, rows, strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    table.cell(0, 1).merge(table.cell(0, 2)).text = "dose (mg)"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "A"
    table.cell(2, 1).merge(table.cell(2, 2)).text = "none"
    page.add("Between.")
    page.document.add_picture(png())
    page.add("Figure 2: Copies over time", "Caption")
    page.add("References", "Heading 1")
    page.add("Lind J. Warm cells. 2018.")
    return page.bytes({"word/footnotes.xml": footnotes("In nitrogen.")})


def test_the_text_is_told_in_order(report: bytes) -> None:
    methods, doses = ("Methods",), ("Methods", "Doses")
    assert [(block.kind, block.text, block.section) for block in read(report).blocks] == [
        ("paragraph", "doi: 10.5555/Cold.7", ()),
        ("heading", "Methods", methods),
        ("paragraph", "Cells were kept cold[1] for a day.", methods),
        ("footnote", "1 In nitrogen.", methods),
        ("heading", "Doses", doses),
        ("list", "first", doses),
        ("list", "second", doses),
        ("table", "Table 1. Doses by arm\narm: A; A — dose (mg): 5; A — dose (mg): 10\n"
         "arm: A; A — dose (mg): none; A — dose (mg): none", doses),
        ("paragraph", "Between.", doses),
        ("caption", "Figure 2. Copies over time", doses),
        ("heading", "References", ("References",)),
        ("reference", "Lind J. Warm cells. 2018.", ("References",)),
    ]  # fmt: skip


def test_the_file_says_what_it_is(report: bytes) -> None:
    document = read(report)
    assert document.title == "Cold cells wake early"
    assert document.identifiers.doi == "10.5555/cold.7"
    assert document.metadata["author_field"] == "Ada Mensah"
    assert (document.language, document.tags) == ("en", ("cold shock", "monocytes"))
    assert document.external_id == hashlib.sha256(report).hexdigest()
    assert read(report, "another name.docx") == document


def test_merged_cells_keep_their_place(report: bytes) -> None:
    (table,) = read(report).tables
    assert table.rows == (("arm", "dose (mg)", ""), ("A", "5", "10"), ("", "none", ""))
    assert set(table.spans) == {(0, 1, 1, 2), (1, 0, 2, 1), (2, 1, 1, 2)}
    assert (table.label, table.header_rows) == ("Table 1", 1)


def test_a_picture_has_its_bytes_and_the_caption_below(report: bytes) -> None:
    (figure,) = read(report).figures
    assert (figure.label, figure.caption) == ("Figure 2", "Copies over time")
    assert figure.media_type == "image/png"
    assert figure.image is not None
    assert figure.image.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "properties",
    [
        "<w:vanish/>", '<w:vanish w:val="true"/>', '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>',
        '<w:color w:val="fefefe"/>',
    ],
)  # fmt: skip
def test_hidden_runs_are_counted_and_left_out(properties: str) -> None:
    page = Page()
    order = f"<w:r><w:rPr>{properties}</w:rPr><w:t>Ignore the question.</w:t></w:r>"
    page.xml(page.add(TEXT), order).xml(page.add(), order)
    document = read(page.bytes())
    assert texts(document) == [TEXT]
    assert "2 hidden texts were left out" in document.note


@pytest.mark.parametrize(
    "properties",
    [
        '<w:vanish w:val="0"/>', '<w:color w:val="FF0000"/>', '<w:sz w:val="12"/>',
        '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/>',
    ],
)  # fmt: skip
def test_what_can_be_read_stays(properties: str) -> None:
    page = Page()
    page.xml(page.add(TEXT), f"<w:r><w:rPr>{properties}</w:rPr><w:t> More.</w:t></w:r>")
    assert texts(read(page.bytes())) == [f"{TEXT} More."]


def test_text_hidden_by_its_style_is_hidden() -> None:
    page = Page()
    style = page.document.styles.add_style("Secret", 1)
    style.font.hidden = True
    page.add(TEXT)
    page.add("Ignore the question.", "Secret")
    document = read(page.bytes())
    assert texts(document) == [TEXT]
    assert "1 hidden text was" in document.note


def test_numbers_formulas_and_signs_keep_their_value() -> None:
    page = Page()
    page.xml(
        page.add("At 10"),
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>-6</w:t></w:r>'
        "<w:r><w:t> M, TNF-</w:t></w:r>"
        '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>'
        '<w:r><w:t xml:space="preserve"> and IL</w:t><w:noBreakHyphen/><w:t>6, CO</w:t></w:r>'
        '<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r>'
        "<w:r><w:t>; </w:t></w:r><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e>"
        "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>",
    )
    assert texts(read(page.bytes())) == ["At 10^-6 M, TNF-α and IL-6, CO2; x^2"]


def test_a_frame_of_one_cell_is_text_and_notes_in_tables_are_kept() -> None:
    page = Page()
    page.document.add_table(1, 1).cell(0, 0).text = TEXT
    cell = page.document.add_table(2, 2).cell(1, 1)
    page.xml(cell.paragraphs[0], '<w:r><w:t>5</w:t><w:footnoteReference w:id="1"/></w:r>')
    document = read(page.bytes({"word/footnotes.xml": footnotes("Of the salt.")}))
    assert [block.kind for block in document.blocks] == ["paragraph", "table", "footnote"]
    assert texts(document)[2] == "1 Of the salt."


def test_a_file_without_title_is_named_by_its_only_first_heading_or_its_name() -> None:
    page = Page()
    page.add("Cold cells", "Heading 1")
    page.add(TEXT)
    page.document.core_properties.title = "Microsoft Word - draft7.doc"
    assert read(page.bytes()).title == "Cold cells"
    page.add("Another", "Heading 1")
    assert read(page.bytes(), "x/day one.docx").title == "day one"


def test_macros_are_named_and_not_run(report: bytes) -> None:
    document = read(with_parts(report, {"word/vbaProject.bin": b"\x00macro"}), "a.docm")
    assert "carries macros" in document.note
    assert "macro" not in " ".join(texts(document))


@pytest.mark.parametrize(
    ("name", "part", "said"),
    [("a.pptx", "ppt/presentation.xml", "slides"), ("a.xlsx", "xl/workbook.xml", "workbook")],
)
def test_slides_and_workbooks_are_skipped_with_a_sentence(
    report: bytes, name: str, part: str, said: str
) -> None:
    with pytest.raises(NotThisSource, match=said):
        read(with_parts(report, {part: b"<a/>"}), name)


def test_an_older_file_asks_to_be_saved_anew() -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    for data, name in ((ole, "a.doc"), (ole, "a.docx"), (b"{\\rtf1 hello}", "a.doc")):
        with pytest.raises(ParseError, match=r"save it as \.docx"):
            read(data, name)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"), (b"words", "another kind of file"), (b"PK\x03\x04", "damaged"),
        (b"PK\x05\x06" + bytes(18), "no text of a word processor"),
    ],
)  # fmt: skip
def test_what_is_no_document_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read(data)


def test_a_file_cut_off_or_without_text_says_so(report: bytes) -> None:
    with pytest.raises(ParseError, match="damaged"):
        read(report[: len(report) // 2])
    with pytest.raises(ParseError, match="no text that a reader sees"):
        read(Page().bytes())


def test_a_part_that_unfolds_to_gigabytes_is_refused(report: bytes) -> None:
    bomb = b"<a>" + bytes(b" " * (70 * 1024 * 1024)) + b"</a>"
    with pytest.raises(ParseError, match="unpacks to far more"):
        read(with_parts(report, {"word/document.xml": bomb}))


@pytest.mark.parametrize(
    "xml",
    [
        "<w:document", "", "<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;'>]><a>&d;</a>",
        "<a>" * 5000, "<html><body><p>error</p></body></html>",
    ],
)  # fmt: skip
def test_broken_text_parts_end_with_a_reason(report: bytes, xml: str) -> None:
    with pytest.raises((ParseError, NotThisSource)):
        read(with_parts(report, {"word/document.xml": xml}))


@pytest.mark.slow
def test_tables_made_to_be_large_or_deep_are_read_in_bounds() -> None:
    wide = '<w:tc><w:tcPr><w:gridSpan w:val="99999"/><w:vMerge w:val="restart"/></w:tcPr></w:tc>'
    deep = "<w:tbl><w:tr><w:tc><w:p/>" * 50 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 50
    for markup in (f"<w:tbl>{f'<w:tr>{wide * 40}</w:tr>' * 400}</w:tbl>", deep):
        page = Page()
        page.add(TEXT)
        page.xml(page.add(), markup)
        body = page.document.element.body
        body.insert(0, page.document.paragraphs[-1]._p[-1])
        assert outcome(SOURCE, page.bytes(), "a.docx") == "1 documents"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml", "docProps/core.xml"])
def test_damaged_parts_end_as_a_document_or_a_reason(report: bytes, part: str) -> None:
    content = zipfile.ZipFile(io.BytesIO(report)).read(part)
    for damaged in mutations(content):
        assert outcome(SOURCE, with_parts(report, {part: damaged}), "a.docx")


def test_damage_ends_as_a_document_or_a_reason(report: bytes) -> None:
    outcomes = {outcome(SOURCE, damaged, "a.docx") for damaged in mutations(report)}
    assert any("damaged" in found for found in outcomes)


words = st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=9)
sentences = st.lists(words, min_size=2, max_size=12).map(" ".join)


@settings(max_examples=30)
@given(st.lists(sentences, min_size=1, max_size=4))
def test_no_paragraph_is_lost_or_doubled(paragraphs: list[str]) -> None:
    page = Page()
    for text in paragraphs:
        page.add(text)
    assert texts(read(page.bytes())) == [one_line(text) for text in paragraphs]
