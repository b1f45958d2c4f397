"""One form of a surface for comparing, with the way back to the characters of the original.

Tokens are runs of letters and digits. Each is folded by itself (case, accents, Greek letters,
spelling, plural, Roman numerals), so a span of folded tokens is a span of the original, and nothing
that is found can begin or end inside a run. What joins tokens (spaces, hyphens) folds to one space;
what parts them (brackets, full stops, commas with a space) to a mark that a name must hold too.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from corpus.lexicon.words import word_set

# Combining marks, the soft hyphen and joiners of no width stand inside words.
_UNSEEN = "\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff"
_TOKEN = re.compile(rf"([^\W_]+(?:[{_UNSEEN}]+[^\W_]*)*)((?:['’][sS](?![^\W_]))?)")
_MARKS = re.compile(f"[{_UNSEEN}]")
_PARTING = re.compile(r"([.;:!?]|\n\s*\n)|([()\[\]{}/|<>=\"“”])|,(?:\s|$)")
_PIECE = re.compile(r"[\u0370-\u03ff]|\d+|[^\W\d_\u0370-\u03ff]+")

GREEK: Final[dict[str, str]] = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "ι": "iota",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ν": "nu",
    "ξ": "xi",
    "ο": "omicron",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "ς": "sigma",
    "τ": "tau",
    "υ": "upsilon",
    "φ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
}
# Greek names glued into a symbol: TNFalpha, NFkappaB. Two letters and less ("mu") are too common.
_GLUED = re.compile(
    "(?<=[A-Z])(alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|sigma|omega)(?=[A-Z]|$)"
)
_ROMAN = {
    roman: str(value)
    for value, roman in enumerate(
        ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii"], start=1
    )
}
_NUMBERED = word_set("type class grade stage factor phase group collagen complex")
_LONE_ROMAN = frozenset("IVX")  # alone these are letters, unless the word before counts things
_SPELLINGS = (
    (re.compile("[ao]e"), "e"),
    (re.compile("our(?=$|s$|al$|ed$|ing$|less$)"), "or"),
    (re.compile("(?<=[iy])s(?=(?:e|ed|es|ing|ation|ations)$)"), "z"),
    (re.compile("sulph"), "sulf"),
    (re.compile("leuco"), "leuko"),
    (re.compile("(?<=.{7}in)e(?=s?$)"), ""),  # cyclosporin, adrenalin
)
_LONGEST_WORD = 64
_SPELLED_FROM = 6  # letters; shorter words are more often symbols
_PLURALS = (
    (re.compile("(?<=[a-z]{2})ies$"), "y"),
    (re.compile("(?<=[oy])ses$"), "sis"),
    (re.compile("(?<=ss)es$"), ""),
    (re.compile("omata$"), "oma"),
    (re.compile("(?<=[^sui])s$"), ""),
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text. `words` are its tokens, `stops` where they end in it, `spans` where they stand
    in the original, `bars` the marks that stand before tokens.
    """

    text: str  # a blank, then tokens and marks each with a blank behind
    words: list[str]
    stops: list[int]
    spans: list[tuple[int, int]]
    bars: dict[int, str]

    def tokens(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last token of the folded characters [start, end), None where these begin or
        end within a token.
        """
        last = bisect_left(self.stops, end)
        first = bisect_left(self.stops, start)  # the first token that ends behind the start
        whole = last < len(self.stops) and self.stops[last] == end
        if not whole or self.stops[first] - len(self.words[first]) != start:
            return None
        return first, last


def fold(text: str) -> Folded:
    """Fold a text, keeping where each token stood."""
    pieces, words, bars = _parts(text)
    places = list(accumulate(map(len, pieces)))
    shown = _shown(words, bars)
    return Folded(
        text=" ".join(("", *shown, "")),
        words=words,
        stops=[place + n for n, place in enumerate(accumulate(map(len, shown)), start=1)],
        spans=list(zip(places[0:-1:3], places[1::3], strict=True)),
        bars=bars,
    )


def fold_words(text: str) -> list[str]:
    """The folded tokens alone."""
    return _parts(text)[1]


def fold_name(name: str) -> str:
    """The folded form of a name, "" where it has no letter or digit."""
    _, words, bars = _parts(name)
    return " ".join(_shown(words, bars))


def _parts(text: str) -> tuple[list[str], list[str], dict[int, str]]:
    """Pieces of the original, folded tokens, marks before tokens."""
    pieces = _TOKEN.split(text)  # gap, token, possessive, gap, token, possessive, …, gap
    gaps, raws = pieces[0:-1:3], pieces[1::3]
    # Runs that are no words (sequences, encoded bytes) are not kept in memory.
    is_long = max(map(len, raws), default=0) > _LONGEST_WORD
    words = [_fold_rarely(raw) for raw in raws] if is_long else list(map(fold_word, raws))
    if not _LONE_ROMAN.isdisjoint(raws):
        _number(raws, words)
    bars = {
        n: mark
        for n, gap in enumerate(gaps)
        if gap not in (" ", "-") and n and (mark := _mark(gap))
    }
    return pieces, words, bars


def _shown(words: list[str], bars: dict[int, str]) -> list[str]:
    return [bars.get(n, "") + word for n, word in enumerate(words)] if bars else words


def _number(raws: list[str], words: list[str]) -> None:
    """Lone I, V, X behind a word that counts things are numbers: type I."""
    for n in range(1, len(raws)):
        if raws[n] in _LONE_ROMAN and words[n - 1] in _NUMBERED:
            words[n] = _ROMAN[raws[n].lower()]


@lru_cache(maxsize=1 << 15)
def _mark(gap: str) -> str:
    """What a gap folds to beside its blank: a stop, a bar, a comma, or nothing."""
    found = _PARTING.search(gap)
    if not found:
        return ""
    return ". " if found[1] else "| " if found[2] else ", "


@lru_cache(maxsize=1 << 16)
def fold_word(word: str) -> str:
    """Fold one run of letters and digits; letters, digits and Greek part by blanks."""
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", word))
    pieces: list[str] = []
    for piece in _PIECE.findall(plain):
        lower = piece.casefold()
        if greek := GREEK.get(lower):
            pieces.append(greek)
        elif not piece[0].isalpha():
            pieces.append(piece)
        elif _GLUED.search(piece):
            pieces += [_letters(part) for part in _GLUED.split(piece) if part]
        else:
            pieces.append(_ROMAN[lower] if lower in _ROMAN and len(lower) > 1 else _letters(piece))
    return " ".join(pieces) or word.casefold()


def _fold_rarely(word: str) -> str:
    return fold_word(word) if len(word) <= _LONGEST_WORD else fold_word.__wrapped__(word)


def _letters(piece: str) -> str:
    """Case, spelling and plural of a run of letters.

    The s of AIDS is none of a plural: in a short word it must be small.
    """
    lower = piece.casefold()
    if len(lower) >= _SPELLED_FROM:
        for pattern, by in _SPELLINGS:
            lower = pattern.sub(by, lower)
    if len(lower) > 3 and lower[-1:] in "sa" and (piece[-1].islower() or len(piece) >= 6):
        for pattern, by in _PLURALS:
            shorter, changed = pattern.subn(by, lower)
            if changed:
                return shorter
    return lower
