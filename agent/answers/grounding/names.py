"""Names of genes, proteins, drugs and records in a text, in forms that compare.

IL-6, IL6 and interleukin-6 share a form; so do TGF-β1, TGFβ1, TGF-beta 1 and TGFB1. No vocabulary
is
needed: a symbol shows itself by capitals and digits, a drug by the stem that naming bodies give it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agent.answers.words import STOP, fold, stem
from corpus.lexicon.folding import GREEK

_TOKEN: Final = re.compile(
    r"[^\W_](?:[\w'’+]|[-‐‑–/.:](?=[^\W_]))*",
)
_GREEK_LETTER: Final = {name: name[0] for name in GREEK.values()} | {"omega": "o", "eta": "h"}
_ROMAN: Final = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_LONG: Final = (
    (re.compile(r"\binterleukins?[\s-]*(?=\d)", re.I), "IL-"),
    (re.compile(r"\binterferons?[\s-]*(?=alpha|beta|gamma|lambda|[αβγλ])", re.I), "IFN-"),
    (re.compile(r"\btumou?r necrosis factor\b", re.I), "TNF"),
    (re.compile(r"\btransforming growth factor\b", re.I), "TGF"),
    (re.compile(r"\bnuclear factor[\s-]*(?:kappa|κ)[\s-]*B\b", re.I), "NF-kB"),
    (re.compile(r"\bjanus kinase[\s-]*(?=\d)", re.I), "JAK"),
    (re.compile(r"\bvascular endothelial growth factor\b", re.I), "VEGF"),
    (re.compile(r"\bepidermal growth factor receptor\b", re.I), "EGFR"),
    (re.compile(r"\b[Vv]itamin\s+([A-K]\d{0,2})\b"), r"VIT-\1"),
    (re.compile(r"\b[Hh]epatitis\s+([A-E])\b"), r"HEP-\1"),
    (re.compile(r"\b[Ii]nfluenza\s+([AB])\b"), r"FLU-\1"),
)
_DRUG: Final = re.compile(
    r"""^[a-z]{2,}(?:mab|nib|ciclib|rafenib|metinib|lisib|parib|degib|zomib|limus|cillin|statin|pril|
    sartan|olol|azole|mycin|vir|platin|gliptin|gliflozin|glitazone|glutide|cept|kinra|parin|dipine|
    oxacin|cycline|prazole|setron|triptan|azepam|zolam|lukast|xaban|gatran|formin|dronate|
    profen|coxib|terol|solone|thiazide|pizide|semide|asone|oxetine|triptyline|gabalin|racetam|
    fibrate|penem|barbital|codone|rubicin|taxel|bicin|fungin|quine|cavir|tinib|stat)s?$""",
    re.X,
)
_PLAIN_CAPS: Final = frozenset(
    [
        "BACKGROUND",
        "METHODS",
        "METHOD",
        "RESULTS",
        "RESULT",
        "CONCLUSION",
        "CONCLUSIONS",
        "OBJECTIVE",
        "OBJECTIVES",
        "PURPOSE",
        "DESIGN",
        "SETTING",
        "INTRODUCTION",
        "AIM",
        "AIMS",
        "DISCUSSION",
        "MATERIALS",
        "PATIENTS",
        "FINDINGS",
        "INTERPRETATION",
        "AND",
        "OR",
        "NOT",
        "NO",
        "THE",
        "IN",
        "OF",
        "CI",
        "SD",
        "SE",
        "SEM",
        "OR",
        "HR",
        "RR",
        "IQR",
        "VS",
        "US",
        "UK",
        "USA",
        "EU",
        "AM",
        "PM",
    ]
)


_NUMBER_AFTER: Final = re.compile(r"\s(\d{1,2})\b(?!\s?%|\.\d)")  # TGF-beta 1, IL 6


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, the forms under which it may be found, and where it stands."""

    shown: str
    forms: frozenset[str]
    start: int
    end: int


def names(text: str) -> list[Name]:
    """The names of a text in order; parts joined by a slash (JAK1/2) are names of their own."""
    plain = expand(text)
    found: list[Name] = []
    for match in _TOKEN.finditer(plain):
        number = _NUMBER_AFTER.match(plain, match.end())
        for part in _slashed(match.group().rstrip("'’+-")):
            if _is_name(part):
                joined = forms(part + number.group(1)) if number else frozenset()
                found.append(Name(part, forms(part) | joined, match.start(), match.end()))
    return found


def expand(text: str) -> str:
    """Long names that have one short form everywhere, shortened."""
    for pattern, short in _LONG:
        text = pattern.sub(short, text)
    return text


@lru_cache(maxsize=256)
def known_forms(text: str) -> frozenset[str]:
    """Every form under which a name may be found in this text, pairs of neighbours included."""
    plain = expand(text)
    tokens = [t.group().rstrip("'’+-") for t in _TOKEN.finditer(plain)]
    out: set[str] = set()
    for index, token in enumerate(tokens):
        for part in _slashed(token):
            out |= forms(part)
            out |= {form for piece in re.split(r"[-‐‑–/:]", part) for form in forms(piece)}
        if index + 1 < len(tokens) and len(tokens[index + 1]) <= 8:
            out |= forms(token + "-" + tokens[index + 1])
    return frozenset(out | _abbreviated(plain))


