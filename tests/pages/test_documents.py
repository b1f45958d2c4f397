"""The pages of one document."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from corpus.models import Document
from flux_site.kernel import blobs
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    FigureFactory,
    PageFactory,
    TableFactory,
    TeamFactory,
    UserFactory,
)
from tests.pages.checks import LOOKS, assert_sound
from tests.support.ingesting import ingest
from tests.support.papers import paper as paper_record
from tests.support.papers import put

FIRST, SECOND = "STAT3 drives SOCS3.", "SOCS3 blocks the kinases."


def picture(width: int = 300, height: int = 400) -> str:
    stream = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(stream, "WEBP")
    return blobs.put(stream.getvalue())


@pytest.fixture
def reader():
    return UserFactory()


@pytest.fixture
def corpus(reader):
    return CorpusFactory(team=TeamFactory(readers=[reader]))


@pytest.fixture
def paper(corpus) -> Document:
    """Three pages, two passages on the second, a figure and a table."""
    paper = DocumentFactory(
        corpus=corpus,
        source="pdf",
        external_id="a" * 64,
        title="How SOCS3 ends a signal",
        authors=["A. One", "B. Two", "C. Three", "D. Four"],
        journal="J Signal",
        year=2003,
        identifiers={"doi": "10.1000/xyz"},
    )
    for number in (1, 2, 3):
        PageFactory(document=paper, number=number, width=300, height=400, image_sha256=picture())
    ChunkFactory(
        document=paper,
        text=FIRST,
        section_path=["Results"],
        page_start=2,
        page_end=2,
        char_start=0,
        char_end=len(FIRST),
        lines=[[0, len(FIRST), 2, 30, 40, 270, 52]],
    )
    ChunkFactory(
        document=paper,
        text=SECOND,
        section_path=["Results"],
        page_start=2,
        page_end=2,
        char_start=len(FIRST) + 1,
        char_end=len(FIRST) + 1 + len(SECOND),
        lines=[[0, len(SECOND), 2, 30, 60, 270, 72]],
    )
    caption = ChunkFactory(
        document=paper, content_type="image", text="Figure 1. A loop.", page_start=3, page_end=3
    )
    FigureFactory(
        document=paper, chunk=caption, label="Figure 1", caption="A loop.", page=3,
        box=[10, 10, 210, 160], image_sha256=picture(200, 150), kind="radiology",
    )  # fmt: skip
    TableFactory(
        document=paper, label="Table 1", caption="Doses", rows=[["Drug", "Dose"], ["A", "5 mg"]],
        page=3,
    )  # fmt: skip
    return paper


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_every_view_of_a_document_is_sound(open_page, reader, paper, size, theme):
    page = open_page(f"/documents/{paper.public_id}/p/2/", reader, size=size, theme=theme)
    assert_sound(page)
    for view in ("sections", "passages", "figures", "tables", "about"):
        page.goto(f"/documents/{paper.public_id}/?view={view}")
        assert_sound(page)


def test_a_figure_says_what_it_shows(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/?view=figures", reader, scripts=False)

    assert page.locator("figcaption .tag").all_inner_texts() == ["Radiology"]


def test_a_paper_opens_at_its_first_page_and_keys_turn_it(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/", reader)
    page.wait_for_url("**/p/1/")
    shown = page.locator(".sheet img")
    assert shown.evaluate("image => image.complete && image.naturalWidth") == 300

    page.keyboard.press("n")
    page.wait_for_url("**/p/2/")
    page.keyboard.press("p")
    page.wait_for_url("**/p/1/")


def test_thumbnails_are_small_and_only_for_readers(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/p/1/", reader)
    thumbs = page.locator(".thumbs img")
    assert thumbs.count() == 3
    address = thumbs.first.get_attribute("src")
    thumb = page.request.get(address)
    assert thumb.headers["content-type"] == "image/webp"
    assert len(thumb.body()) <= 6_000

    stranger = open_page("/library/", UserFactory())
    assert stranger.request.get(address).status == 404


def test_a_passage_is_marked_where_it_stands_on_its_page(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/p/2/", reader)
    assert page.locator(".sheet rect").count() == 0

    page.get_by_role("link", name=SECOND).click()
    page.wait_for_url("**passage=**")

    box = page.locator(".sheet rect")
    corners = [float(box.get_attribute(name)) for name in ("x", "y", "width", "height")]
    assert corners == [30, 60, 240, 12]
    assert page.locator(".sheet svg").get_attribute("viewBox") == "0 0 300.0 400.0"
    assert page.locator("aside mark").inner_text() == SECOND


def test_of_a_passage_only_the_quoted_words_are_marked(open_page, reader, paper):
    passage = paper.chunks.get(text=SECOND)
    where = f"?passage={passage.public_id}&span=6-12"
    page = open_page(f"/documents/{paper.public_id}/p/2/{where}", reader)

    box = page.locator(".sheet rect")
    assert float(box.get_attribute("x")) == 30 + round(6 * 240 / len(SECOND), 1)
    assert page.locator("aside mark").inner_text() == SECOND[6:12]

    page.goto(f"/documents/{paper.public_id}/{where}&view=passages")
    assert page.locator(".passage mark").all_inner_texts() == [SECOND[6:12]]


def test_a_span_that_makes_no_sense_means_the_whole_passage(open_page, reader, paper):
    passage = paper.chunks.get(text=SECOND)
    for span in ("9-2", "-", "a-b", "99999-999999", "0-9999999999"):
        page = open_page(
            f"/documents/{paper.public_id}/p/2/?passage={passage.public_id}&span={span}", reader
        )
        assert page.locator("aside mark").inner_text() == SECOND


def test_the_page_strip_of_a_long_document_scrolls_in_itself(open_page, reader, corpus):
    book = DocumentFactory(corpus=corpus, source="pdf", external_id="b" * 64)
    for number in range(1, 41):
        PageFactory(document=book, number=number, width=300, height=400, image_sha256=picture())
    page = open_page(f"/documents/{book.public_id}/p/20/", reader, size=(390, 844))

    assert page.locator(".thumbs a").count() == 25
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_page_can_be_read_as_text(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/p/2/", reader)

    page.get_by_role("link", name="Text", exact=True).last.click()
    page.wait_for_url("**as=text**")

    assert page.locator(".source p").all_inner_texts() == [FIRST, SECOND]


def test_going_to_a_page_by_number_stops_at_the_nearest(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/p/1/", reader)

    page.get_by_label("Page", exact=True).fill("99")
    page.keyboard.press("Enter")

    page.wait_for_url("**/p/3/")


def test_a_record_is_shown_by_its_sections(open_page, reader, corpus):
    ingest(
        corpus,
        {
            "id": "r1",
            "title": "Gamma chain",
            "sections": [
                {"heading": "Six cytokines", "text": "They share one chain."},
                {"heading": "Loss", "text": "T cells are missing."},
            ],
        },
    )
    page = open_page(f"/documents/{Document.objects.get().public_id}/", reader)

    assert page.locator(".source h2").all_inner_texts() == ["Six cytokines", "Loss"]
    texts = page.locator(".source p").all_inner_texts()
    assert texts == ["They share one chain.", "T cells are missing."]


def test_a_retraction_comes_first(open_page, reader, paper):
    paper.retracted = True
    paper.save()
    page = open_page(f"/documents/{paper.public_id}/p/2/", reader)

    assert page.locator("main h2").first.inner_text() == "Retracted"
    assert "void" in page.locator(".sheet").get_attribute("class")
    assert_sound(page)


def test_other_records_of_the_paper_and_cautions_stand_at_the_head(open_page, reader, corpus):
    first, second = put(
        corpus,
        paper_record("one", doi="10.5555/abc.1", pmid="11", said=(("concern_by", "pmid:9"),)),
        paper_record("two", doi="10.5555/abc.1"),
    )
    page = open_page(f"/documents/{second.public_id}/", reader)

    assert "expression of concern" in page.locator(".note.warn").inner_text()
    assert page.locator("dl dt").first.inner_text() == "Also here as"
    assert_sound(page)
    page.locator("dl dd a").first.click()
    assert str(first.public_id) in page.url


def test_markup_in_a_record_is_shown_and_never_run(open_page, reader, corpus):
    ingest(
        corpus,
        {"id": "x", "title": "<script>document.title='owned'</script>", "text": "<img src=x> text"},
    )
    page = open_page(f"/documents/{Document.objects.get().public_id}/", reader)

    assert "owned" not in page.title() or "<script>" in page.title()
    assert "<script>" in page.locator("h1").inner_text()
    assert page.locator("main img").count() == 0


def test_what_is_hidden_and_what_is_absent_look_the_same(open_page, paper):
    page = open_page("/library/", UserFactory())
    absent = "00000000-0000-4000-8000-000000000000"
    for path in ("/documents/{}/", "/documents/{}/p/2/", "/documents/{}/?view=figures"):
        hidden = page.request.get(path.format(paper.public_id))
        missing = page.request.get(path.format(absent))
        assert hidden.status == missing.status == 404
        assert hidden.text() == missing.text()
