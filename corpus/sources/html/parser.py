"""A saved web page to the article in it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.cleaning import clean_text
from corpus.sources.decoding import decode, encoding_note, is_binary
from corpus.sources.html.body import Walker
from corpus.sources.html.content import main_content, take_away_surroundings
from corpus.sources.html.front import Front, read_front
from corpus.sources.html.hidden import take_out_hidden
from corpus.sources.markup import Element, inline_text, tag
from corpus.sources.prose import Outline, Prose, hidden_note, stem

MAX_BYTES: Final = 16 * 1024 * 1024
_DECLARED = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})|"
    rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,40})",
    re.IGNORECASE,
)
_IS_HTML = re.compile(
    r"<!doctype\s+html|<(?:html|head|body|title|main|article|section|div|p|h[1-6]|table|ul|ol|span|"
    r"br|pre)[\s/>]",
    re.IGNORECASE,
)
_WALL = re.compile(
    r"sign in|log ?in\b|subscri(?:be|ption)|purchase|access denied|forbidden|captcha|get access|"
    r"are you a robot|verify (?:that )?you are|enable (?:javascript|cookies)|just a moment|"
    r"checking your browser|institutional access|session (?:has )?expired|not found|"
    r"page (?:does not|doesn.t) exist",
    re.IGNORECASE,
)
_OF_HEAD: Final = frozenset(
    {"title", "meta", "link", "style", "script", "base", "noscript", "template", "object", ""}
)
_SHORT_PAGE: Final = 600  # characters; an article is longer than a page that asks to sign in


def parse(data: bytes, filename: str) -> Iterator[Prose]:
    """Yield the one article of a web page.

    Raises NotThisSource for what is no web page, ParseError for a page without text or one that
    only asks to sign in or pay.
    """
    root = _tree(data, filename)
    encoding = _encoding(data)[1]
    front = read_front(root)
    asks = any(True for _ in root.iterfind(".//input[@type='password']"))
    hidden = take_out_hidden(root)
    body = root.find("body")
    body = root if body is None else body
    heading = _heading(body)
    take_away_surroundings(body)
    outline = Outline(_title(front, heading))
    Walker(main_content(body), outline).read()
    _refuse_wall(outline, filename, asks=asks)
    yield _prose(data, filename, front, outline, heading, encoding, hidden)


def _encoding(data: bytes) -> tuple[str, str]:
    found = _DECLARED.search(data[:8192])
    declared = (found.group(1) or found.group(2)).decode("ascii") if found else ""
    return decode(data, declared)


def _tree(data: bytes, filename: str) -> Element:
    if len(data) > MAX_BYTES:
        raise ParseError(f"{filename} is larger than {MAX_BYTES >> 20} MB: save the page as PDF.")
    if not data.strip():
        raise ParseError(f"{filename} is an empty file: save the page again.")
    if is_binary(data):
        raise NotThisSource(f"{filename} is no web page but a binary file.")
    text = clean_text(_encoding(data)[0])
    if not _IS_HTML.search(text[:200_000]):
        raise NotThisSource(f"{filename} holds no HTML.")
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False
    )
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.LxmlError as error:
        raise ParseError(f"{filename} is no HTML that can be read: save the page again.") from error
    if root is None:
        raise ParseError(f"{filename} holds no element of a web page: save the page again.")
    _free_from_head(root)
    return root


def _free_from_head(root: Element) -> None:
    """Move text elements out of the head: without a body tag, the parser leaves `main` there."""
    head, body = root.find("head"), root.find("body")
    caught = [] if head is None else [item for item in head if tag(item) not in _OF_HEAD]
    if caught and body is None:
        body = etree.SubElement(root, "body")
    for place, item in enumerate(caught):
        if body is not None:
            body.insert(place, item)


def _heading(body: Element) -> str:
    return inline_text(next(body.iter("h1"), None))


def _title(front: Front, heading: str) -> str:
    """The page's own data say the title; without them it is the first heading."""
    return front.title or heading


def _refuse_wall(outline: Outline, filename: str, *, asks: bool) -> None:
    texts = [part.text for part in outline.parts]
    length = sum(map(len, texts))
    has_text = any(part.kind != "heading" for part in outline.parts)
    if length < _SHORT_PAGE and (asks or _WALL.search(" ".join(texts))):
        raise ParseError(
            f"{filename} holds no article but a page that asks to sign in, to pay or to prove "
            "something, or reports an error: open the article in a browser and save that page."
        )
    if not has_text:
        raise ParseError(
            f"{filename} shows no text: its content may be loaded by scripts. Open it in a browser "
            "and save it as PDF."
        )


def _prose(
    data: bytes, filename: str, front: Front, outline: Outline, heading: str, encoding: str,
    hidden: int,
) -> Prose:  # fmt: skip
    shown = " ".join(part.text for part in outline.parts)
    notes = (encoding_note(encoding, shown), *hidden_note(hidden))
    return Prose(
        sha256=hashlib.sha256(data).hexdigest(),
        fallback=stem(filename),
        title=_title(front, heading),
        parts=tuple(outline.parts),
        figures=tuple(outline.figures),
        tables=tuple(outline.tables),
        identifiers=front.identifiers,
        authors=front.authors,
        journal=front.journal,
        published=front.published,
        licence=front.licence,
        language=front.language,
        tags=front.tags,
        metadata={"encoding": encoding},
        notes=tuple(filter(None, notes)),
    )
