"""Figures, tables and places of a PDF as evidence, in a browser."""

from __future__ import annotations

import csv
import io

import pytest

from agent.models import Run
from corpus.models import Chunk, Document
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    FigureFactory,
    PageFactory,
    TableFactory,
    TeamFactory,
    UserFactory,
)
from tests.pages.checks import LOOKS, assert_sound
from tests.pages.test_documents import picture
from tests.support.asking import answered
from tests.support.ingesting import ingest_files
from tests.support.shown_paper import TURNED, shown_paper

QUESTION = "What serum level did Bexotinib reach in the second arm?"


@pytest.fixture
def reader():
    return UserFactory()


@pytest.fixture
def paper(reader) -> Document:
    """A PDF that was read the way every upload is; the reader may fill its corpus."""
    corpus = CorpusFactory(team=TeamFactory(members=[reader]))
    ingest_files(corpus, "pdf", [("cooling.pdf", shown_paper())])
    return Document.objects.get(corpus=corpus)


def boxes_on(page) -> list[list[float]]:
    """The marked boxes of the page that is shown: x, y, width, height in points."""
    return page.locator(".sheet rect").evaluate_all(
        "all => all.map(one => ['x', 'y', 'width', 'height'].map(n => +one.getAttribute(n)))"
    )


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_parts_of_a_pdf_are_sound(open_page, reader, paper, size, theme):
    PageFactory(
        document=paper,
        number=4,
        method="ocr",
        image_sha256=picture(),
        report={
            "columns": 2,
            "engine": "tesseract",
            "confidence": 93,
            "hidden_texts": 2,
            "hidden_letters": 61,
            "furniture": ["Journal of Examples 12 (2019)", "page 4"],
        },
    )
    page = open_page(f"/documents/{paper.public_id}/?view=about", reader, size=size, theme=theme)
    report = page.get_by_role("group", name="How its pages were read")
    assert "Hidden: 2 texts" in report.inner_text()
    assert_sound(page)
    for view in ("figures", "tables"):
        page.goto(f"/documents/{paper.public_id}/?view={view}")
        assert_sound(page)


def test_a_figure_shows_its_panels_each_with_its_part_of_the_caption(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/?view=figures", reader)

    assert page.locator(".tabs [aria-current] .n").inner_text() == "1"
    page.get_by_text("4 panels").click()

    panels = page.locator("details figure")
    assert panels.locator("figcaption b").all_inner_texts() == [
        f"Figure 1{letter}" for letter in "ABCD"
    ]
    assert "(B) Mutant cells grow fast." in panels.nth(1).inner_text()
    shown = panels.nth(1).locator("img")
    shown.scroll_into_view_if_needed()
    page.wait_for_function(
        "one => one.complete && one.naturalWidth > 0", arg=shown.element_handle()
    )


def test_a_table_is_shown_with_its_spans_and_given_as_files(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/?view=tables", reader, scripts=False)

    assert page.locator("tbody th[rowspan='2']").all_inner_texts() == ["Alvimab", "Bexotinib"]
    table = page.request.get(page.get_by_role("link", name="Download CSV").get_attribute("href"))
    rows = list(csv.reader(io.StringIO(table.body().decode("utf-8-sig"))))
    assert rows[4] == ["Bexotinib", "second", "22.9", "58.6"]

    page.get_by_role("link", name="Copy as Markdown").click()
    page.wait_for_url("**.md")
    assert "| Bexotinib | second | 22.9 | 58.6 |" in page.locator("body").inner_text()


def test_markdown_of_a_table_is_copied_where_the_browser_can(open_page, reader, paper):
    page = open_page(f"/documents/{paper.public_id}/?view=tables", reader)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.get_by_role("link", name="Copy as Markdown").click()
    page.get_by_text("Copied").first.wait_for()

    assert "view=tables" in page.url
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Table 1. Levels and responders in both arms.\n\n| Compound |")


def test_a_table_whose_cells_could_not_be_read_is_shown_as_printed(open_page, reader, paper):
    TableFactory(
        document=paper, position=7, label="Table 8", rows=[], header_rows=0,
        image_sha256=picture(), box=[60, 60, 360, 160], page=2,
    )  # fmt: skip
    page = open_page(f"/documents/{paper.public_id}/?view=tables", reader)

    section = page.get_by_role("region", name="Table 8")
    assert section.get_by_alt_text("Table 8 as printed").is_visible()
    assert "could not be read" in section.inner_text()
    assert_sound(page)


@pytest.fixture
def run(paper, reader) -> Run:
    """The answer to a question whose answer is one cell."""
    return answered(reader, QUESTION)


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_a_cited_cell_alone_is_marked_in_its_table_and_on_its_page(
    open_page, reader, paper, run, size, theme
):
    page = open_page(f"/runs/{run.public_id}/", reader, size=size, theme=theme)

    assert page.locator("#ev-1 .hit").all_inner_texts() == ["22.9"]
    assert_sound(page)

    page.locator("#ev-1").get_by_role("link", name="Open page").click()
    page.wait_for_url("**/p/3/**")
    table = paper.tables.get()
    _, x0, y0, x1, y1 = table.cells[4][2]
    ((x, y, width, height),) = boxes_on(page)
    assert (x, y) == pytest.approx((x0, y0), abs=0.1)
    assert (width, height) == pytest.approx((x1 - x0, y1 - y0), abs=0.1)
    assert_sound(page)


def test_a_sentence_over_a_page_turn_is_marked_on_both_pages(open_page, reader, paper):
    (passage,) = [chunk for chunk in paper.chunks.all() if TURNED in chunk.text]
    start = passage.text.index(TURNED)
    meant = f"?passage={passage.public_id}&span={start}-{start + len(TURNED)}"

    page = open_page(f"/documents/{paper.public_id}/p/2/{meant}", reader)
    before = boxes_on(page)
    assert before
    assert all(y > 270 for _, y, _, _ in before)
    assert page.locator("aside mark").inner_text() == TURNED
    page.goto(f"/documents/{paper.public_id}/p/3/{meant}")
    after = boxes_on(page)
    assert after
    assert all(y < 90 for _, y, _, _ in after)
    assert_sound(page)


@pytest.fixture
def caption(paper) -> Chunk:
    """The caption of a figure that begins under it and ends overleaf."""
    text = "Figure 2. Course of the signal over two days, as seen in all of the samples."
    chunk = ChunkFactory(
        document=paper, content_type="image", text=text, chunk_index=90, page_start=2, page_end=3,
        lines=[[0, 45, 2, 60, 700, 400, 710], [45, len(text), 3, 60, 40, 300, 50]],
    )  # fmt: skip
    FigureFactory(document=paper, chunk=chunk, position=20, label="Figure 2", caption=text, page=2)
    return chunk


def test_a_caption_over_two_pages_is_marked_on_both(open_page, reader, paper, caption):
    page = open_page(f"/documents/{paper.public_id}/p/2/?passage={caption.public_id}", reader)
    assert boxes_on(page) == [[60, 700, 340, 10]]

    page.goto(f"/documents/{paper.public_id}/p/3/?passage={caption.public_id}")
    assert boxes_on(page) == [[60, 40, 240, 10]]
    assert page.locator("aside a[aria-current]").count() == 1
