"""From text to index terms; the same for passages and for questions.

What a general analyser gets wrong in biomedicine, and what is done here:

- `IL-6`, `IL6` and `IL 6` are one name: a compound gives its joined form besides its parts.
- `TGF-β1`, `TGFβ1`, `TGF-beta 1` and `TGFB1` are one name: in a joined form a Greek letter, or its
  name, becomes the Latin letter that gene symbols write for it; at the start of a name, as in
  β-catenin, it becomes its name (b-cells are not beta cells).
- Identifiers (`R-HSA-139910`, `GO:0006915`, `rs123`) are one term, with or without their marks.
- Symbols are not stemmed, ordinary words are (Porter2), British spelling becomes American.
- A stop word in capitals may be a gene (WAS) or a disease (ALL) and stays.

Scripts without spaces between words give single characters and pairs of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.lexical.words import (
    GLUE_IN_CAPITALS,
    GREEK,
    GREEK_NAME,
    LATIN_OF_NAME,
    STOP_WORDS,
    stem,
)

VERSION = 2  # part of the index format: raised when the same text gives other terms
MAX_TERM_CHARS = 80  # a longer run is no word; its beginning is kept
MAX_SYMBOL_CHARS = 5  # a longer word in capitals without a digit is shouted, not a symbol
MAX_JOINED_PARTS = 4
SHOUTED_SHARE = 0.6  # of a text's letters in capitals: then capitals say nothing

_FOLD = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-"),
    **dict.fromkeys(map(ord, "’ʼ`´‘′"), "'"),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"), ""),
}
# Letters that mark a note of a table (RIᵇ), and numbers that do behind a word (Control³, not cm²).
_NOTE_MARK = re.compile(r"[ᵃ-ᵏᵐ-ᵛʰʲʳʷˡ-ˣʸᶜᶠᶻⁱⁿ]+|(?<=[^\W\d_]{4})[⁰¹²³⁴-⁹]+")
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # kana, Han
)
_LETTER = rf"[^\W_{_UNSPACED}]"
_TOKEN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w-])|\d+[.,]\d+(?![\w-]))"
    rf"|(?P<word>{_LETTER}+(?:'s\b)?(?:(?:[-_]|[:.](?=\d)){_LETTER}+)*)"
)
_SEPARATOR = re.compile(r"[-_:.]")
_LONG_NUMBER = re.compile(r"\d{3,}")
_NAME = "|".join(sorted(LATIN_OF_NAME, key=len, reverse=True))
_NAMED_PART = re.compile(rf"(?P<name>{_NAME})(?P<rest>\d*[A-Za-z]?|{_NAME})", re.IGNORECASE)
# Inside a run of letters only the longer names are safe to see (IFNgamma, NFkappaB).
_EMBEDDED = re.compile(r"(?<=[A-Z0-9])(alpha|beta|gamma|delta|epsilon|kappa|theta|zeta)(?![a-z])")
_GREEK_RUN = re.compile(rf"[{''.join(GREEK)}]+")
_MICRO_UNIT = re.compile(r"μ(?=(?:[mglsvaf]|mol|ci|mol/l)$)")
_SUFFIX = re.compile(rf"\d{{1,2}}[A-Za-z]?|[A-Z]|[{''.join(GREEK)}]\d?|(?:{_NAME})\d?")


@dataclass(frozen=True, slots=True)
class Term:
    """One place of a text: `forms` are the ways in which it may be written in the index.

    A passage is indexed under all of them; in a question they are alternatives.
    `parts` are the words inside a compound.
    """

    forms: tuple[str, ...]
    parts: tuple[str, ...] = ()


def index_terms(text: str) -> list[str]:
    """Every form of every place of a passage, in order."""
    return [form for term in analyse(text) for form in (*term.forms, *term.parts)]


def query_terms(text: str) -> list[Term]:
    """The distinct places of a question, in order. All stop words: they stay, better than
    nothing.
    """
    return list(dict.fromkeys(analyse(text, is_query=True)))


def fold(text: str) -> str:
    """Compatibility forms, dashes and quotes made one; accents dropped from Latin and Greek
    letters; raised marks of notes left out.
    """
    if not text.isascii():
        text = _NOTE_MARK.sub(" ", text)
    text = unicodedata.normalize("NFKC", text).translate(_FOLD)
    if text.isascii():
        return text
    out: list[str] = []
    for char in unicodedata.normalize("NFD", text):
        if unicodedata.combining(char) and out and _drops_accents(out[-1]):
            continue
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out))


def _drops_accents(base: str) -> bool:
    return base < "\u0250" or "\u0370" <= base < "\u0400"


def analyse(text: str, *, is_query: bool = False) -> Iterator[Term]:
    """The places of a text, in order."""
    folded = fold(text)
    shouted = _is_shouted(folded)
    tokens = list(_TOKEN.finditer(folded))
    for index, match in enumerate(tokens):
        raw = match.group()[:MAX_TERM_CHARS]
        if match.lastgroup == "unspaced":
            yield from _unspaced(raw)
        elif match.lastgroup == "number":
            yield Term((_number(raw),))
        else:
            term = _word(raw.removesuffix("'s"), shouted=shouted)
            if term is not None:
                yield term
                if is_query or not raw.islower():
                    yield from _spaced_names(folded, tokens, index)


def _is_shouted(text: str) -> bool:
    capitals = sum(1 for char in text if char.isupper())
    small = sum(1 for char in text if char.islower())
    return capitals > SHOUTED_SHARE * (capitals + small) and capitals + small > MAX_SYMBOL_CHARS


def _number(raw: str) -> str:
    """1,000 is 1000; 0,5 and 0.5 are one."""
    groups = raw.split(",")
    if len(groups) > 1 and all(len(group.split(".")[0]) == 3 for group in groups[1:]):
        return "".join(groups)
    return raw.replace(",", ".")


def _unspaced(run: str) -> Iterator[Term]:
    for index, char in enumerate(run):
        yield Term((char,))
        if index + 1 < len(run):
            yield Term((run[index : index + 2],))


def _word(raw: str, *, shouted: bool) -> Term | None:
    """The term of a word or compound; None for a stop word."""
    pieces = [piece for piece in _SEPARATOR.split(raw) if piece]
    if len(pieces) > 1:
        return _compound(raw, pieces, shouted=shouted)
    if _GREEK_RUN.search(raw):
        return _with_greek(raw)
    if _EMBEDDED.search(raw):
        return Term((joined([raw]),), tuple(_split_embedded(raw)))
    form = _simple(raw, shouted=shouted)
    return None if form is None else Term(form)


def _simple(raw: str, *, shouted: bool) -> tuple[str, ...] | None:
    """Forms of a run of letters and digits; None for a stop word."""
    lower = raw.lower()
    if lower in STOP_WORDS and not _may_be_name(raw, shouted=shouted):
        return None
    if not raw.isalpha():
        return (_singular(raw).lower(),)
    if raw[1:].islower() or len(raw) == 1 or shouted:
        return (stem(lower),)
    symbol = _singular(raw).lower()
    if raw.isupper() and len(raw) > MAX_SYMBOL_CHARS:
        return tuple(dict.fromkeys((stem(lower), symbol)))
    return tuple(dict.fromkeys((symbol, stem(lower)))) if raw.isupper() else (symbol,)


def _may_be_name(raw: str, *, shouted: bool) -> bool:
    return raw.isupper() and len(raw) > 1 and not shouted and raw.lower() not in GLUE_IN_CAPITALS


def _singular(symbol: str) -> str:
    """MAPKs is MAPK: a small s after a capital or a digit is a plural."""
    return symbol[:-1] if len(symbol) > 3 and re.search(r"[A-Z\d]s$", symbol) else symbol


def _compound(raw: str, pieces: Sequence[str], *, shouted: bool) -> Term | None:
    parts = tuple(
        dict.fromkeys(part for piece in pieces for part in _parts(piece, shouted=shouted))
    )
    if len(pieces) > MAX_JOINED_PARTS:
        return Term(parts[:1], parts[1:]) if parts else None
    whole = joined(pieces)
    if whole.isalpha() and whole.isascii() and raw.replace("-", "")[1:].islower():
        whole = stem(whole)
    if _is_identifier(raw, pieces):
        return Term((whole,))
    return Term((whole,), tuple(part for part in parts if part != whole))


def _is_identifier(raw: str, pieces: Sequence[str]) -> bool:
    """GO:0006915, R-HSA-139910, NM_000546.5: parts of such a name mean nothing alone."""
    marked = ":" in raw or "_" in raw or len(pieces) > 2
    return marked and any(_LONG_NUMBER.fullmatch(piece) for piece in pieces[1:])


def _parts(piece: str, *, shouted: bool) -> Iterator[str]:
    """Words worth finding alone; single letters and numbers inside a compound are not."""
    if (len(piece) < 2 and piece.lower() not in GREEK) or piece.isdigit():
        return
    named = _NAMED_PART.fullmatch(piece)
    if named is not None:
        yield named["name"].lower()
    elif _GREEK_RUN.search(piece):
        yield from _split_greek(piece)
    elif _EMBEDDED.search(piece):
        yield from _split_embedded(piece)
    else:
        yield from _simple(piece, shouted=shouted) or ()


def _with_greek(raw: str) -> Term:
    """A run that holds Greek letters: a name with one or two of them, or a word of that
    language.
    """
    lower = raw.lower()
    if max(len(run) for run in _GREEK_RUN.findall(lower)) > 2:
        return Term((lower,))
    unit = _MICRO_UNIT.sub("u", lower)
    if unit != lower:
        return Term((unit,))
    whole = joined([raw])
    return Term((whole,), tuple(part for part in _split_greek(raw) if part != whole))


def _split_greek(piece: str) -> Iterator[str]:
    """TGFβ1 gives tgf and beta; αβ gives alpha and beta."""
    position = 0
    lower = piece.lower()
    for run in _GREEK_RUN.finditer(lower):
        if run.start() - position > 1:
            yield lower[position : run.start()]
        yield from (GREEK_NAME[letter] for letter in run.group())
        position = run.end()
    if len(lower) - position > 1 and not lower[position:].isdigit():
        yield lower[position:]


def _split_embedded(piece: str) -> Iterator[str]:
    """IFNgamma gives ifn and gamma."""
    for part in _EMBEDDED.split(piece):
        if len(part) > 1 and not part.isdigit():
            yield part.lower()


def joined(pieces: Sequence[str]) -> str:
    """A name without separators: Greek as its name at the start, as a Latin letter after it."""
    out = ""
    greek_so_far = False  # whether all of `out` came from Greek letters
    for piece in pieces:
        named = _NAMED_PART.fullmatch(piece)
        if named is not None and out:
            rest = named["rest"].lower()
            out += LATIN_OF_NAME[named["name"].lower()] + LATIN_OF_NAME.get(rest, rest)
            continue
        piece = _EMBEDDED.sub(lambda found: LATIN_OF_NAME[found.group().lower()], piece)
        for char in _singular(piece).lower():
            name, latin = GREEK.get(char, (char, char))
            leads = not out or greek_so_far
            greek_so_far = leads and char in GREEK
            out += name if leads else latin
    return out[:MAX_TERM_CHARS]


def _spaced_names(text: str, tokens: Sequence[re.Match[str]], index: int) -> Iterator[Term]:
    """IL 6, TGF beta 1, NF-kappa B: a short name with what belongs to it behind single spaces."""
    first = tokens[index].group()
    pieces = [piece for piece in _SEPARATOR.split(first) if piece]
    if not pieces or not _can_lead(pieces):
        return
    for previous, token in zip(tokens[index:], tokens[index + 1 : index + 4], strict=False):
        raw = token.group()
        gap = text[previous.end() : token.start()]
        if gap != " " or not _SUFFIX.fullmatch(raw) or raw == "A" or raw == "I":
            return
        if len(raw) == 1 and raw.isalpha() and raw.isascii() and len(pieces) < 2:
            return  # a capital belongs to a name only after a Greek letter: NF-kappa B
        pieces.append(raw)
        yield Term((joined(pieces),))


def _can_lead(pieces: Sequence[str]) -> bool:
    head = pieces[0]
    return head.isalpha() and len(head) <= MAX_SYMBOL_CHARS and head.lower() not in STOP_WORDS
