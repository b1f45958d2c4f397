"""Files that are no good PDF end with a sentence a curator understands, and harm nothing else."""

from __future__ import annotations

import pickle
import random
import zlib
from typing import Any

import pymupdf
import pytest

from corpus.sources.base import ParseError
from corpus.sources.pdf.isolated import parse_isolated
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import NormalizedDocument

TEXT = "Seedlings were grown for fourteen days under a constant light regime before sampling."


def read(data: bytes, **options: Any) -> NormalizedDocument:
    (paper,) = parse(data, "bad.pdf", images=False, **options)
    return normalize(paper)


def reason(data: bytes, **options: Any) -> str:
    with pytest.raises(ParseError) as caught:
        read(data, **options)
    assert caught.value.message.startswith("bad.pdf ")
    return caught.value.message


@pytest.fixture
def good(sheet: Any) -> bytes:
    sheet.new_page().paragraph(60, 100, f"{TEXT} " * 5, width=480)
    data: bytes = sheet.bytes()
    return data


def test_zero_bytes() -> None:
    assert "empty file" in reason(b"")


def test_a_web_page_named_pdf() -> None:
    page = b"<!DOCTYPE html><html><body><p>You need a subscription</p></body></html>"
    assert "a web page" in reason(page)


@pytest.mark.parametrize("data", [b"PK\x03\x04 a word file", b"\x89PNG\r\n", b"plain text " * 900])
def test_another_kind_of_file(data: bytes) -> None:
    assert "another kind of file" in reason(data)


def test_a_file_cut_off(good: bytes) -> None:
    assert "damaged" in reason(good[: len(good) // 4])


def test_a_header_without_pages() -> None:
    assert "damaged" in reason(b"%PDF-1.7\n%%EOF\n")


def test_a_page_tree_that_names_itself() -> None:
    objects = [
        b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
        b"2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1>>endobj\n",
    ]
    data = b"%PDF-1.4\n" + b"".join(objects) + b"trailer<</Root 1 0 R>>\n%%EOF"
    assert "damaged" in reason(data)


def test_a_password_is_asked_for(sheet: Any) -> None:
    sheet.new_page().paragraph(60, 100, TEXT)
    data = sheet.bytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="o")
    assert "needs a password" in reason(data)


def test_an_empty_password_opens(sheet: Any) -> None:
    sheet.new_page().paragraph(60, 100, TEXT)
    data = sheet.bytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="", owner_pw="owner")
    assert TEXT in read(data).blocks[0].text


def test_rubbish_before_the_header_is_passed_over(good: bytes) -> None:
    assert TEXT in read(b"HTTP/1.1 200 OK\r\n\r\n" + good).blocks[0].text


def test_six_hundred_pages_are_read(sheet: Any) -> None:
    for number in range(600):
        text = f"One of very many pages, that with the number {number + 1}."
        sheet.new_page().line(60, 100, text)
    document = read(sheet.bytes())
    assert len(document.pages) == 600
    assert document.blocks[-1].lines[-1].box.page == 600


def test_too_many_pages_are_refused(sheet: Any) -> None:
    for _ in range(5):
        sheet.new_page().line(60, 100, TEXT)
    assert "too many pages (5; the limit is 4)" in reason(sheet.bytes(), max_pages=4)


def test_blank_pages_are_done_with_a_note(sheet: Any) -> None:
    sheet.new_page().new_page()
    document = read(sheet.bytes())
    assert document.blocks == ()
    assert document.note == "No text could be read. Pages 1, 2 hold no text."


@pytest.mark.slow
def test_a_picture_that_unfolds_to_gigabytes_does_no_harm() -> None:
    side = 20_000
    pixels = zlib.compress(zlib.compress(bytes(side * side // 8), 9), 9)
    image = (
        f"<</Type/XObject/Subtype/Image/Width {side}/Height {side}/BitsPerComponent 1"
        f"/ColorSpace/DeviceGray/Filter[/FlateDecode/FlateDecode]/Length {len(pixels)}>>stream\n"
    ).encode()
    content = (
        b"BT /F 12 Tf 60 700 Td (The picture below is large.) Tj ET 200 0 0 200 60 300 cm /I Do"
    )
    parts = [
        b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n",
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources"
        b"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/XObject<</I 5 0 R>>>>>>"
        b"endobj\n",
        b"4 0 obj<</Length %d>>stream\n%s\nendstream endobj\n" % (len(content), content),
        b"5 0 obj" + image + pixels + b"\nendstream endobj\n",
    ]
    data = b"%PDF-1.4\n" + b"".join(parts) + b"trailer<</Root 1 0 R>>\n%%EOF"
    assert "The picture below is large." in parse_isolated(data, "bomb.pdf").blocks[0].text


def test_a_page_like_a_ribbon_is_read_with_its_picture(sheet: Any) -> None:
    sheet.new_page(width=14_000, height=300).line(60, 100, TEXT)
    (paper,) = parse(sheet.bytes(), "ribbon.pdf")
    assert paper.pages[0].image
    assert TEXT in normalize(paper).blocks[0].text


def test_scripts_and_attachments_are_named_and_not_opened(sheet: Any) -> None:
    sheet.new_page().paragraph(60, 100, TEXT)
    sheet.document.embfile_add("note.txt", b"inside")
    catalog = sheet.document.pdf_catalog()
    sheet.document.xref_set_key(catalog, "OpenAction", "<</S/JavaScript/JS(app.alert(1))>>")
    document = read(sheet.bytes())
    assert "attachments and javascript" in document.note
    assert "app.alert" not in " ".join(block.text for block in document.blocks)


def test_the_child_gives_the_same_document(good: bytes) -> None:
    (paper,) = parse(good, "good.pdf")
    assert parse_isolated(good, "good.pdf") == normalize(paper)


def test_the_child_passes_the_reason_on() -> None:
    with pytest.raises(ParseError, match="empty file"):
        parse_isolated(b"", "bad.pdf")


@pytest.mark.slow
def test_too_little_memory_ends_with_its_reason(sheet: Any) -> None:
    for _ in range(60):
        sheet.new_page()
        for row in range(60):
            sheet.line(40, 60 + 12 * row, f"{TEXT} Row {row}.", 9)
    with pytest.raises(ParseError, match="more than 32 MB of memory"):
        parse_isolated(sheet.bytes(), "bad.pdf", memory_bytes=32 * 1024 * 1024)


def test_too_little_time_ends_with_its_reason(good: bytes) -> None:
    with pytest.raises(ParseError, match="took longer"):
        parse_isolated(good, "bad.pdf", timeout_s=0.01)


@pytest.mark.slow
def test_a_bad_file_does_not_harm_the_next(good: bytes) -> None:
    for bad in (b"", b"%PDF-1.7\n%%EOF\n", good[:300]):
        with pytest.raises(ParseError):
            parse_isolated(bad, "bad.pdf")
        assert TEXT in parse_isolated(good, "good.pdf").blocks[0].text


@pytest.mark.parametrize("seed", range(40))
def test_damage_ends_as_a_document_or_a_reason(good: bytes, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(good)
    for _ in range(chance.choice([1, 4, 30])):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        document = read(bytes(data))
    except ParseError as error:
        sentence = error.message
    else:
        sentence = f"{len(document.pages)} pages, read in spite of the damage"
        assert pickle.loads(pickle.dumps(document)) == document
    assert len(sentence) > 20
