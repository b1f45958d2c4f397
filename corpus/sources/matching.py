"""Whether two references are of one paper. A wrong yes joins what does not belong together."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

# A title of fewer words than this, or one of these, is shared by thousands of papers.
_MIN_WORDS: Final = 4
_GENERIC = """
    abstract abstracts announcement book reviews case report clinical trial comment commentary
    conclusion correction corrigendum discussion editorial editors note erratum expression concern
    foreword from guest image month issue introduction letter letters notes obituary news preface
    reply response retraction review summary table contents author authors editor
"""
_STOPS = "the a an of and for in on to this der die das und des de la le les et del y"
_STOP: Final = frozenset(_STOPS.split())
_COMMON: Final = frozenset(_GENERIC.split()) | _STOP
_PREPRINTS: Final = frozenset({"arxiv", "biorxiv", "medrxiv", "chemrxiv", "preprints", "ssrn"})
_EDGE_TAGS = re.compile(r"</?[a-z]+[^<>]*>", re.IGNORECASE)
# Letters that NFKD leaves alone.
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


@dataclass(frozen=True, slots=True)
class PaperFacts:
    """What a reference says of a paper; '' for what it leaves out. `year` may be an ISO date,
    `first_author` a name in either order ('Weeks WB', 'Weeks, W. B.', 'William B. Weeks').
    """

    title: str
    year: str = ""
    venue: str = ""
    first_author: str = ""


def same_paper(a: PaperFacts, b: PaperFacts) -> bool:
    """Whether both are one paper, by what they say alone.

    Titles must agree, letter case, accents and punctuation apart, and one of year, venue and first
    author too. Years that lie apart, or two of these that differ, outweigh what agrees: a congress
    abstract or a yearly report has the same title and author. A preprint and its paper are two.
    A short title, or one that any issue of a journal has ("Editorial"), says little: then the
    author and one more must agree, and nothing may differ.
    """
    title = fold(a.title)
    if not title or title != fold(b.title):
        return False
    verdicts = (
        _years(a.year, b.year),
        _venues(a.venue, b.venue),
        _authors(a.first_author, b.first_author),
    )
    if verdicts[0] is False or _is_preprint(a.venue) != _is_preprint(b.venue):
        return False
    agreeing, differing = verdicts.count(True), verdicts.count(False)
    if is_generic(a.title):
        return agreeing >= 2 and not differing and verdicts[2] is True
    return agreeing >= 1 and differing < 2


def is_generic(title: str) -> bool:
    """Whether a title is too short or too common to tell one paper from another."""
    words = fold(title).split()
    return len(words) < _MIN_WORDS or set(words) <= _COMMON


def fold(text: str) -> str:
    """Words in lower case without accents, punctuation and markup, Greek letters kept."""
    plain = _EDGE_TAGS.sub("", text).casefold().translate(_LETTERS)
    plain = unicodedata.normalize("NFKD", plain)
    kept = (char if char.isalnum() else " " for char in plain if not unicodedata.combining(char))
    return " ".join("".join(kept).split())


def _years(a: str, b: str) -> bool | None:
    """True for the same year, False for others, None where one is missing or they are next to each
    other (online in December, in print in January).
    """
    first, second = a.strip()[:4], b.strip()[:4]
    if not (first.isdecimal() and second.isdecimal()):
        return None
    apart = abs(int(first) - int(second))
    return True if not apart else None if apart == 1 else False


def _venues(a: str, b: str) -> bool | None:
    first, second = _words(a), _words(b)
    if not first or not second:
        return None
    if first == second:
        return True
    return len(first) == len(second) and all(
        x.startswith(y) or y.startswith(x) for x, y in zip(first, second, strict=True)
    )


def _is_preprint(venue: str) -> bool:
    return not _PREPRINTS.isdisjoint(fold(venue).split())


def _words(venue: str) -> list[str]:
    """The words of a journal's name: 'J Clin Invest' shortens 'The Journal of Clinical
    Investigation'; what stands in brackets (a place) does not count.
    """
    name = re.sub(r"\([^()]*\)", " ", venue)
    return [word for word in fold(name).split() if word not in _STOP]


def _authors(a: str, b: str) -> bool | None:
    first, second = _families(a), _families(b)
    if not first or not second:
        return None
    return bool(first & second)


def _families(name: str) -> set[str]:
    """The words of a name that may be the family's: before a comma, else all but initials."""
    family = name.split(",")[0] if "," in name else name
    words = [word for word in fold(family).replace("-", " ").split() if len(word) > 1]
    if "," in name or len(words) < 2:
        return {" ".join(words)} if words else set()
    capitals = {fold(word) for word in re.findall(r"\b[A-Z]{2,3}\b", family)}
    named = [word for word in words if word not in capitals] or words
    # 'Weeks WB' has its initials behind; 'Maria van den Berg' ends in the family's name.
    return {" ".join(named[first:]) for first in range(len(named))}