def forms(name: str) -> frozenset[str]:
    """Comparable forms of one name: without separators, Greek letters by name and by letter."""
    base = re.sub(r"[^\w]", "", fold(name))
    if base.endswith("s") and len(base) > 2 and name[-1] == "s" and name[-2:-1].isupper():
        base = base[:-1]  # JAKs, STATs
    found = {base}
    short = base
    for greek, letter in _GREEK_LETTER.items():
        short = re.sub(rf"{greek}(?=\d|$|[a-z]?$)", letter, short)
    found.add(short)
    if len(name) > 3 and name[0] == "p" and (name[1].isupper() or name[1] == "-"):
        found.add(base[1:])  # pSTAT3 is STAT3, phosphorylated
    if base in _ROMAN and name.isupper():
        found.add(_ROMAN[base])
    if base.isalpha() and name.islower():
        found.add(stem(base))
    found.add(_MEMBER.sub(r"\1", base))  # TGF-β1 is a TGF-β
    return frozenset(found)


_MEMBER: Final = re.compile(rf"^(\w{{2,}}(?:{'|'.join(_GREEK_LETTER)}))\d$")


def _slashed(token: str) -> list[str]:
    """JAK1/2 is JAK1 and JAK2; CD4/CD8 is two names; mg/kg is left alone."""
    parts = token.split("/")
    if len(parts) == 1:
        return [token]
    head = re.match(r"(.*?)\d+$", parts[0])
    out = [parts[0]]
    for part in parts[1:]:
        out.append(head.group(1) + part if head and head.group(1) and part.isdigit() else part)
    return out


def _is_name(token: str) -> bool:
    if token.upper() in _PLAIN_CAPS or fold(token) in STOP or len(token) < 2:
        return False
    if _DRUG.match(token.lower()) and token[1:].islower():
        return True
    letters = [char for char in token if char.isalpha()]
    if not letters or token[0].isdigit():
        return False
    capitals = sum(char.isupper() for char in letters)
    has_digit = any(char.isdigit() for char in token)
    greek = any(char in GREEK for char in token.lower()) and len(letters) > 1
    if has_digit:
        return bool(capitals) or len(letters) <= 3
    return (capitals >= 2 and capitals * 2 >= len(letters) - 1 and len(token) <= 12) or (
        greek and capitals > 0
    )


_DEFINED: Final = re.compile(r"\(([A-Z][\w-]{1,9}?)s?\)")


def _abbreviated(text: str) -> set[str]:
    """Initials of the words before a bracketed abbreviation count as its long form, and back.

    "Programmed cell death (PCD)" lets a claim say either.
    """
    out: set[str] = set()
    for match in _DEFINED.finditer(text):
        long = _long_form(text, match)
        if long:
            out.add(re.sub(r"[^\w]", "", fold("".join(long))))
            out |= forms(match.group(1))
    return out


def defined_in(text: str) -> dict[str, tuple[str, ...]]:
    """Abbreviations that a text defines in brackets, each with the words that it stands for."""
    found = {match.group(1): _long_form(text, match) for match in _DEFINED.finditer(text)}
    return {short: tuple(long) for short, long in found.items() if long}


# "DM: dry matter; L∗: lightness, ..." below a table, "CC = clotrimazole" in a caption.
_EXPLAINED: Final = re.compile(
    r"(?:^|[:;,.(]\s?)(?P<short>[^\s:=;,]{2,9})\s?[:=]\s?"
    r"(?P<long>[a-z][a-z\u2013-]+(?: [a-z\u2013-]+){0,3})(?=[;,.)]|$)"
)


def explained_in(text: str) -> dict[str, tuple[str, ...]]:
    """Short forms of a list that explains them, two at least, each with its words; a plain word
    before a colon ("Results: none") is none.
    """
    pairs = ((m["short"], tuple(m["long"].split())) for m in _EXPLAINED.finditer(text))
    found = {short: long for short, long in pairs if not (short.isalpha() and short[1:].islower())}
    return found if len(found) > 1 else {}


def without_own_abbreviations(text: str) -> str:
    """A claim's "chronic kidney disease (CKD)" needs only the words in its passage."""
    return _DEFINED.sub(lambda match: "" if _long_form(text, match) else match.group(), text)


def _long_form(text: str, match: re.Match[str]) -> list[str]:
    """The words before a bracketed abbreviation that it stands for; none when they do not fit."""
    letters = [char.lower() for char in match.group(1) if char.isalpha()]
    before = re.findall(r"[^\W_]+", text[max(0, match.start() - 120) : match.start()])
    long = before[-len(letters) :] if letters else []
    return long if long and long[0][:1].lower() == letters[0] else []
