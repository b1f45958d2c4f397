"""The names that sections of papers commonly have, in the languages of the data at hand."""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = r"""
abstract|resumo|abstrato|summary|background|introduc(?:tion|ção|ción)|objectives?|aims?|
materials? (?:and|&) methods?|methods?(?: and materials?)?|methodology|patients and methods|
experimental(?: section| procedures)?|materia(?:l|is) e métodos|
results?(?: (?:and|&) discussions?)?|resultados(?: e discussão)?|
discussions?|discussão|conclusions?|concluding remarks|conclus(?:ão|ões)|
acknowledge?ments?|agradecimentos|references|literature cited|literatura citada|referências|
bibliography|funding|(?:declaration of )?conflicts? of interests?(?: statement)?|
conflitos? de interesses?|competing interests?(?: statement)?|declarations?|
author(?:s.?)? contributions?|contribuiç(?:ão|ões) dos autores|abbreviations|
supplementary (?:materials?|information|data)|
data (?:accessibility|availability)(?: statement)?|ethics(?: statement| approval)?|limitations|
appendix|keywords?|key words|availability of data and materials?|disclosures?|disclaimer|
supporting information|ethical considerations?|notes?|authors' information
"""
KNOWN: Final = re.compile(_NAMES.replace("\n", ""), re.IGNORECASE)
REFERENCES: Final = re.compile(
    r"references(?: and notes)?|literature cited|bibliography|referências|literatura citada",
    re.IGNORECASE,
)
OPENING: Final = re.compile(r"(?:abstract|resumo|summary|background|introduction)\b", re.IGNORECASE)
ABSTRACT: Final = re.compile(r"abstract|resumo|summary", re.IGNORECASE)
INTRODUCTION: Final = re.compile(
    r"introduction|backgrounds?|introdução|introducción", re.IGNORECASE
)
NUMBERED: Final = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})(?P<dot>[.)]?)\s+(?P<rest>\S.*)"
)
ROMAN: Final = re.compile(r"(?P<number>[IVX]{1,5}|[A-H])\.\s+(?P<rest>[A-Z]\S.*)")
SPACED: Final = re.compile(r"(?:[A-Z] ){3,}[A-Z]")


def plain_title(text: str) -> str:
    """A heading without number, colon and letter-spacing."""
    text = unspaced(text)
    match = NUMBERED.match(text) or ROMAN.match(text)
    return (match["rest"] if match else text).strip().rstrip(".:").strip()


def unspaced(text: str) -> str:
    """A B S T R A C T as ABSTRACT."""
    return text.replace(" ", "") if SPACED.fullmatch(text.strip()) else text


def is_known_title(text: str) -> bool:
    """Whether a text is one of the names that sections of papers have."""
    return KNOWN.fullmatch(plain_title(text)) is not None


def number_of(text: str) -> str:
    """The number of a heading ('2.1'), '' without one."""
    match = NUMBERED.match(text)
    if match and (match["dot"] or "." in match["number"] or match["rest"][:1].isupper()):
        return match["number"]
    return ""
