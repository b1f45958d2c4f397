"""efetch sets become documents; everything else that Entrez answers is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.pubmed.normalizer import normalize
from corpus.sources.pubmed.parser import PubmedRecord, parse
from corpus.types import NormalizedDocument, Relation


@pytest.fixture
def documents(data: Path) -> dict[str, NormalizedDocument]:
    records = parse((data / "pubmed" / "set.xml").read_bytes(), "set.xml")
    return {r.pmid: normalize(r) for r in records if isinstance(r, PubmedRecord)}


def one(abstract: str) -> NormalizedDocument:
    xml = (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>"
        f"<ArticleTitle>T.</ArticleTitle><Abstract>{abstract}</Abstract></Article>"
        "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )
    (record,) = parse(xml.encode(), "one.xml")
    assert isinstance(record, PubmedRecord)
    return normalize(record)


def test_inline_markup_keeps_words_and_numbers_whole(
    documents: dict[str, NormalizedDocument],
) -> None:
    article = documents["900001"]
    assert article.title == "Vitamin D3 and STAT3 in 10^6 cells."
    assert article.blocks[2].text == "We gave vitamin D3 at 5 mg/m2 with Ca2+."
    assert article.blocks[4].text == "Ratios were 12 34 ."


def test_labels_become_sections_and_an_empty_label_none(
    documents: dict[str, NormalizedDocument],
) -> None:
    first, heading, methods, *_ = documents["900001"].blocks
    assert (first.text, first.section) == ("One. Two three", ("Abstract",))
    assert (heading.kind, heading.text) == ("heading", "METHODS")
    assert methods.section == ("Abstract", "METHODS")


def test_the_record_is_described(documents: dict[str, NormalizedDocument]) -> None:
    article = documents["900001"]
    assert article.authors == ("Ann B Roe", "The Trial Group")
    assert (article.published, article.journal) == ("2019-03-04", "Journal of Trials")
    ids = article.identifiers
    assert (ids.doi, ids.pmid, ids.pmcid) == ("10.5555/jt.2019.1", "900001", "PMC77")
    assert article.tags == ("Humans",)
    assert article.licence == "Copyright of nobody."


def test_a_retraction_is_told_on_both_sides(documents: dict[str, NormalizedDocument]) -> None:
    paper, notice = documents["900001"], documents["900002"]
    assert paper.retracted
    assert not notice.retracted
    assert paper.relations == (
        Relation("pmid:900001", "retracted_by", "pmid:900002", record="900001"),
    )
    assert notice.relations[0].predicate == "retracts"
    assert notice.metadata["is_notice"] is True
    assert {link["kind"] for link in paper.metadata["links"]} == {"retracted_by", "corrected_by"}


def test_without_abstract_title_and_terms_are_a_record(
    documents: dict[str, NormalizedDocument],
) -> None:
    notice = documents["900002"]
    assert notice.title == "Notice on an earlier paper"
    (block,) = notice.blocks
    assert block.kind == "record"
    assert "Original title: Mitteilung." in block.text
    assert "no abstract" in notice.note
    assert (notice.published, notice.language) == ("1998-12", "en")


def test_a_chapter_is_a_book_document(documents: dict[str, NormalizedDocument]) -> None:
    chapter = documents["900003"]
    assert (chapter.type, chapter.journal, chapter.authors) == ("book", "Book®", ("J Doe",))
    assert chapter.published == "2004-12"
    assert chapter.metadata["book_accession"] == "NBK9"


def test_a_record_without_pmid_is_broken_and_the_rest_is_read(data: Path) -> None:
    records = list(parse((data / "pubmed" / "set.xml").read_bytes(), "set.xml"))
    assert [r.name for r in records if isinstance(r, Broken)] == ["record 3"]
    assert len(records) == 4


@pytest.mark.parametrize(
    "xml",
    [
        "<eSearchResult><Count>1</Count></eSearchResult>",
        "<eLinkResult/>",
        "<!DOCTYPE html><html><body><p>Error</body></html>",
        "<PubmedArticleSet></PubmedArticleSet>",
        "<pmc-articleset/>",
    ],
)
def test_another_answer_is_not_this_source(xml: str) -> None:
    with pytest.raises(NotThisSource):
        list(parse(xml.encode(), "a.xml"))


@pytest.mark.parametrize("xml", ["", "   ", "PMID- 1", "<PubmedArticleSet><PubmedArticle>"])
def test_broken_xml_is_named(xml: str) -> None:
    with pytest.raises(ParseError, match="not well-formed"):
        list(parse(xml.encode(), "a.xml"))


def test_what_stands_before_the_break_is_kept(data: Path) -> None:
    whole = (data / "pubmed" / "set.xml").read_bytes()
    cut = whole[: whole.rindex(b"900003") + 40]
    first, second, nameless, rest = list(parse(cut, "set.xml"))
    assert isinstance(first, PubmedRecord)
    assert isinstance(second, PubmedRecord)
    assert isinstance(nameless, Broken)
    assert isinstance(rest, Broken)
    assert "not well-formed" in rest.reason


def test_declared_entities_are_refused() -> None:
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">' for i in range(10))
    xml = f"<!DOCTYPE PubmedArticleSet [{laughs}]><PubmedArticleSet>&l9;</PubmedArticleSet>"
    with pytest.raises(ParseError, match="entities of its own"):
        list(parse(xml.encode(), "laughs.xml"))


def test_an_undeclared_entity_breaks_its_record_only() -> None:
    article = (
        "<PubmedArticle><MedlineCitation><PMID>{}</PMID><Article><ArticleTitle>TGF-{}1"
        "</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    )
    xml = (
        '<!DOCTYPE PubmedArticleSet SYSTEM "https://dtd.example.org/p.dtd"><PubmedArticleSet>'
        f"{article.format(1, '&beta;')}{article.format(2, '&#946;')}</PubmedArticleSet>"
    )
    first, second = parse(xml.encode(), "a.xml")
    assert isinstance(first, Broken)
    assert "&beta;" in first.reason
    assert isinstance(second, PubmedRecord)
    assert second.title == "TGF-\u03b21"


def test_a_plain_language_summary_is_kept_apart() -> None:
    xml = (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>"
        "<ArticleTitle>T.</ArticleTitle></Article><OtherAbstract Type='plain-language-summary' "
        "Language='eng'><AbstractText>Said simply.</AbstractText></OtherAbstract>"
        "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )
    (record,) = parse(xml.encode(), "a.xml")
    assert isinstance(record, PubmedRecord)
    (block,) = normalize(record).blocks
    assert (block.text, block.section) == ("Said simply.", ("Plain language summary",))


def test_text_between_elements_of_an_abstract_is_not_lost() -> None:
    """A01."""
    document = one(
        "<AbstractText>effect of high-dose vitamin D<sub>3</sub> supplements on antibody levels"
        "</AbstractText>"
    )
    assert document.blocks[0].text == (
        "effect of high-dose vitamin D3 supplements on antibody levels"
    )


def test_rows_of_a_formula_are_kept_apart_and_break_nothing() -> None:
    """A04: a row element that the grammar of the set does not know."""
    row = "<mml:mtr><mml:mtd><mml:mn>{}</mml:mn></mml:mtd><mml:mtd><mml:mi>{}</mml:mi></mml:mtd>"
    rows = "".join(row.format(*cells) + "</mml:mtr>" for cells in ((12, "a"), (34, "b")))
    document = one(
        '<AbstractText>We solve <mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML">'
        f"<mml:mtable>{rows}</mml:mtable></mml:math> for all.</AbstractText>"
    )
    assert " ".join(document.blocks[0].text.split()) == "We solve 12 a 34 b for all."


def test_an_empty_label_with_nothing_but_bold_parts_keeps_them_all() -> None:
    """A05."""
    bold = "".join(f"<b>Part {n}.</b>" for n in range(1, 7))
    document = one(
        f'<AbstractText Label="">{bold}</AbstractText>'
        '<AbstractText Label="RESULTS">It holds.</AbstractText>'
    )
    first, heading, last = document.blocks
    parts = [f"Part {n}." for n in range(1, 7)]
    assert [first.text.index(part) for part in parts] == sorted(map(first.text.index, parts))
    assert not first.text.startswith(":")
    assert (heading.text, last.text) == ("RESULTS", "It holds.")


@pytest.mark.shared_data
def test_all_real_sets_are_read(shared_data: Path) -> None:
    """45 efetch sets, one of them empty; 48 records, two of them retracted; the rest is skipped."""
    sets, documents, skipped = 0, [], 0
    for path in sorted((shared_data / "pubmed").glob("*/*")):
        if path.suffix not in (".xml", ".html"):
            continue
        raw = path.read_bytes()
        sets += b"<PubmedArticleSet" in raw
        try:
            records = list(parse(raw, path.name))
        except NotThisSource:
            skipped += 1
            continue
        assert not any(isinstance(record, Broken) for record in records)
        documents += [normalize(record) for record in records if isinstance(record, PubmedRecord)]

    assert sets == 45
    assert len(documents) == 48
    assert skipped == 30  # 26 other Entrez answers, 2 elink, 1 web page, 1 empty set
    assert sorted(d.external_id for d in documents if d.retracted) == ["11543891", "993"]
    assert all(document.blocks and document.title for document in documents)
    assert not any("<" in document.title for document in documents)
