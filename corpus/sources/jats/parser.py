"""JATS XML to articles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from corpus.sources.base import Broken, NotThisSource
from corpus.sources.jats import front
from corpus.sources.jats.body import Walker
from corpus.sources.jats.inline import prepare, text_of
from corpus.sources.jats.shape import JatsArticle, JatsPart
from corpus.sources.markup import Element, parse_tree, tag

_ABSTRACT_NAMES: Final = {
    "graphical": "Graphical abstract",
    "summary": "Plain language summary",
    "plain-language-summary": "Plain language summary",
    "executive-summary": "Executive summary",
    "key-points": "Key points",
    "highlights": "Highlights",
    "teaser": "Teaser",
    "toc": "Short abstract",
    "editor": "Editor's summary",
}


def parse(data: bytes, filename: str) -> Iterator[JatsArticle | Broken]:
    """Yield the articles of a JATS or NLM file: one, or those of a set.

    Raises ParseError for XML that is not well-formed, NotThisSource when no article is inside.
    A sub-article (translation, review, reply) is no article of its own and none of its text is
    taken for the article's.
    """
    root = parse_tree(data, filename)
    articles = [root] if tag(root) == "article" else list(_inside(root))
    if not articles:
        raise NotThisSource(f"{filename} holds <{tag(root)}>, not a JATS article.")
    for number, element in enumerate(articles, start=1):
        article = _article(element)
        if article.title or article.parts:
            yield article
        else:
            yield Broken(f"article {number}", f"Article {number} has neither title nor text.")


def _inside(root: Element) -> Iterator[Element]:
    for element in root.iter("{*}article"):
        if not any(tag(above) == "article" for above in element.iterancestors()):
            yield element


def _article(element: Element) -> JatsArticle:
    prepare(element)
    meta = element.find("{*}front/{*}article-meta")
    journal = element.find("{*}front/{*}journal-meta")
    title, translated = front.titles(meta)
    walker = Walker()
    _read_text(element, meta, walker)
    return JatsArticle(
        ids=front.ids(meta),
        kind=element.get("article-type", ""),
        title=title,
        parts=tuple(walker.parts),
        figures=tuple(walker.figures),
        tables=tuple(walker.tables),
        translated_titles=translated,
        authors=front.authors(meta),
        journal=_journal_title(journal),
        published=front.published(meta),
        licence=front.licence(meta),
        copyright=text_of(front.first(meta, "{*}permissions/{*}copyright-statement")),
        language=front.language(element),
        keywords=front.keywords(meta),
        subjects=front.subjects(meta),
        related=front.related(element, meta),
        references=front.references(element),
        sub_articles=tuple(_sub_articles(element)),
        details=_details(meta),
    )


def _read_text(element: Element, meta: Element | None, walker: Walker) -> None:
    for abstract in [] if meta is None else meta:
        if tag(abstract) in ("abstract", "trans-abstract"):
            name = _abstract_name(abstract)
            walker.parts.append(JatsPart("heading", name, (name,)))
            walker.walk(abstract, (name,))
    for part in ("body", "back", "floats-group", "floats-wrap"):
        for found in element.findall(f"{{*}}{part}"):
            walker.walk(found)
    walker.add_missed(element)


def _abstract_name(abstract: Element) -> str:
    kind = abstract.get("abstract-type", "")
    title = text_of(abstract.find("{*}title"))
    name = title or _ABSTRACT_NAMES.get(kind, "Abstract")
    if tag(abstract) == "trans-abstract":
        language = front.language(abstract)
        name = f"{name} ({language})" if language else f"{name} (translated)"
    return name


def _journal_title(journal: Element | None) -> str:
    for path in ("{*}journal-title-group/{*}journal-title", "{*}journal-title", "{*}journal-id"):
        title = text_of(front.first(journal, path))
        if title:
            return title
    return ""


def _sub_articles(element: Element) -> Iterator[str]:
    for sub in element.findall("{*}sub-article"):
        title = sub.find("{*}front-stub/{*}title-group/{*}article-title")
        yield text_of(title) or sub.get("article-type", "sub-article")


def _details(meta: Element | None) -> dict[str, str]:
    paths = {"volume": "{*}volume", "issue": "{*}issue", "pages": "{*}elocation-id"}
    found = {key: text_of(front.first(meta, path)) for key, path in paths.items()}
    first, last = (text_of(front.first(meta, f"{{*}}{name}")) for name in ("fpage", "lpage"))
    if first:
        found["pages"] = f"{first}-{last}" if last and last != first else first
    return {key: text for key, text in found.items() if text}
