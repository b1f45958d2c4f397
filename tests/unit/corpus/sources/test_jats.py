"""Full texts in JATS: every paragraph under its path, floats apart, tables whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.jats.normalizer import normalize
from corpus.sources.jats.parser import parse
from corpus.sources.jats.shape import JatsArticle
from corpus.types import NormalizedDocument


def read(raw: bytes) -> NormalizedDocument:
    (article,) = parse(raw, "article.xml")
    assert isinstance(article, JatsArticle)
    return normalize(article)


def wrapped(body: str, front: str = "") -> NormalizedDocument:
    title = "<title-group><article-title>T</article-title></title-group>"
    return read(
        f"<article><front><article-meta>{title}{front}</article-meta></front>"
        f"<body>{body}</body></article>".encode()
    )


@pytest.fixture(scope="module")
def article(data: Path) -> NormalizedDocument:
    return read((data / "jats" / "article.xml").read_bytes())


def texts(document: NormalizedDocument, kind: str) -> list[tuple[tuple[str, ...], str]]:
    return [(b.section, b.text) for b in document.blocks if b.kind == kind]


def test_the_front_matter_is_read(article: NormalizedDocument) -> None:
    assert article.title == "Kinase JAK2 in mice"
    assert (article.external_id, article.identifiers.doi) == ("PMC123", "10.5555/ex.1")
    assert article.authors == ("Ann Roe", "The Group")
    assert (article.published, article.journal) == ("2019-05-02", "Journal of Examples")
    assert (article.licence, article.language) == ("CC BY 4.0", "en")
    assert article.tags == ("kinase",)
    assert article.metadata["references"] == 2


def test_paragraphs_stand_under_their_path(article: NormalizedDocument) -> None:
    assert texts(article, "paragraph") == [
        (("Abstract", "Aim"), "To test JAK2."),
        (("Graphical abstract",), "A picture told in words."),
        (("Abstract (pt)",), "Em português."),
        ((), "Opening words[1] stand here.[2\u20134]"),
        (("1 Methods",), "We used 10^6 cells. They grew."),
        (("1 Methods",), "Untitled inside."),
        (("1 Methods", "Deep"), "First of a list:"),
        (("Results",), "Text after the table."),
        (("Acknowledgments",), "Thanks."),
    ]


def test_lists_and_formulas_keep_their_place(article: NormalizedDocument) -> None:
    path = ("1 Methods", "Deep")
    assert texts(article, "list") == [(path, "one"), (path, "two")]
    assert texts(article, "formula") == [(path, "a=b (1)")]


def test_figures_have_captions_and_files(article: NormalizedDocument) -> None:
    first, loose = article.figures
    assert (first.label, first.caption, first.source_ref) == (
        "Figure 1.",
        "Cells. Bar: 5 μm.",
        "f1.tif",
    )
    assert (loose.label, loose.source_ref) == ("", "loose.png")
    (caption,) = [b for b in article.blocks if b.kind == "caption"]
    assert caption.text == "Figure 1. Cells. Bar: 5 μm."
    assert caption.fields == {"figure": 0}
    assert caption.section == ("1 Methods",)


def test_a_table_is_a_grid_with_spans_and_reads_as_rows(article: NormalizedDocument) -> None:
    table = article.tables[0]
    assert table.rows[0] == ("Drug", "Response, %", "")
    assert table.rows[3] == ("", "3.5", "4.5")
    assert table.header_rows == 2
    assert table.spans == ((0, 0, 2, 1), (0, 1, 1, 2), (2, 0, 2, 1), (4, 0, 1, 3))
    block = next(b for b in article.blocks if b.kind == "table")
    assert block.text.split("\n") == [
        "Table 1. Doses and responses.",
        "Drug: A; A — Response, % / day 1: 1.5; A — Response, % / day 7: 2.5",
        "Drug: A; A — Response, % / day 1: 3.5; A — Response, % / day 7: 4.5",
        "Controls",
        "Drug: B; B — Response, % / day 7: 0.1",
    ]


def test_no_number_of_a_table_is_in_two_cells(article: NormalizedDocument) -> None:
    cells = [cell for row in article.tables[0].rows for cell in row if cell]
    assert len(cells) == len(set(cells))


def test_tables_outside_the_body_are_not_lost(article: NormalizedDocument) -> None:
    """A07."""
    assert [table.label for table in article.tables] == ["Table 1", "Table S1"]
    assert article.tables[1].rows == (("x", "7"),)
    assert all(table.caption for table in article.tables)


def test_notes_stay_and_credits_go(article: NormalizedDocument) -> None:
    assert texts(article, "footnote") == [
        (("Results",), "NS: not significant."),
        ((), "a A remark."),
    ]


def test_a_sub_article_lends_no_word(article: NormalizedDocument) -> None:
    assert "reply" not in " ".join(block.text for block in article.blocks)
    assert article.metadata["sub_articles"] == ["A reply"]


def test_links_and_references_become_relations(article: NormalizedDocument) -> None:
    assert article.retracted
    assert [(r.predicate, r.object) for r in article.relations] == [
        ("retracted_by", "doi:10.5555/ex.9"),
        ("cites", "pmid:77"),
        ("cites", "doi:10.5555/two"),
    ]
    assert texts(article, "reference")[0][1] == "Doe J. One. 2001"


def test_cals_tables_are_read_too() -> None:
    document = wrapped(
        "<table-wrap><table><tgroup cols='3'><thead><row><entry morerows='1'>k</entry>"
        "<entry namest='c2' nameend='c3'>both</entry></row><row><entry>l</entry><entry>r</entry>"
        "</row></thead><tbody><row><entry>x</entry><entry>1</entry><entry>2</entry></row></tbody>"
        "</tgroup></table></table-wrap>"
    )
    assert document.tables[0].rows == (("k", "both", ""), ("", "l", "r"), ("x", "1", "2"))
    assert document.tables[0].header_rows == 2


def test_a_boundless_span_stays_small() -> None:
    document = wrapped(
        "<table-wrap><table><tr><td rowspan='99999999' colspan='99999999'>a</td></tr>"
        "<tr><td>b</td></tr></table></table-wrap>"
    )
    assert sum(map(len, document.tables[0].rows)) < 10_000


def test_tex_alone_loses_its_preamble_and_tex_beside_mathml_goes() -> None:
    tex = r"<tex-math>\documentclass{x}\begin{document}$$x_1$$\end{document}</tex-math>"
    mathml = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>y</mi></math>'
    document = wrapped(
        f"<p>Let <inline-formula>{tex}</inline-formula> be.</p>"
        f"<p>Or <inline-formula><alternatives>{tex}{mathml}</alternatives></inline-formula>.</p>"
    )
    assert [block.text for block in document.blocks] == ["Let x_1 be.", "Or y."]


def test_a_notice_retracts_and_is_not_retracted() -> None:
    (notice,) = parse(
        b"<article article-type='retraction' xmlns:xlink='http://www.w3.org/1999/xlink'><front>"
        b"<article-meta><title-group><article-title>Retraction: a paper</article-title>"
        b"</title-group><related-article related-article-type='retracted-article' "
        b"xlink:href='10.5555/a'/></article-meta></front></article>",
        "notice.xml",
    )
    assert isinstance(notice, JatsArticle)
    document = normalize(notice)
    assert not document.retracted
    assert document.relations[0].predicate == "retracts"
    assert "no text" in document.note


def test_a_set_gives_each_article() -> None:
    inner = (
        "<article><front><article-meta><title-group><article-title>{}</article-title>"
        "</title-group></article-meta></front></article>"
    )
    raw = f"<pmc-articleset>{inner.format('A')}{inner.format('')}</pmc-articleset>".encode()
    first, second = parse(raw, "set.xml")
    assert isinstance(first, JatsArticle)
    assert isinstance(second, Broken)


def test_deep_nesting_does_not_fail() -> None:
    deep = "<sec>" * 200 + "<p>bottom</p>" + "</sec>" * 200
    assert "bottom" in wrapped(deep).blocks[-1].text


@pytest.mark.parametrize(
    "raw",
    [b"", b"<article><body>", b"plain text", b"<article>\xff\xfe</article>",
     b"<!DOCTYPE article SYSTEM 'a.dtd'><article><body><p>a&nbsp;b</p></body></article>",
     b"<!DOCTYPE article [<!ENTITY a SYSTEM 'file:///etc/hostname'>]><article>&a;</article>"],
)  # fmt: skip
def test_what_is_not_well_formed_or_safe_is_named(raw: bytes) -> None:
    with pytest.raises(ParseError, match=r"a\.xml"):
        list(parse(raw, "a.xml"))


@pytest.mark.parametrize("raw", [b"<PubmedArticleSet/>", b"<html><body/></html>"])
def test_other_xml_is_not_this_source(raw: bytes) -> None:
    with pytest.raises(NotThisSource):
        list(parse(raw, "a.xml"))


@pytest.mark.shared_data
def test_the_real_articles_are_read(shared_data: Path) -> None:
    """14 articles; one is not well-formed on purpose."""
    documents, broken = {}, []
    for path in sorted((shared_data / "jats").glob("*/*ml*")):
        raw, name = open_payload(path.read_bytes(), path.name)
        try:
            (article,) = parse(raw, name)
        except ParseError as error:
            broken.append(error.message)
            continue
        assert isinstance(article, JatsArticle)
        documents[name] = normalize(article)

    assert len(documents) == 13
    assert len(broken) == 1
    assert "&nbsp;" in broken[0]
    assert "line 177" in broken[0]
    tables = {name: len(document.tables) for name, document in documents.items()}
    assert tables["pntd.0002065.nxml"] == 5
    assert tables["1471-2180-11-174.nxml"] == 3
    figures = {name: len(document.figures) for name, document in documents.items()}
    assert figures["elife-70357-v2.xml"] == 11
    assert figures["ehp-116-1694.nxml"] == 3
    assert all(document.identifiers.doi and document.published for document in documents.values())
    assert all(document.licence.startswith(("CC BY", "public")) for document in documents.values())


@pytest.mark.shared_data
def test_every_table_number_of_the_publishers_xml_is_in_a_cell(shared_data: Path) -> None:
    """22 papers: 65 tables with rows, as the answer keys of the PDF set count them."""
    count = 0
    for path in sorted((shared_data / "pdf" / "pairs").glob("*.xml")):
        (article,) = parse(path.read_bytes(), path.name)
        assert isinstance(article, JatsArticle)
        document = normalize(article)
        count += sum(bool(table.rows) for table in document.tables)
        assert all(len({len(row) for row in table.rows}) <= 1 for table in document.tables)
    assert count == 65
