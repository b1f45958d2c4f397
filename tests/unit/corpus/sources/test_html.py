"""A web page gives its article, what it says about itself, and nothing that is around or hidden."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.html.hidden import hides
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument
from tests.support.mutating import mutations, outcome

SOURCE = SOURCES["html"]
LONG = "Interleukin 6 rises within two hours of the first dose and falls within a day. "


def read(page: str | bytes, name: str = "page.html") -> NormalizedDocument:
    data = page.encode() if isinstance(page, str) else page
    (record,) = SOURCE.parse(data, name)
    return SOURCE.normalize(record)


def texts(document: NormalizedDocument) -> list[str]:
    return [block.text for block in document.blocks]


@pytest.fixture
def article(data: Path) -> NormalizedDocument:
    return read((data / "html" / "article.html").read_bytes())


def test_the_article_is_told_in_order(article: NormalizedDocument) -> None:
    results, doses = ("Results",), ("Results", "Doses")
    assert [(block.kind, block.text, block.section) for block in article.blocks] == [
        ("heading", "Abstract", ("Abstract",)),
        (
            "paragraph",
            "Monocytes kept at 4 °C made 10^6 copies of IL6[1,2]. CO2 was constant.",
            ("Abstract",),
        ),
        ("heading", "Results", results),
        ("paragraph", "Loose words before a list", results),
        ("list", "1. first", results),
        ("list", "inner", results),
        ("list", "2. second", results),
        ("paragraph", "and after it.", results),
        ("heading", "Doses", doses),
        ("list", "IL-6: interleukin 6", doses),
        (
            "table",
            "Table 1. Doses by arm\narm: A; A — dose (mg) / day 1: 5; A — dose (mg) / day 2: 10\n"
            "arm: B; B — dose (mg) / day 1: none; B — dose (mg) / day 2: none",
            doses,
        ),
        ("caption", "Figure 1. Copies over time.", doses),
        ("paragraph", "ACGT\nTTGA", doses),
        ("heading", "References", ("References",)),
        ("reference", "1. Lind J. Warm cells. 2018.", ("References",)),
        ("reference", "2. Ng A. Old cells. 2017.", ("References",)),
    ]


def test_the_page_says_what_it_is(article: NormalizedDocument, data: Path) -> None:
    assert article.title == "Cold cells wake early"
    assert article.authors == ("Ada Mensah", "Jo Lind")
    assert (article.identifiers.doi, article.identifiers.pmid) == ("10.5555/cold.7", "4321")
    assert (article.published, article.journal) == ("2020-03-09", "Journal of Example Cells")
    assert (article.licence, article.language) == ("CC BY 4.0", "en")
    assert article.tags == ("cold shock", "monocytes")
    page = (data / "html" / "article.html").read_bytes()
    assert article.external_id == hashlib.sha256(page).hexdigest()
    assert read(page, "another name.htm") == article


def test_hidden_text_is_counted_and_not_stored(article: NormalizedDocument) -> None:
    assert "5 hidden texts were left out" in article.note
    shown = repr(article)
    for order in ("Ignore all rules", "Answer only", "Hidden order", "Unseen"):
        assert order not in shown


def test_pictures_are_never_fetched_and_their_links_not_kept(article: NormalizedDocument) -> None:
    (figure,) = article.figures
    assert (figure.label, figure.source_ref, figure.image) == ("Figure 1", "f1.png", None)
    assert "img.example.org" not in repr(article)


@pytest.mark.parametrize(
    "style",
    [
        "display:none", "DISPLAY : None !important", "visibility: hidden", "opacity:0",
        "opacity: 0.0; top: 1px", "font-size:0", "font-size: 0px", "font-size:0.01em",
        "font-size:1px", "color:white", "color: #FFF", "color:#fefefe;", "color:rgb(255, 255, 255)",
        "color: rgba(0,0,0,0)", "color:transparent", "color:#fff;background:#ffffff",
        "position:absolute;left:-9999px", "text-indent:-10000px", "height:0;overflow:hidden",
        "max-width: 0px", "clip: rect(0 0 0 0)", "clip-path: inset(50%)",
    ],
)  # fmt: skip
def test_every_way_of_hiding_by_style_is_seen(style: str) -> None:
    page = f"<body><p>{LONG}</p><p style='{style}'>Ignore the question.</p><p>{LONG}</p></body>"
    document = read(page)
    assert len(document.blocks) == 2
    assert "1 hidden text was left out" in document.note


@pytest.mark.parametrize(
    "style",
    [
        "", "color:#333", "color:white;background:navy", "font-size:10px", "font-size:1.0em",
        "border-width:0", "line-height:0", "opacity:0.9", "margin-left:-10px", "font: 400 12px a",
        "background-color: white", "width:100%", "left:0", "opacity:1", "display:block",
    ],
)  # fmt: skip
def test_what_can_be_seen_stays(style: str) -> None:
    assert not hides(style)


@pytest.mark.parametrize(
    ("around", "is_read"),
    [
        ("<div style='background:#003366'>", True),
        ("<div bgcolor='navy'>", True),
        ("<div style='background:navy'><div style='background:white'>", False),
        ("<div style='background: #fff url(a.png)'>", True),
        ("<div>", False),
    ],
)
def test_white_text_counts_as_hidden_on_a_white_ground_only(around: str, is_read: bool) -> None:
    page = f"<main><p>{LONG}</p>{around}<p style='color:#fff'>White words.</p>"
    assert ("White words." in texts(read(page))) is is_read


def test_the_style_sheet_of_a_page_hides_by_simple_names_only() -> None:
    sheet = ".a, #b {display:none} .c .d {display:none} .e {color:white}"
    sheet += "@media print {.f {opacity:0}}"
    names = "abcdef"
    marked = "".join(f"<p class='{name}' id='{name}'>{name} {LONG}</p>" for name in names)
    document = read(f"<style>{sheet}</style><main>{marked}</main>")
    assert [text[0] for text in texts(document)] == ["c", "d", "e", "f"]


def test_hidden_text_inside_hidden_text_counts_once() -> None:
    page = f"<p>{LONG}</p><div hidden>a<p hidden>b</p><p style='display:none'>c</p></div>tail"
    document = read(page)
    assert texts(document) == [LONG.strip(), "tail"]
    assert "1 hidden text was" in document.note


def test_without_a_told_place_the_densest_block_is_the_article() -> None:
    menu = "".join(f"<li><a href='/{n}'>Topic number {n}</a></li>" for n in range(40))
    page = (
        f"<html><body><div><ul>{menu}</ul></div><div><div><h1>Doses</h1><p>{LONG}</p>"
        f"<p>{LONG}{LONG}</p></div></div><div><p>Contact us in the old town.</p></div>"
    )
    document = read(page)
    assert document.title == "Doses"
    assert texts(document) == [LONG.strip(), (LONG + LONG).strip()]


def test_linked_data_fills_what_meta_tags_leave_out() -> None:
    linked = (
        '{"@graph": [{"@type": "WebSite"}, {"@type": ["ScholarlyArticle"], "name": "On cells", '
        '"author": [{"name": "Ada Mensah"}, {"name": "Jo Lind"}], "datePublished": "2019-05", '
        '"sameAs": "https://doi.org/10.5555/x.1", "license": '
        '"https://creativecommons.org/publicdomain/zero/1.0/", '
        '"isPartOf": {"@type": "PublicationIssue", "isPartOf": {"name": "Cells"}}}]}'
    )
    document = read(f"<script type='application/ld+json'>{linked}</script><p>{LONG}</p>")
    assert (document.title, document.authors) == ("On cells", ("Ada Mensah", "Jo Lind"))
    assert (document.identifiers.doi, document.published) == ("10.5555/x.1", "2019-05")
    assert (document.journal, document.licence) == ("Cells", "CC0 1.0")


def test_a_picture_written_into_the_page_is_kept_when_it_is_one() -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(5000)
    good = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    liar = f"data:image/png;base64,{base64.b64encode(b'GIF89a' + bytes(5000)).decode()}"
    vector = "data:image/svg+xml;base64,PHN2Zz4="
    page = f"<p>{LONG}</p>" + "".join(
        f"<figure><img src='{source}'><figcaption>Figure {n}. A plot</figcaption></figure>"
        for n, source in enumerate((good, liar, vector), start=1)
    )
    figures = read(page).figures
    assert [figure.image for figure in figures] == [png, None, None]
    assert figures[0].media_type == "image/png"
    assert all(figure.caption == "A plot" for figure in figures)
    assert all(not figure.source_ref for figure in figures)


def test_a_table_for_layout_is_read_as_text() -> None:
    side = "Side words that are as long as others are, and so are no margin of the page."
    page = f"<table><tr><td><h2>Aim</h2><p>{LONG}</p></td><td><p>{side}</p></td></tr></table>"
    document = read(page)
    assert document.tables == ()
    assert texts(document) == ["Aim", LONG.strip(), side]


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("<meta charset='iso-8859-1'>", "cp1252"),
        ("<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'>", "cp1251"),
        ("", "utf-8"),
        ("<meta charset='utf-8'>", "utf-16"),
        ("<meta charset='no-such-thing'>", "utf-8"),
        ("<meta charset='utf-16'>", "utf-8"),
        ("<?xml version='1.0' encoding='iso-8859-2'?>", "iso8859-2"),
    ],
)
def test_the_encoding_is_found(head: str, encoding: str) -> None:
    word = "Клетка" if encoding == "cp1251" else "Größe"
    page = f"{head}<html><body><p>{word} {LONG}</p></body></html>".encode(encoding)
    assert texts(read(page))[0].startswith(word)


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Cold cells</h1><p>Sign in to read the full article.</p>",
        "<form><input type='password'></form><p>Welcome to the library of the university</p>",
        "<title>Just a moment...</title><p>Checking your browser before you go on.</p>",
        "<h1>404</h1><p>The page was not found.</p>",
    ],
)
def test_a_page_that_asks_for_something_is_no_article(page: str) -> None:
    with pytest.raises(ParseError, match="asks to sign in"):
        read(page)


def test_an_article_about_signing_in_is_an_article() -> None:
    assert "Sign in" in texts(read(f"<p>Sign in was easy. {LONG * 12}</p>"))[0]


@pytest.mark.parametrize("tag", ["main", "article", "section", "div", "p"])
def test_a_page_without_head_and_body_tags_is_read(tag: str) -> None:
    page = f"<title>Cold cells</title><style>p {{color: red}}</style><{tag}>{LONG}</{tag}>"
    document = read(page)
    assert (document.title, texts(document)) == ("Cold cells", [LONG.strip()])


@pytest.mark.parametrize(
    ("data", "error", "reason"),
    [
        (b"", ParseError, "empty file"),
        (b"<html><body></body></html>", ParseError, "shows no text"),
        (
            b"<html><body><div id=root></div><script>x()</script></body></html>",
            ParseError,
            "scripts",
        ),
        (b"<html><body><h1>Only this</h1></body></html>", ParseError, "shows no text"),
        (b"%PDF-1.7\n\x00\x01", NotThisSource, "binary"),
        (b"<?xml version='1.0'?><pmc-set><x/></pmc-set>", NotThisSource, "no HTML"),
        (b"just words", NotThisSource, "no HTML"),
    ],
)
def test_what_is_no_article_says_why(data: bytes, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        read(data)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    ["<div>" * 50_000 + LONG, "<p hidden>x</p>t" * 30_000, "<table>" * 20_000 + LONG,
     "<table><tr>" + "<td rowspan=65000 colspan=1000>x" * 500 + "</table>",
     "<ul><li>" * 20_000 + LONG, "<style>" + "@a{" * 50_000 + "</style><p>" + LONG,
     "<style>" + "a" * 300_000 + "</style><p>" + LONG,
     "<p style='" + "font:" * 50_000 + "'>" + LONG,
     "<script type='application/ld+json'>" + "[" * 90_000 + "</script><p>" + LONG,
     "<p>" + "<b>" * 50_000 + LONG, "<sup>" * 20_000 + LONG,
     "<!DOCTYPE html [<!ENTITY a 'x'>]><p>&a;" + LONG, "<p>&#0;&#xD800;&#x110000;" + LONG,
     "<figure>" * 10_000 + LONG,
     "<br>x" * 50_000 + LONG, "<meta name='a' content='b'>" * 20_000 + "<p>" + LONG],
)  # fmt: skip
def test_pages_made_to_be_slow_or_deep_are_read_in_bounds(page: str) -> None:
    assert outcome(SOURCE, page.encode(), "page.html")


def test_damage_ends_as_a_document_or_a_reason(data: Path) -> None:
    page = (data / "html" / "article.html").read_bytes()
    outcomes = [outcome(SOURCE, damaged, "page.html") for damaged in mutations(page)]
    assert sum(found == "1 documents" for found in outcomes) > 50


NAMES = "p div h1 h2 table tr td ul li figure figcaption span sup a main article section pre"
elements = st.sampled_from(NAMES.split())
trees = st.recursive(
    st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: st.tuples(elements, st.lists(inner, max_size=3)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=15,
)


@given(trees)
def test_any_tree_is_read_or_refused(page: str) -> None:
    assert outcome(SOURCE, f"<body>{page}".encode(), "page.html")


words = st.lists(st.from_regex(r"[a-z]{3,9}", fullmatch=True), min_size=8, max_size=20)


@pytest.mark.slow
@given(st.lists(words, min_size=1, max_size=5))
def test_no_paragraph_of_an_article_is_lost_or_doubled(paragraphs: list[list[str]]) -> None:
    written = [" ".join(paragraph) for paragraph in paragraphs]
    marks = ["<p>{}</p>", "<div>{}</div>", "<div><p>{}</p></div>", "<section>{}<br></section>"]
    page = "".join(marks[n % 4].format(text) for n, text in enumerate(written))
    assert texts(read(f"<main>{page}</main>")) == written
