"""What the entry of a reference list tells of the PDF that it has attached."""

from __future__ import annotations

from dataclasses import replace

from corpus.sources.references.files import file_key
from corpus.sources.references.joining import Named, joined, told
from corpus.sources.references.shape import Reference
from corpus.types import Block, Identifiers, NormalizedDocument

ENTRY = Reference(
    line=3,
    key="mensah_2018",
    title="Loss of a kinase brake lets memory T cells relapse",
    authors=("Mensah, Ada", "Lind, Jo"),
    journal="J Clin Invest",
    published="2018-05",
    doi="10.5555/jci.9",
    notes=("Read again: the dose differs.",),
    keywords=("kinases",),
)
BARE = NormalizedDocument(
    "article", "pdf", "ab" * 32, "", blocks=(Block("Memory T cells relapse.", page=1),)
)


def of(*entries: Reference) -> list[Named]:
    return [Named(entry, "zotero.bib") for entry in entries]


def test_what_the_paper_lacks_comes_from_its_entry() -> None:
    paper = joined(BARE, of(ENTRY))

    assert (paper.title, paper.authors) == (ENTRY.title, ENTRY.authors)
    assert (paper.journal, paper.year, paper.tags) == ("J Clin Invest", 2018, ("kinases",))
    assert paper.identifiers == Identifiers(doi="10.5555/jci.9")
    assert paper.blocks == (*BARE.blocks, Block("Read again: the dose differs.", ("Notes",)))
    assert paper.note == "Named by the entry mensah_2018 of zotero.bib."
    assert paper.metadata["named_by"]["entry"] == "doi:10.5555/jci.9"


def test_what_the_paper_says_itself_stays() -> None:
    own = replace(BARE, title="Its own title", authors=("Ada Mensah",), note="No OCR.")

    paper = joined(own, of(ENTRY))

    assert (paper.title, paper.authors) == ("Its own title", ("Ada Mensah",))
    assert paper.note == "No OCR. Named by the entry mensah_2018 of zotero.bib."


def test_a_title_that_is_the_name_of_the_file_is_none() -> None:
    named = replace(BARE, title="Mensah 2018", metadata={"filename": "Mensah 2018.pdf"})

    assert joined(named, of(ENTRY)).title == ENTRY.title
    assert joined(named, of(replace(ENTRY, title=""))).title == "Mensah 2018"


def test_an_entry_with_another_doi_tells_nothing_and_that_is_said() -> None:
    own = replace(BARE, identifiers=Identifiers(doi="10.1101/preprint"))

    paper = joined(own, of(ENTRY))

    assert (paper.identifiers, paper.title, paper.blocks) == (own.identifiers, "", own.blocks)
    assert "DOI 10.5555/jci.9, but the file prints 10.1101/preprint" in paper.note


def test_a_file_that_two_papers_name_is_nobodys() -> None:
    other = replace(ENTRY, key="lind_2020", doi="10.5555/other")

    paper = joined(BARE, of(ENTRY, other))

    assert (paper.title, paper.identifiers) == ("", Identifiers())
    assert "entry mensah_2018 of zotero.bib and by the entry lind_2020" in paper.note


def test_the_same_paper_twice_in_a_list_is_one_entry() -> None:
    twin = replace(ENTRY, key="mensah_2018a", line=9)

    assert joined(BARE, of(ENTRY, twin)).title == ENTRY.title


def test_an_entry_without_ids_lends_the_id_of_its_list() -> None:
    entry = replace(ENTRY, doi="")

    assert joined(BARE, of(entry)).metadata["entry"].startswith("reference:")
    assert "entry" not in joined(BARE, of(ENTRY)).metadata


def test_an_entry_that_is_an_id_alone_names_no_title() -> None:
    paper = joined(BARE, of(Reference(line=1, doi="10.5555/jci.9")))

    assert (paper.title, paper.identifiers.doi) == ("", "10.5555/jci.9")
    assert paper.note == "Named by an entry of zotero.bib."


def test_without_an_entry_the_paper_is_as_it_was() -> None:
    assert joined(BARE, []) is BARE


def test_a_changed_entry_is_told_from_the_former_one() -> None:
    assert told(of(ENTRY)) == told(of(ENTRY))
    assert told(of(ENTRY)) != told(of(replace(ENTRY, notes=())))


def test_names_are_compared_whatever_their_case_folder_and_accents() -> None:
    assert file_key("files/12/Alva\u0301rez 2018.PDF") == file_key("Alv\u00e1rez 2018.pdf")
