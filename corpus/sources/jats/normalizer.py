"""A JATS article as a document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final, cast

from corpus.sources import ids
from corpus.sources.jats.shape import JatsArticle, JatsPart
from corpus.sources.languages import two_letters
from corpus.sources.tables import table_block, titled
from corpus.types import Block, BlockKind, FigureDraft, NormalizedDocument, Relation, TableDraft

# related-article-type -> how this article stands to the other.
_LINKS: Final = {
    "retracted-article": "retracts",
    "retraction-forward": "retracted_by",
    "retraction": "retracted_by",
    "partial-retraction": "partly_retracts",
    "corrected-article": "corrects",
    "correction-forward": "corrected_by",
    "correction": "corrected_by",
    "addended-article": "adds_to",
    "addendum": "added_to_by",
    "object-of-concern": "concern_about",
    "expression-of-concern": "concern_by",
    "commentary-article": "comments_on",
    "commentary": "commented_by",
    "preprint": "has_preprint",
    "updated-article": "updates",
    "update": "updated_by",
    "letter": "commented_by",
    "companion": "companion_of",
}
_NOTICES: Final = frozenset({"retraction", "partial-retraction"})
_BOOKS: Final = frozenset({"book", "book-part", "book-chapter"})


def normalize(article: JatsArticle) -> NormalizedDocument:
    """JobTurn an article into a document; its id is the PMCID, else DOI, else PMID, else a hash."""
    tables = tuple(_table(article, number) for number in range(len(article.tables)))
    figures = tuple(
        FigureDraft(
            figure.label, figure.caption, source_ref=figure.files[0] if figure.files else ""
        )
        for figure in article.figures
    )
    blocks = tuple(_blocks(article, figures, tables))
    identifiers = ids.identifiers(
        doi_=article.ids.get("doi", ""),
        pmid_=article.ids.get("pmid", ""),
        pmcid_=article.ids.get("pmc", "") or article.ids.get("pmcid", ""),
    )
    external_id = _external_id(article)
    has_text = any(block.kind != "heading" for block in blocks)
    return NormalizedDocument(
        type="book" if article.kind in _BOOKS else "article",
        source="jats",
        external_id=external_id,
        title=article.title or _first_words(blocks),
        blocks=blocks if has_text else (Block(article.title or external_id, (), "record"),),
        figures=figures,
        tables=tables,
        identifiers=identifiers,
        authors=article.authors,
        journal=article.journal,
        published=article.published,
        licence=article.licence,
        language=two_letters(article.language),
        retracted=_is_retracted(article),
        tags=article.keywords,
        relations=tuple(_relations(article, external_id)),
        metadata=_metadata(article),
        note="" if has_text else "The file holds no abstract and no text: only the title is found.",
    )


def _external_id(article: JatsArticle) -> str:
    known = (
        ids.pmcid(article.ids.get("pmc", "") or article.ids.get("pmcid", "")),
        ids.doi(article.ids.get("doi", "")),
        ids.pmid(article.ids.get("pmid", "")),
        article.ids.get("publisher-id", ""),
    )
    found = next((name for name in known if name), "")
    if found:
        return found
    text = "\n".join([article.title, *(part.text for part in article.parts)])
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def _blocks(
    article: JatsArticle, figures: tuple[FigureDraft, ...], tables: tuple[TableDraft, ...]
) -> Iterator[Block]:
    for part in article.parts:
        block = _block(part, figures, tables)
        if block.text:
            yield block
    for cited in article.references:
        if cited.text:
            yield Block(cited.text, ("References",), "reference")


def _block(
    part: JatsPart, figures: tuple[FigureDraft, ...], tables: tuple[TableDraft, ...]
) -> Block:
    if part.kind == "figure":
        figure = figures[part.index]
        text = titled(figure.label, figure.caption)
        return Block(text, part.path, "caption", fields={"figure": part.index})
    if part.kind == "table":
        return table_block(tables[part.index], part.index, part.path)
    return Block(part.text, part.path, cast(BlockKind, part.kind))


def _table(article: JatsArticle, number: int) -> TableDraft:
    table = article.tables[number]
    return TableDraft(table.label, table.caption, table.rows, table.header_rows, table.spans)


def _first_words(blocks: tuple[Block, ...]) -> str:
    text = next((block.text for block in blocks if block.kind != "heading"), "Untitled article")
    return text if len(text) <= 120 else text[:120].rsplit(" ", 1)[0] + " …"


def _is_retracted(article: JatsArticle) -> bool:
    if article.kind in _NOTICES:
        return False
    by_link = any(_LINKS.get(link.kind) == "retracted_by" for link in article.related)
    by_title = article.title.lower().lstrip("[(").startswith(("retracted:", "retracted article"))
    return by_link or by_title or article.kind == "retracted-article"


def _relations(article: JatsArticle, external_id: str) -> Iterator[Relation]:
    subject = _curie(article.ids.get("doi", ""), article.ids.get("pmid", "")) or external_id
    for link in article.related:
        target = _curie(link.target, link.target)
        if link.kind in _LINKS and target:
            yield Relation(subject, _LINKS[link.kind], target, record=external_id)
    targets = (_curie(cited.doi, cited.pmid) for cited in article.references)
    for target in dict.fromkeys(found for found in targets if found):
        yield Relation(subject, "cites", target, record=external_id)


def _curie(doi: str, pmid: str) -> str:
    if ids.doi(doi):
        return f"doi:{ids.doi(doi)}"
    return f"pmid:{ids.pmid(pmid)}" if ids.pmid(pmid) else ""


def _metadata(article: JatsArticle) -> dict[str, object]:
    found: dict[str, object] = {
        "article_type": article.kind,
        "subjects": list(article.subjects),
        "references": len(article.references),
        "copyright": article.copyright,
        "translated_titles": [
            {"language": language, "title": title} for language, title in article.translated_titles
        ],
        "sub_articles": list(article.sub_articles),
        "publisher_id": article.ids.get("publisher-id", ""),
        "is_notice": article.kind in _NOTICES,
        **article.details,
    }
    return {key: value for key, value in found.items() if value not in ("", [], 0, False)}
