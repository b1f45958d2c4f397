"""How far a name reaches beyond what the vocabulary spells: "sporadic breast cancer",
"mucopolysaccharidosis type II", "lithium carbonate", "breast and ovarian cancer".

Words that say which form of a disease is meant belong to its mention; words that say how bad it is
do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from corpus.lexicon.folding import Folded
from corpus.lexicon.words import word_set

FORMS: Final = word_set("""
    hereditary familial sporadic inherited congenital idiopathic attenuated isolated
    inheritable heritable autosomal dominant recessive nonfamilial nonhereditary
""")
_LINKED: Final = frozenset(("x", "y", "sex"))
_COUNTED: Final = frozenset(("type", "subtype"))
_CODE = re.compile(r"(?:[IVX]{1,4}|\d{1,2})[A-Fa-f]?|[A-F]\d?")
_ROMAN_CODE = re.compile(r"(?:II|III|IV|VI|VII|VIII|IX|I|V|X)[A-F]|II|III|IV|VI|VII")
_HEADS: Final = word_set("syndrome disease disorder")
_SALTS: Final = word_set("""
    hydrochloride hydrobromide chloride bromide iodide sulfate phosphate acetate maleate
    citrate tartrate mesylate fumarate succinate lactate gluconate carbonate bicarbonate
    nitrate oxide besylate tosylate sodium potassium calcium dihydrochloride propionate
    valerate hemisuccinate
""")
_CATIONS: Final = word_set("""
    sodium potassium calcium magnesium lithium disodium ammonium
""")
_LETTERS: Final = frozenset("ABC")  # cyclosporin A
_CONJUNCTIONS: Final = frozenset(("and", "or"))
_MOST_MEMBERS = 5
_WITHIN = re.compile(r"[ \u00a0–-]|\n")


def widened(text: str, folded: Folded, first: int, last: int, group: str) -> tuple[int, int]:
    """The tokens that a mention takes in, from those that the vocabulary spells."""
    if group == "disease":
        last = _behind(text, folded, last)
        return _before(text, folded, first), last
    if group == "chemical":
        return _salt(text, folded, first, last)
    return first, last


def _before(text: str, folded: Folded, first: int) -> int:
    words = folded.words
    while first and _joined(text, folded, first):
        word, further = words[first - 1], words[first - 2] if first > 1 else ""
        if word in FORMS:
            first -= 1
        elif (word == "linked" and further in _LINKED) or (
            further in _COUNTED and _CODE.fullmatch(_raw(text, folded, first - 1))
        ):
            first -= 2
        else:
            break
    return first


def _behind(text: str, folded: Folded, last: int) -> int:
    one = _next(text, folded, last)
    if one is None:
        return last
    if folded.words[one] in _HEADS or _ROMAN_CODE.fullmatch(_raw(text, folded, one)):
        return one
    two = _next(text, folded, one) if folded.words[one] in _COUNTED else None
    return two if two and _CODE.fullmatch(_raw(text, folded, two)) else last


def _next(text: str, folded: Folded, token: int) -> int | None:
    following = token + 1
    inside = following < len(folded.words) and _joined(text, folded, following)
    return following if inside else None


def _salt(text: str, folded: Folded, first: int, last: int) -> tuple[int, int]:
    words = folded.words
    if first and words[first - 1] in _CATIONS and _joined(text, folded, first):
        first -= 1
    if last + 1 < len(words) and _joined(text, folded, last + 1):
        last += words[last + 1] in _SALTS or _raw(text, folded, last + 1) in _LETTERS
    return first, last


def siblings(text: str, folded: Folded, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Names that share their last word with a name behind them, nearest first, each with the token
    where it begins: of "breast, lung and ovarian cancer", with the name "ovarian cancer", lung
    cancer and breast cancer.
    """
    if last == first:
        return
    head = folded.words[last]
    at = first
    for number in range(_MOST_MEMBERS):
        behind = at
        while at and folded.words[at - 1] in _CONJUNCTIONS:
            at -= 1
        gap = text[folded.spans[at - 1][1] : folded.spans[at][0]] if at else ""
        listed = "," in gap if number or at < behind else gap in ("/", "-")
        if not at or not (at < behind or listed):
            return
        at -= 1
        yield at, f"{folded.words[at]} {head}"


def _joined(text: str, folded: Folded, token: int) -> bool:
    """Whether only a blank or a hyphen stands before a token."""
    return bool(_WITHIN.fullmatch(text[folded.spans[token - 1][1] : folded.spans[token][0]]))


def _raw(text: str, folded: Folded, token: int) -> str:
    return text[slice(*folded.spans[token])]
