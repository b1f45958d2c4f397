"""Reference lists as reference managers export them: nothing lost, nothing taken for another."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.references.files import attachments, bibtex_files, link_files
from corpus.sources.references.latex import latex_text
from corpus.sources.references.people import turned
from corpus.sources.references.shape import Reference
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument
from tests.support.bibliographies import blocks_under, csl_file, to_bibtex, to_csl, to_ris
from tests.support.mutating import mutations, outcome

SOURCE = SOURCES["references"]
NAMES = ("zotero.bib", "endnote.ris", "zotero.json", "pubmed.nbib", "endnote.enw", "ids.txt")


def read(text: str | bytes, name: str) -> tuple[list[NormalizedDocument], list[Broken]]:
    data = text.encode() if isinstance(text, str) else text
    records = list(SOURCE.parse(data, name))
    broken = [record for record in records if isinstance(record, Broken)]
    good = [record for record in records if not isinstance(record, Broken)]
    return [SOURCE.normalize(record) for record in good], broken


def saved(data: Path, name: str) -> tuple[list[NormalizedDocument], list[Broken]]:
    return read((data / "references" / name).read_bytes(), name)


def only(text: str | bytes, name: str) -> NormalizedDocument:
    (document,), broken = read(text, name)
    assert not broken
    return document


@pytest.mark.parametrize("name", ["zotero.bib", "endnote.ris", "zotero.json", "pubmed.nbib"])
def test_every_format_tells_the_same_paper(data: Path, name: str) -> None:
    paper = saved(data, name)[0][0]
    assert paper.external_id == "doi:10.5555/jci_9.1"
    ids = paper.identifiers
    assert (ids.doi, ids.pmid, ids.pmcid) == ("10.5555/jci_9.1", "123456", "PMC98765")
    assert paper.title.startswith("Loss of a TGF-")
    assert "CD8+ T cells" in paper.title
    assert paper.authors[0] == "Ada Mensah"
    assert paper.journal.casefold() == "the journal of clinical investigation"
    assert paper.published.startswith("2018-05")
    assert paper.metadata["pages"] == "101-110"
    assert paper.metadata["fetch"] == {
        "doi": "10.5555/jci_9.1",
        "pmid": "123456",
        "pmcid": "PMC98765",
    }
    assert blocks_under(paper, "Abstract")


def test_bibtex_loses_its_markup_and_keeps_its_numbers(data: Path) -> None:
    paper, chapter, book, twin, database = saved(data, "zotero.bib")[0]
    assert paper.title == "Loss of a TGF-β brake in CD8+ T cells — a 10^6-fold screen"
    assert paper.authors == (
        "Ada Mensah", "Jörg Sørensen", "Inés Álvarez Jr.", "World Cytokine Group",
    )  # fmt: skip
    assert blocks_under(paper, "Abstract") == [
        "We found 50% fewer cells (p < 0.05) at $5 a dose.",
        "A second paragraph & more.",
    ]
    assert blocks_under(paper, "Notes") == ["Read again: the dose in fig. 2 differs from the text."]
    assert paper.metadata["attachments"] == ["files/12/Mensah 2018.pdf", "files/13/page.html"]
    assert (chapter.title, chapter.journal) == ('A Chapter on "Cold" Cells', "The Book of Cells")
    assert (chapter.published, chapter.type) == ("2019", "book")
    assert chapter.metadata["key"] == "Lind 2019 ä"
    assert chapter.metadata["attachments"] == ["Lind2019.pdf", "talk.pdf"]
    assert book.metadata["editors"] == "Chidi Okafor"
    assert twin.metadata["key"] == paper.metadata["key"]
    assert (database.type, database.published) == ("record", "2021-03-04")


def test_a_broken_entry_is_named_by_key_and_line_and_spares_the_others(data: Path) -> None:
    documents, broken = saved(data, "zotero.bib")
    assert len(documents) == 5
    assert [record.name for record in broken] == ["line 44 (broken2020)", "line 48 (empty)"]
    assert "neither a title nor a DOI" in broken[1].reason


def test_ris_keeps_what_runs_over_lines_and_ends_without_its_end(data: Path) -> None:
    (paper, chapter), broken = saved(data, "endnote.ris")
    assert blocks_under(paper, "Abstract") == [
        "We found fewer cells at a dose of 5 mg.", "A second paragraph.",
    ]  # fmt: skip
    assert blocks_under(paper, "Notes") == ["Read again: the dose differs."]
    assert paper.metadata["attachments"] == ["Mensah-2018.pdf", "files/12/Supplement 1.pdf"]
    assert paper.metadata["url"] == "https://example.org/a;b"
    assert (chapter.journal, chapter.language) == ("The Book of Cells", "en")
    assert [record.name for record in broken] == ["line 35"]


def test_csl_reads_names_dates_and_the_ids_in_notes(data: Path) -> None:
    (paper, book), broken = saved(data, "zotero.json")
    assert paper.authors == ("Ada Mensah", "Maria van den Berg", "World Cytokine Group")
    assert paper.published == "2018-05-02"
    assert blocks_under(paper, "Abstract") == ["Aim", "We found fewer cells."]
    assert blocks_under(paper, "Notes") == ["Read again."]
    assert (book.published, book.metadata["key"]) == ("2019-04", "7")
    assert [record.name for record in broken] == ["item 3", "item 4 (nothing)"]


def test_pubmed_and_endnote_tags_are_read(data: Path) -> None:
    paper, second = saved(data, "pubmed.nbib")[0]
    assert paper.title == "Loss of a TGF-beta brake in CD8+ T cells."
    assert paper.authors == ("Ada Mensah", "Jo Lind", "World Cytokine Group")
    assert (paper.published, paper.language) == ("2018-05-02", "en")
    assert second.external_id == "pmid:7"
    refer = saved(data, "endnote.enw")[0][0]
    assert blocks_under(refer, "Abstract") == ["We found fewer cells."]
    assert refer.tags == ("T cells", "kinases")


def test_a_list_of_ids_gives_each_paper_once(data: Path) -> None:
    documents, broken = saved(data, "ids.txt")
    assert [document.external_id for document in documents] == [
        "pmid:123", "pmid:456", "doi:10.5555/abc.1", "doi:10.5555/abc.2", "pmcid:PMC77",
        "pmid:789", "pmid:790", "doi:10.5555/abc.3",
        "doi:10.1002/(sici)1097-0258(19980815/30)17:15<1661::aid-sim968>3.0.co;2-2",
    ]  # fmt: skip
    assert documents[7].identifiers.pmid == "991"
    assert documents[7].identifiers.pmcid == "PMC992"
    assert all(document.note.startswith("Only its id is known yet") for document in documents)
    assert [record.name for record in broken] == ["line 9"]


def test_a_table_of_ids_gives_a_paper_a_row() -> None:
    text = (
        'PMID,Title,Journal/Book,Publication Year,PMCID,DOI\n'
        '12,"Cells, cold and warm",Blood,2019,PMC3,10.5555/a\n,No id,,,,\n'
    )  # fmt: skip
    (paper,), broken = read(text, "csv-set.csv")
    assert (paper.title, paper.published, paper.journal) == (
        "Cells, cold and warm",
        "2019",
        "Blood",
    )
    assert paper.identifiers.pmcid == "PMC3"
    assert [record.name for record in broken] == ["line 3"]


@pytest.mark.parametrize(
    "label",
    [
        "a b c",
        "müller:2019",
        "mü+ller/2019",
        "",
        "1",
        "a_b.c",
        "ключ",
        "same",
        "[x]",
        "a'b",
    ],
)
def test_no_label_loses_its_entry(label: str) -> None:
    text = f"@article{{{label}, title={{One}}}}\n@article{{{label}, title={{Two}}}}\n"
    documents, broken = read(text, "a.bib")
    assert [document.title for document in documents] == ["One", "Two"]
    assert not broken


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_of_a_list_is_found(encoding: str) -> None:
    text = "@book{a,\r\n title = {Zellen für Anfänger},\r\n}\r\n"
    assert only(text.encode(encoding), "a.bib").title == "Zellen für Anfänger"


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (
            r"{\"O}st{\'e}n, \v{S}t{\u a}, \c{c}, {\AA}s, \o re, \ss{}a",
            "Östén, Štă, ç, Ås, øre, ßa",
        ),
        (r"na{\"\i}ve \'{\i}", "naïve í"),
        (r"\textit{E.~coli} {TNF}-$\alpha$ and IFN-\ensuremath{\gamma}", "E. coli TNF-α and IFN-γ"),
        (r"CO$_2$, Ca$^{2+}$, 10$^{-6}$, 10\textsuperscript{5}", "CO2, Ca2+, 10^-6, 10^5"),
        (r"costs \$5 or $6 and $7; 5\% \& 3%; a\_b", "costs $5 or $6 and $7; 5% & 3%; a_b"),
        (r"``so'' -- or --- not", "“so” – or — not"),
        (r"\href{http://x.org/a}{the page} \url{http://y.org/b_c}", "the page http://y.org/b_c"),
        (r"open { brace \unknown{kept}", "open  brace kept"),
        ("\\", ""),
    ],
)
def test_latex_reads_as_it_prints(latex: str, text: str) -> None:
    assert latex_text(latex) == text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Weeks, William B.", "William B. Weeks"),
        ("Weeks, Jr., William", "William Weeks Jr."),
        ("Weeks, William, Jr.", "William Weeks Jr."),
        ("William B. Weeks", "William B. Weeks"),
        ("van den Berg, Maria", "Maria van den Berg"),
        ("Weeks,", "Weeks"),
    ],
)
def test_names_are_turned(written: str, read: str) -> None:
    assert turned(written) == read


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("Full Text:files/1/a b.pdf:application/pdf", ("files/1/a b.pdf",)),
        (":a.pdf:PDF;notes\\; more:sub/b\\;c.pdf:PDF", ("a.pdf", "sub/b;c.pdf")),
        ("/Users/x/Zotero/storage/ABC/Smith 2019.pdf", ("Smith 2019.pdf",)),
        ("C:\\Users\\x\\a.pdf;D:/b.pdf", ("a.pdf", "b.pdf")),
        ("a:C\\:\\\\Users\\\\x\\\\a.pdf:PDF", ("a.pdf",)),
        ("../../etc/passwd", ("passwd",)),
        ("https://example.org/a.pdf", ()),
        ("page: https\\://example.org/a.pdf:URL", ()),
        ("..", ()),
    ],
)
def test_attached_files_are_found_in_every_form(field: str, names: tuple[str, ...]) -> None:
    assert bibtex_files(field) == names


def test_links_to_files_give_their_names() -> None:
    links = ["internal-pdf://01/A%20b.pdf", "file:///C:/x/c.pdf", "http://x.org/d.pdf", "e/f.pdf"]
    assert link_files(links) == ("A b.pdf", "c.pdf", "e/f.pdf")
    assert attachments(Reference(1, files=("e/f.pdf", "g/f.pdf", "h.pdf"))) == ["f.pdf", "h.pdf"]


def test_an_entry_without_ids_is_known_by_title_year_and_first_author() -> None:
    one = only("@article{a, title={On Cells}, year=2001, author={Lind, Jo and Ng, A}}", "a.bib")
    two = only("TY  - JOUR\nTI  - On cells.\nPY  - 2001\nAU  - Lind, Jo\nER  - \n", "a.ris")
    other = only("TY  - JOUR\nTI  - On cells.\nPY  - 2002\nAU  - Lind, Jo\nER  - \n", "a.ris")
    assert one.external_id == two.external_id != other.external_id


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "a.bib"), (b"just text", "a.bib"), (b"", "a.ris"), (b"nothing\n", "a.ris"),
        (b"[]", "a.json"), (b'{"a": 1}', "a.json"), (b"", "a.txt"), (b"some words\n", "a.txt"),
        (b"", "a.nbib"), (b"\n", "a.enw"), (b"pmid,doi\n", "a.csv"),
    ],
)  # fmt: skip
def test_a_file_without_references_is_not_this_source(data: bytes, name: str) -> None:
    with pytest.raises(NotThisSource):
        list(SOURCE.parse(data, name))


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"[" * 100_000, "nested|not JSON"), (b"{", "not JSON"), (b"\x00\x01PK", "no text file")],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        list(SOURCE.parse(data, "a.json"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("@string{a0 = {" + "x" * 1000 + "}}\n" + "".join(
            f"@string{{a{n} = a{n - 1} # a{n - 1} # a{n - 1}}}\n" for n in range(1, 60))
         + "@article{x, title = a59 # a59, note = " + " # ".join(["a59"] * 20_000) + "}", "a.bib"),
        ("@article{a, title={" + "{" * 50_000 + "x" + "}" * 50_000 + "}}", "a.bib"),
        ("@article{a,\n" * 20_000, "a.bib"),
        ("@a{" * 30_000, "a.bib"),
        ("@a(" * 30_000, "a.bib"),
        ("@article{a, title={" + "\\'{" * 40_000 + "}}", "a.bib"),
        ("@article{a, title={" + "$" * 80_000 + "}}", "a.bib"),
        ("@article{a, title={A}, author={" + "{ and " * 20_000 + "}}", "a.bib"),
        ("@article{a, title={A}, file={" + ":;" * 40_000 + "}}", "a.bib"),
        ("TY  - JOUR\n" * 20_000, "a.ris"),
        ("TY  - JOUR\nTI  - a\n" + "x\n" * 40_000, "a.ris"),
        ("10.1000/" * 20_000, "a.txt"), ("1 " * 60_000, "a.txt"), ("((((" * 30_000, "a.txt"),
        ("pmid,doi\n" + '"' * 60_000, "a.csv"), ("doi: " * 30_000, "a.txt"),
    ],
)  # fmt: skip
def test_lists_made_to_be_slow_or_large_are_read_in_bounds(text: str, name: str) -> None:
    assert outcome(SOURCE, text.encode(), name)


@pytest.mark.parametrize("name", NAMES)
def test_damage_ends_as_documents_or_reasons(data: Path, name: str) -> None:
    good = (data / "references" / name).read_bytes()
    outcomes = [outcome(SOURCE, damaged, name) for damaged in mutations(good)]
    assert sum(found[0].isdecimal() for found in outcomes) > 5


plain = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Sm", "Sc"), exclude_characters="<>;"),
    min_size=1,
    max_size=12,
)
phrase = st.lists(plain, min_size=1, max_size=6).map(" ".join)
label = st.text(string.ascii_letters + "0123456789:._-+äß", min_size=1, max_size=10)
ids_of = st.fixed_dictionaries(
    {},
    optional={
        "doi": st.from_regex(
            r"10\.[1-9]\d{3}/[a-z0-9]([a-z0-9._-]{0,10}[a-z0-9])?", fullmatch=True
        ),
        "pmid": st.integers(1, 99_999_999).map(str),
        "pmcid": st.integers(1, 9_999_999).map("PMC{}".format),
    },
)
dates = st.sampled_from(["", "1999", "2004-07", "2018-12-31"])
files = st.lists(
    st.from_regex(r"(files/[0-9]{1,3}/)?[A-Za-z][A-Za-z0-9 _-]{0,12}\.pdf", fullmatch=True).map(
        lambda name: " ".join(name.split())
    ),
    max_size=3,
    unique=True,
)


def references(kinds: list[str]) -> st.SearchStrategy[Reference]:
    fields = {
        "line": st.just(1), "key": label, "entry_type": st.sampled_from(kinds), "title": phrase,
        "authors": st.lists(phrase.filter(_is_a_name), max_size=3).map(tuple), "journal": phrase,
        "published": dates, "abstract": st.lists(phrase, max_size=3).map("\n\n".join),
        "notes": st.lists(phrase, max_size=2).map(tuple),
        "keywords": st.lists(phrase, max_size=3).map(tuple), "files": files.map(tuple),
        "language": st.sampled_from(["", "en", "de"]),
        "details": st.fixed_dictionaries({}, optional={"volume": plain, "publisher": phrase}),
    }  # fmt: skip
    return st.builds(
        lambda named, known: Reference(**named, **known), st.fixed_dictionaries(fields), ids_of
    )


def _is_a_name(text: str) -> bool:
    return "," not in text and text.lower() != "others"


def survives(reference: Reference, write: Callable[[NormalizedDocument], bytes], name: str) -> None:
    """Writing a document as a list entry and reading it again changes nothing that is kept."""
    document = SOURCE.normalize(reference)
    again = only(write(document), name)
    assert again == document
    assert again.title == document.title
    assert len(again.blocks) == len(document.blocks)


@given(references(["article", "book", "inproceedings", "misc", "phdthesis"]))
def test_bibtex_out_and_in_is_the_same(reference: Reference) -> None:
    survives(reference, lambda document: to_bibtex(document).encode(), "a.bib")


@given(references(["jour", "book", "thes", "elec"]))
def test_ris_out_and_in_is_the_same(reference: Reference) -> None:
    survives(reference, lambda document: to_ris(document).encode(), "a.ris")


@given(references(["article-journal", "book", "thesis", "webpage"]))
def test_csl_out_and_in_is_the_same(reference: Reference) -> None:
    survives(reference, lambda document: csl_file([to_csl(document)]), "a.json")


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.sampled_from(NAMES))
def test_any_text_is_read_or_refused(text: str, name: str) -> None:
    assert outcome(SOURCE, text.encode(), name)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from(["title", "author", "issued", "date-parts",
                                                       "note", "id", "family", "DOI", "items"]),
                                      inner, max_size=4), max_leaves=20))  # fmt: skip
def test_any_json_is_read_or_refused(value: object) -> None:
    assert outcome(SOURCE, json.dumps(value).encode(), "a.json")
