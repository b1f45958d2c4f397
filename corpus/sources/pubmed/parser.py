"""efetch XML to PubMed records, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.dates import iso_date, loose_date
from corpus.sources.markup import (
    Element,
    child_text,
    inline_text,
    iterate,
    tag,
    undeclared_entity,
)

_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_SETS = ("PubmedArticleSet", "PubmedBookArticleSet", *_RECORDS)


@dataclass(frozen=True, slots=True)
class AbstractPart:
    """A run of abstract text; `label` as the journal prints it, `kind` and `language` of other
    abstracts.
    """

    label: str
    text: str
    kind: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A link between records (CommentsCorrections): RetractionIn, ErratumFor, CommentOn and so
    on.
    """

    kind: str
    pmid: str
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PubmedRecord:
    """One PubmedArticle or PubmedBookArticle; texts are clean, ids as printed."""

    pmid: str
    kind: Literal["article", "book"]
    title: str
    vernacular_title: str = ""
    abstract: tuple[AbstractPart, ...] = ()
    other_abstracts: tuple[AbstractPart, ...] = ()
    copyright: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: str = ""
    languages: tuple[str, ...] = ()
    doi: str = ""
    pmcid: str = ""
    types: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    references: int = 0
    extra: dict[str, str] = field(default_factory=dict)


def parse(data: bytes, filename: str) -> Iterator[PubmedRecord | Broken]:
    """Yield the records of an efetch answer.

    Raises NotThisSource for the answer of another E-utility and for a set without records (an
    unknown or deleted PMID); ParseError when the XML breaks before the first record. Where it
    breaks later, what was read stays and the rest is one Broken record.
    """
    count = 0
    try:
        for record in _records(data, filename):
            count += 1
            yield record
    except ParseError as error:
        if not count:
            raise
        yield Broken(f"after record {count}", error.message)
    if not count:
        raise NotThisSource(
            f"{filename} is a PubMed set without records: the PMID is unknown or deleted."
        )


def _records(data: bytes, filename: str) -> Iterator[PubmedRecord | Broken]:
    depth = 0
    position = 0
    for event, element in iterate(data, filename):
        if event == "start":
            if depth == 0 and tag(element) not in _SETS:
                raise NotThisSource(
                    f"{filename} holds <{tag(element)}>, not PubMed records: "
                    "it is the answer to another request."
                )
            depth += 1
            continue
        depth -= 1
        if tag(element) in _RECORDS:
            position += 1
            yield _record(element, position)
            _forget(element)


def _forget(element: Element) -> None:
    """Free what was read: a yearly file holds 30,000 records."""
    parent = element.getparent()
    element.clear()
    if parent is not None:
        while (before := element.getprevious()) is not None:
            parent.remove(before)


def _record(element: Element, position: int) -> PubmedRecord | Broken:
    record = _book(element) if tag(element) == "PubmedBookArticle" else _article(element)
    if not record.pmid:
        return Broken(f"record {position}", f"Record {position} has no PMID.")
    if (unknown := undeclared_entity(element)) is not None:
        return Broken(record.pmid, f"PMID {record.pmid} {unknown}")
    if not (record.title or record.abstract):
        return Broken(record.pmid, f"PMID {record.pmid} has neither title nor abstract.")
    return record


def _article(element: Element) -> PubmedRecord:
    ids = _article_ids(element.find("PubmedData/ArticleIdList"))
    citation = element.find("MedlineCitation")
    article = element.find("MedlineCitation/Article")
    if citation is None or article is None:
        return PubmedRecord(child_text(element, ".//PMID"), "article", "")
    return PubmedRecord(
        pmid=child_text(citation, "PMID"),
        kind="article",
        title=child_text(article, "ArticleTitle"),
        vernacular_title=child_text(article, "VernacularTitle"),
        abstract=_abstract(article.find("Abstract")),
        other_abstracts=tuple(
            part for other in citation.findall("OtherAbstract") for part in _abstract(other)
        ),
        copyright=child_text(article, "Abstract/CopyrightInformation"),
        authors=_authors(article.find("AuthorList")),
        journal=child_text(article, "Journal/Title")
        or child_text(citation, "MedlineJournalInfo/MedlineTA"),
        published=_published(article),
        languages=tuple(inline_text(language) for language in article.findall("Language")),
        doi=ids.get("doi", "") or _location_id(article, "doi"),
        pmcid=ids.get("pmc", ""),
        types=tuple(
            inline_text(kind) for kind in article.findall("PublicationTypeList/PublicationType")
        ),
        headings=_headings(citation),
        keywords=tuple(filter(None, map(inline_text, citation.findall("KeywordList/Keyword")))),
        corrections=_corrections(citation),
        references=len(element.findall("PubmedData/ReferenceList//Reference")),
        extra=_journal_details(article),
    )


