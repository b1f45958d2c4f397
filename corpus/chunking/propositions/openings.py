"""How a sentence opens: whether it names its subject or only points at one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from corpus.chunking.propositions.kinds import DISCOURSE, LABEL, NOUNS

# "named": it stands by itself. "lost": it points at something that cannot stand in its place.
Form = Literal["named", "pronoun", "possessive", "noun", "lost"]

_LEAD: Final = LABEL + (
    r"(?:(?:However|Moreover|Furthermore|Therefore|Thus|Hence|Interestingly|Importantly|Notably|"
    r"Consequently|Additionally|Indeed|Finally|Similarly|Also|In addition|In contrast|"
    r"In particular|For example|As a result|Upon activation|Once activated),\s+)?"
)
_POINTER: Final = re.compile(
    rf"{_LEAD}(?P<word>it|they|its|their|this|these|that|those|the)\b(?=\s)",
    re.IGNORECASE,
)
_GONE: Final = re.compile(
    rf"{_LEAD}(?:he|she|his|her|him|them|the former|the latter|such)\b", re.IGNORECASE
)
_NOUN: Final = re.compile(
    r"\s+(?P<noun>(?:(?:transcription|growth|fusion|signaling)\s+)?[A-Za-z]+)\b"
)
# "It has been shown that", "It is important to": nothing is meant by "it".
_EMPTY_IT: Final = re.compile(
    r"(?:,?\s+however,)?"
    r"\s+(?:(?:is|was|has|had|have|may|might|can|could|will|would|should|must|be|been|also|not|now|"
    r"therefore|thus|however|well|\w+ly|\w+ed|shown|found|known|thought|seems?|appears?|remains?|"
    r"turns out|follows|clear|possible|likely|important|necessary|difficult|unclear|unknown|"
    r"interesting|evident|plausible|conceivable|noteworthy|true|still|and|controversial|debated|"
    r"uncertain)\s+){1,8}(?:that|whether|if|how|why|what|where|when|which|to what)\b"
    r"|\s+(?:is|was|may be|might be|would be|will be|remains)\s+(?:\w+ly\s+)?"
    r"(?:important|necessary|possible|difficult|interesting|useful|essential|crucial|impossible|"
    r"reasonable|tempting|critical|vital)\s+(?:to|for)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Opening:
    """The characters [start, end) of the sentence that point; `noun` is what kind of thing they
    point at ("this protein"), in the singular.
    """

    form: Form
    start: int = 0
    end: int = 0
    plural: bool = False
    noun: str = ""


NAMED: Final = Opening("named")
LOST: Final = Opening("lost")


def opening_of(sentence: str) -> Opening:
    """How the sentence's subject is given."""
    if _GONE.match(sentence):
        return LOST
    match = _POINTER.match(sentence)
    if match is None:
        return NAMED
    word, start, end = match["word"].lower(), match.start("word"), match.end("word")
    if word == "it" and _EMPTY_IT.match(sentence, end):
        return NAMED
    if word in ("it", "they"):
        return Opening("pronoun", start, end, word == "they")
    if word in ("its", "their"):
        return Opening("possessive", start, end, word == "their")
    return _pointed(sentence, word, start, end)


def _pointed(sentence: str, word: str, start: int, end: int) -> Opening:
    """ "This protein", "these cells", "the complex". A bare "this" means what was said before."""
    match = _NOUN.match(sentence, end)
    noun = match["noun"].lower() if match else ""
    singular, plural = _singular(noun)
    if match is not None and singular in NOUNS and plural == (word in ("these", "those")):
        return Opening("noun", start, match.end(), plural, singular)
    if match is not None and word == "the" and singular in NOUNS:
        return Opening("noun", start, match.end(), plural, singular)
    return NAMED if word == "the" or noun in DISCOURSE else LOST


def _singular(noun: str) -> tuple[str, bool]:
    """(singular, whether it was plural)."""
    if noun.endswith("ies"):
        return noun[:-3] + "y", True
    if noun.endswith("xes"):
        return noun[:-2], True
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return noun[:-1], True
    return noun, False
