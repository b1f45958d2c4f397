"""From the terms of vocabularies to the names that are looked for, each with how it may be met."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from corpus.lexicon.folding import GREEK, fold_name
from corpus.lexicon.known import CURATED, GENERIC
from corpus.lexicon.words import WORDS
from corpus.types import Term

Reason = Literal[
    "symbol", "name", "synonym", "long form", "drug suffix", "range", "enumeration", "stem"
]
# What curators said: of a term, by its id, of a folded name.
Verdict = Literal["off", "ambiguous"]
Rulings = Mapping[str, Mapping[str, Verdict]]
NOTHING_RULED: Final[Mapping[str, Verdict]] = MappingProxyType({})
NO_RULINGS: Final[Rulings] = MappingProxyType({})
# How much a name must show before it counts.
FREE: Final = 0  # nothing
CASED: Final = 1  # it is a symbol: written as one
CONTEXT: Final = 2  # its term must be spoken of: words of its kind beside it, or its long form
LONG_FORM: Final = 3  # its long form must stand in the same text

GENE_KINDS: Final = frozenset({"gene", "protein", "family", "complex"})
SHORT_ALIAS: Final = 3  # letters and digits
ACRONYM: Final = 6  # capitals alone, like ANOVA


class Name(NamedTuple):
    """A name under which a term is looked for."""

    term: int  # its place among the terms
    text: str  # as the vocabulary spells it, or as it was made from that
    reason: Reason
    need: int


_BARE = re.compile(r"[\W_]+")
_INVERTED = re.compile(r"^([^,()]+), ([^,()]+)(?:, ([^,()]+))?$")
_QUALIFIED = re.compile(r"^(.{4,}?) \((?:disease|disorder|finding|human|substance|qualifier)\)$")
_NEOPLASM = re.compile(r"^([^,()]+) [Nn]eoplasms?$")
_SYMBOL = re.compile(r"^(?=.*[A-Z])[^\W_]+(?:[-–/.][^\W_]+)*$")
_LETTER_OF = {name: name[0] for name in GREEK.values() if name not in ("eta", "theta", "omega")}
_SPELLED_GREEK = {"a": "alpha", "b": "beta", "g": "gamma", "d": "delta", "e": "epsilon"}
_GREEK_WORD = re.compile("|".join(sorted(set(GREEK.values()), key=len, reverse=True)))
_KAPPA_B = re.compile("kappa[ -]?B|κ[ -]?B")


@lru_cache(maxsize=1 << 15)
def bare(name: str) -> str:
    """Letters and digits only, as they are written."""
    return _BARE.sub("", name)


def names_of(
    place: int, term: Term, ruled: Mapping[str, Verdict] = NOTHING_RULED
) -> Iterator[tuple[str, Name]]:
    """(folded form, name) of all forms under which a term may be met; nothing when withdrawn.

    `ruled`: folded name → what a curator said of it; its other spellings follow it.
    """
    if term.withdrawn:
        return
    seen: set[str] = set()
    symbols = dict.fromkeys((*term.symbols, approved(term)))
    for text in dict.fromkeys((approved(term), *term.symbols, term.label, *term.names)):
        verdict = ruled.get(fold_name(text)) if ruled else None
        if verdict == "off":
            continue
        is_symbol = text in symbols or looks_like_symbol(text)
        further = _symbol_forms(text, term) if is_symbol else _name_forms(text, term)
        for form in (text, *further):
            key = fold_name(form)
            # Of PD1 and PD-1 both are kept: who spells which may tell genes apart.
            if not key or (key in seen and form not in symbols):
                continue
            if is_symbol or not _says_little(key, term):
                if ruled and ruled.get(key) == "off":
                    continue
                seen.add(key)
                need = _need(form, text, is_symbol, term)
                if verdict == "ambiguous":
                    need = max(need, CONTEXT)
                yield key, Name(place, form, _reason(text, term), need)


def approved(term: Term) -> str:
    """The symbol that the vocabulary prefers, "" where it has none."""
    is_label = term.label in term.symbols or (term.kind == "gene" and looks_like_symbol(term.label))
    return term.label if is_label else "".join(term.symbols[:1])


def looks_like_symbol(name: str) -> bool:
    """Short, without blanks, with capitals beyond the first letter or a digit: IL6, AIDS, p53."""
    letters = bare(name)
    return len(letters) <= 7 and bool(_SYMBOL.match(name)) and not letters[1:].islower()


def _says_little(key: str, term: Term) -> bool:
    """Whether a name is generic, or only a common word of the preferred name and not its head:
    "skin" of skin neoplasm.
    """
    if term.kind == "organism":
        return False
    return key in GENERIC or (key in WORDS and key in fold_name(term.label).split()[:-1])


def _reason(text: str, term: Term) -> Reason:
    if text == approved(term):
        return "symbol"
    return "name" if text == term.label or text in term.names[:1] else "synonym"


def _need(form: str, text: str, is_symbol: bool, term: Term) -> int:
    """What a name must show. Approved symbols need context when they are words or have one or two
    letters; an alias of that shortness needs its long form, one that may be an acronym context.
    """
    letters = bare(form)
    if not is_symbol:
        return FREE if len(letters) > 2 else LONG_FORM
    is_family = term.kind in ("family", "complex") and len(letters) >= SHORT_ALIAS
    if letters.lower() in CURATED or (is_family and (len(letters) > 3 or text == term.label)):
        return CONTEXT if letters.lower() in WORDS else CASED
    is_word = letters.lower() in WORDS
    if text == approved(term):
        return CONTEXT if is_word or len(letters) < SHORT_ALIAS else CASED
    if is_word or len(letters) <= SHORT_ALIAS:
        return LONG_FORM
    spelled = term.kind in GENE_KINDS and letters.isalpha()
    return CONTEXT if spelled and len(letters) <= ACRONYM else CASED


def _name_forms(text: str, term: Term) -> Iterator[str]:
    """Other ways to write a name: turned round, without its qualifier, without its hyphen."""
    if match := _QUALIFIED.match(text):
        yield match[1]
    if match := _INVERTED.match(text):
        yield " ".join(part for part in reversed(match.groups()) if part)
    if term.kind in GENE_KINDS:
        yield from _turned_greek(text)
    if term.kind == "disease" and (match := _NEOPLASM.match(text)):
        yield from (f"{match[1]} {head}" for head in ("cancer", "tumor", "neoplasia"))
    if len(hyphened := re.split(r"(?<=[^\W\d_])-(?=[^\W\d_])", text)) == 2:
        yield "".join(hyphened)
    if _KAPPA_B.search(text):
        yield _KAPPA_B.sub("kB", text)


def _turned_greek(text: str) -> Iterator[str]:
    """ "synuclein alpha" is written alpha-synuclein."""
    words = text.split(" ")
    if len(words) == 2 and words[1] in _LETTER_OF:
        yield f"{words[1]} {words[0]}"


def _symbol_forms(text: str, term: Term) -> Iterator[str]:
    """Other ways to write a symbol: without hyphens, with the Greek letter that its name has."""
    if "-" in text:
        yield text.replace("-", "")
    if _KAPPA_B.search(text):
        yield _KAPPA_B.sub("kB", text)
        yield _KAPPA_B.sub("kB", text).replace("-", "")
    spoken = " ".join((term.label, *term.names)).lower()
    if match := re.match(r"^([A-Z]{2,}\d*)([ABGDE])(\d*)$", text):
        stem, letter, number = match.groups()
        greek = _SPELLED_GREEK[letter.lower()]
        if greek in _GREEK_WORD.findall(spoken):
            yield f"{stem}-{greek}{'-' + number if number else ''}"
    if match := re.match(r"^(.*?)-?(alpha|beta|gamma|delta|epsilon|[αβγδε])-?(\d*)$", text):
        stem, greek, number = match.groups()
        if stem and stem.isupper():
            yield stem + GREEK.get(greek, greek)[0].upper() + number


def index(
    terms: Iterable[Term], rulings: Rulings = NO_RULINGS
) -> tuple[list[Term], dict[str, tuple[Name, ...]]]:
    """All terms, those of one id joined, and folded form → the names that fold to it."""
    kept = joined(terms)
    found: dict[str, list[Name]] = {}
    for place, term in enumerate(kept):
        for key, name in names_of(place, term, rulings.get(term.curie, NOTHING_RULED)):
            found.setdefault(key, []).append(name)
    return kept, {key: tuple(names) for key, names in found.items()}


def joined(terms: Iterable[Term]) -> list[Term]:
    """One term an id: a vocabulary may be spread over files, and be given twice.

    A table that only lists names (FamPlex's map of other vocabularies' ids) does not know what they
    are of: whoever does says what the term is and is called.
    """
    found: dict[str, Term] = {}
    for term in terms:
        known = found.get(term.curie)
        if known is None or (known.withdrawn and not term.withdrawn):
            found[term.curie] = term
        elif known is not term and not term.withdrawn:
            is_better = known.kind == "other" and term.kind != "other"
            first, second = (term, known) if is_better else (known, term)
            found[term.curie] = replace(
                first,
                names=tuple(dict.fromkeys((*first.names, *second.names))),
                symbols=tuple(dict.fromkeys((*first.symbols, *second.symbols))),
                xrefs=tuple(dict.fromkeys((*first.xrefs, *second.xrefs))),
            )
    return list(found.values())
