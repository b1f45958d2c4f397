"""Words of a text as the checks and the extractive answer compare them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from corpus.lexicon.folding import GREEK
from retrieval.lexical.words import stem as english_stem

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_STOP: Final = """
    a about above after again against all also although always am among an and any are as at
    be because been before being below between both but by can could did do does doing done
    down due during each either else ever few for from further had has have having he her here
    hers him his how however i if in into is it its itself just least less let like likely
    made make many may me might more most much must my nor of off often on once one only onto
    or other others our out over own per quite rather same several shall she should since so
    some still such than that the their them then there therefore these they this those though
    through thus to too toward towards under until up upon us very via was we well were what
    when where whether which while who whom whose why will with within would yes yet you your
"""
STOP: Final = frozenset(_STOP.split())
_QUESTION: Final = """
    answer explain describe tell give list name mean means meaning know known think please
    question role way kind type
"""
QUESTION: Final = frozenset(_QUESTION.split())


def stem(word: str) -> str:
    """The English stem of a lower-case word; words with digits stay as they are."""
    return english_stem(word.removesuffix("'s").removesuffix("’s"))


def fold(text: str) -> str:
    """Lower case, compatibility forms folded, Greek letters by name, accents removed."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    named = "".join(GREEK.get(char, char) for char in plain)
    return "".join(char for char in named if not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """All words of a text, folded, in order."""
    return _WORD.findall(fold(text))


def content_stems(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order, repeats kept."""
    return [stem(word) for word in words(text) if word not in STOP and (len(word) > 1)]


def question_stems(question: str) -> list[str]:
    """Stems that an answer should share with the question, without the words of asking, no
    repeats.
    """
    kept = [stem(w) for w in words(question) if w not in STOP and w not in QUESTION and len(w) > 1]
    return list(dict.fromkeys(kept))


def coverage(wanted: Iterable[str], present: Iterable[str]) -> float:
    """The share of `wanted` that is in `present`, in [0, 1]; 1 when nothing is wanted."""
    want = set(wanted)
    return len(want & set(present)) / len(want) if want else 1.0
