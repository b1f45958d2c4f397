"""When two records are of one paper: titles and names in the form in which they are compared.

This is the one place that says when two titles, or two names, are the same; `services.works` puts
records together by it. Keys are hashes: no title is kept where a paper is.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

_WORD = re.compile(r"\w+")
_TAIL = re.compile(r"\s*[\[(](?:retracted(?: article)?|withdrawn|preprint|version \d+)[\])]\s*\.?$")
# A retracted paper's own title is often printed behind this; the paper stays the same.
_RETRACTED = re.compile(r"^\W*(?:retracted(?: article)?|withdrawn)\W*[:.–—-]\s*")
_NOTICE = re.compile(
    r"^\W*(?:notice of (?:partial )?retraction\b"
    r"|(?:partial )?retraction(?: note| notice)?\s*(?:[:.–—-]|to\b|of\s*[:\"'“‘«])"
    r"|(?:author |publisher |editorial )?correction\s*(?:[:.–—-]|to\b)"
    r"|corrigend(?:um|a)\b|errat(?:um|a)\b|addendum\b|(?:editorial )?expression of concern\b"
    r"|withdrawal\s*(?:[:.–—-]|of\s*[:\"'“‘«]))"
)
_STOP: Final = frozenset(
    {
        *("a", "an", "the", "of", "in", "on", "for", "and", "or", "to", "with", "by", "from"),
        *("at", "as", "is", "are", "its", "their", "this", "that", "reply", "response"),
        *("comment", "comments", "letter", "editor", "editorial", "introduction", "preface"),
        *("foreword", "commentary", "correspondence", "author", "authors", "erratum"),
        *("corrigendum", "correction", "retraction", "notice", "news", "review", "abstract"),
        *("abstracts", "index", "contents", "part"),
    }
)
_LETTERS = re.compile(r"[^\W\d_]+")
OPENING_CHARS = 4000  # title, authors and their places stand within these
SHORT = 12  # hexadecimal digits of a word's hash
MIN_WORDS = 4  # content words
MIN_LETTERS = 25
LONG_WORDS = 6  # content words with which a title may stand without a year


def folded(title: str) -> str:
    """Letters and digits of a title in one case without accents, signs or a retraction's mark."""
    text = unicodedata.normalize("NFKD", title).casefold()
    text = "".join(c for c in text if not unicodedata.combining(c)).strip()
    text = _TAIL.sub("", _RETRACTED.sub("", text))
    return " ".join(_WORD.findall(text))


def content_words(title: str) -> list[str]:
    """Words that tell one paper from another, each once."""
    words = (word for word in folded(title).split() if word not in _STOP and len(word) > 1)
    return list(dict.fromkeys(words))


def title_key(title: str) -> str:
    """A hash of the title; empty when many papers may be called so."""
    words = content_words(title)
    text = folded(title).replace(" ", "")
    letters = sum(c.isalpha() for c in text)
    if len(words) < MIN_WORDS or letters < MIN_LETTERS:
        return ""
    # The number of content words stands in front, so that a short title can be told from a long.
    size = "l" if len(words) >= LONG_WORDS else "s"
    return size + _hash(text)


def is_long(key: str) -> bool:
    """Whether a title's key is of a title that is unlikely to be another paper's."""
    return key.startswith("l")


def is_notice(title: str) -> bool:
    """Whether a title is that of a retraction, correction or concern, not of a paper."""
    text = unicodedata.normalize("NFKD", title).casefold().strip()
    return bool(_NOTICE.match(text))


def family_name(author: str) -> str:
    """The last word of the family name, folded, of `Given Family`, `Family, Given`, `Family GI`."""
    text = unicodedata.normalize("NFKD", author)
    text = "".join(c for c in text if not unicodedata.combining(c))
    if "," in text:
        return _joined((text.partition(",")[0].split() or [""])[-1])
    parts = text.replace(".", ". ").split()
    while len(parts) > 1 and _is_suffix(parts[-1]):
        parts.pop()
    if len(parts) > 1 and _is_initials(parts[-1]) and not _is_initials(parts[0]):
        parts = [part for part in parts if not _is_initials(part)]
    return _joined(parts[-1] if parts else "")


def _is_initials(part: str) -> bool:
    plain = part.replace(".", "").replace("-", "")
    return len(plain) <= 3 and plain.isupper()


def _is_suffix(part: str) -> bool:
    return part.casefold().strip(".") in {"jr", "sr", "ii", "iii", "iv", "2nd", "3rd"}


def _joined(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def author_key(authors: tuple[str, ...] | list[str]) -> str:
    """A hash of the first author's family name, empty without authors."""
    name = family_name(authors[0]) if authors else ""
    return _hash(name) if name else ""


def opening_keys(text: str) -> list[str]:
    """Short hashes of the words that a text opens with: is an author named there?"""
    plain = unicodedata.normalize("NFKD", text[:OPENING_CHARS])
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return sorted({_hash(word)[:SHORT] for word in _LETTERS.findall(plain) if len(word) > 1})


def is_named(author: str, opening: frozenset[str]) -> bool:
    """Whether an author, given as a key, is named in an opening."""
    return author[:SHORT] in opening


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