def _book(element: Element) -> PubmedRecord:
    document = element.find("BookDocument")
    if document is None:
        return PubmedRecord(child_text(element, ".//PMID"), "book", "")
    ids = _article_ids(document.find("ArticleIdList"))
    book = child_text(document, "Book/BookTitle")
    authors = next(
        (
            item
            for item in document.findall("AuthorList")
            if item.get("Type", "authors") == "authors"
        ),
        None,
    )
    return PubmedRecord(
        pmid=child_text(document, "PMID"),
        kind="book",
        title=child_text(document, "ArticleTitle") or book,
        vernacular_title=child_text(document, "VernacularTitle"),
        abstract=_abstract(document.find("Abstract")),
        copyright=child_text(document, "Abstract/CopyrightInformation"),
        authors=_authors(authors) or _authors(document.find("Book/AuthorList")),
        journal=book,
        published=_contribution_date(document),
        languages=tuple(inline_text(language) for language in document.findall("Language")),
        doi=ids.get("doi", "") or _location_id(document, "doi"),
        types=tuple(inline_text(kind) for kind in document.findall("PublicationType")),
        keywords=tuple(filter(None, map(inline_text, document.findall("KeywordList/Keyword")))),
        references=len(document.findall("ReferenceList//Reference")),
        extra={
            key: text
            for key, text in (
                ("book_accession", ids.get("bookaccession", "")),
                ("publisher", child_text(document, "Book/Publisher/PublisherName")),
            )
            if text
        },
    )


def _abstract(element: Element | None) -> tuple[AbstractPart, ...]:
    if element is None:
        return ()
    kind, language = element.get("Type", ""), element.get("Language", "")
    parts = (
        AbstractPart(" ".join((text.get("Label") or "").split()), inline_text(text), kind, language)
        for text in element.findall("AbstractText")
    )
    return tuple(part for part in parts if part.text)


def _authors(element: Element | None) -> tuple[str, ...]:
    if element is None:
        return ()
    # ValidYN="N" marks a name as first printed, before its correction.
    names = (_name(author) for author in element.findall("Author") if author.get("ValidYN") != "N")
    return tuple(name for name in names if name)


def _name(author: Element) -> str:
    collective = child_text(author, "CollectiveName")
    if collective:
        return collective
    given = child_text(author, "ForeName") or child_text(author, "Initials")
    return " ".join(
        filter(None, (given, child_text(author, "LastName"), child_text(author, "Suffix")))
    )


def _published(article: Element) -> str:
    issue = article.find("Journal/JournalIssue/PubDate")
    printed = _date(issue) if issue is not None else ""
    electronic = article.find("ArticleDate")
    return printed or (_date(electronic) if electronic is not None else "")


def _contribution_date(document: Element) -> str:
    for path in ("ContributionDate", "Book/PubDate", "DateRevised"):
        found = document.find(path)
        if found is not None and (date := _date(found)):
            return date
    return ""


def _date(element: Element) -> str:
    exact = iso_date(
        child_text(element, "Year"), child_text(element, "Month"), child_text(element, "Day")
    )
    return exact or loose_date(child_text(element, "MedlineDate"))


def _article_ids(element: Element | None) -> dict[str, str]:
    if element is None:
        return {}
    return {item.get("IdType", ""): inline_text(item) for item in element.findall("ArticleId")}


def _location_id(element: Element, kind: str) -> str:
    for item in element.findall("ELocationID"):
        if item.get("EIdType") == kind and item.get("ValidYN") != "N":
            return inline_text(item)
    return ""


def _headings(citation: Element) -> tuple[str, ...]:
    names = (
        child_text(item, "DescriptorName")
        for item in citation.findall("MeshHeadingList/MeshHeading")
    )
    return tuple(name for name in names if name)


def _corrections(citation: Element) -> tuple[Correction, ...]:
    return tuple(
        Correction(
            item.get("RefType", ""),
            child_text(item, "PMID"),
            child_text(item, "RefSource"),
            child_text(item, "Note"),
        )
        for item in citation.findall("CommentsCorrectionsList/CommentsCorrections")
    )


def _journal_details(article: Element) -> dict[str, str]:
    paths = {
        "volume": "Journal/JournalIssue/Volume",
        "issue": "Journal/JournalIssue/Issue",
        "pages": "Pagination/MedlinePgn",
        "issn": "Journal/ISSN",
    }
    found = {key: child_text(article, path) for key, path in paths.items()}
    return {key: text for key, text in found.items() if text}
