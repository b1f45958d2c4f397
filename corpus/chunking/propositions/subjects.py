"""The subject that a sentence names, where its verb shows it beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from corpus.chunking.propositions.kinds import LABEL, words

MOST_WORDS: Final = 7
_ONE: Final = words("""
    is was has does activates inhibits regulates promotes encodes catalyzes catalyses binds
    mediates phosphorylates induces suppresses requires belongs represents remains stimulates
    recruits enhances reduces prevents produces consists occurs undergoes converts involves
    includes participates expresses degrades localizes translocates dimerizes cleaves
    recognizes modulates affects contains interacts
""")
_SEVERAL: Final = words("are were have")
_COPULA: Final = re.compile(r"\s*(?:is|was|are|were)\s+(?:an?|the|one)\b")
# None of these stands in a plain name, so what holds one is not taken.
_NOT_PLAIN: Final = words("""
    of in on at by to for from with within without between among during after before under
    over upon through via against into that which who whose whom when while where although
    because since if as than whether not or nor but both either neither there here what we i
    he she they it you one some any each many most several few other others another such no
    none these those this their its our his her using based according due
""")
_INDEFINITE: Final = words("a an all every further more less")
_OPENING: Final = re.compile(LABEL)
_BRACKETS: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_WORD: Final = re.compile(r"\S+")
_SYMBOL: Final = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z0-9])[A-Za-z][\w-]*\b")


@dataclass(frozen=True, slots=True)
class Named:
    """Characters [start, end) of a passage name an entity of that kind (kinds of corpus.types)."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject as it can be put elsewhere. `rivalled`: its sentence names something else that a
    pronoun could mean as well.
    """

    text: str
    plural: bool
    kinds: frozenset[str] = frozenset()
    rivalled: bool = False

    @property
    def head(self) -> str:
        """Its last word, without case."""
        return self.text.split()[-1].lower()


def subject_of(sentence: str, names: Sequence[Named] = ()) -> Subject | None:
    """What the sentence speaks of, when it opens with a plain name that a verb of known number
    follows; else None. Spans of `names` count in the sentence.
    """
    found = _WORD.finditer(sentence)
    verb = next((w for w in found if w.group() in _ONE or w.group() in _SEVERAL), None)
    if verb is None:
        return None
    name = sentence[: verb.start()].rstrip()
    plain = _OPENING.sub("", _BRACKETS.sub("", name), count=1)
    plural = verb.group() in _SEVERAL
    if not _is_name(plain, plural):
        return None
    # A name covers the last word, or is the abbreviation in brackets behind it.
    kinds = frozenset(n.kind for n in names if len(plain) <= n.end <= len(name))
    return Subject(plain, plural, kinds, names_others(sentence, verb.start(), names))


def names_others(sentence: str, at: int, names: Sequence[Named] = ()) -> bool:
    """Whether more is named from there on, unless it only tells what the subject is ("is a …")."""
    if _COPULA.match(sentence, at):
        return False
    return any(n.start >= at for n in names) or _SYMBOL.search(sentence, at) is not None


def _is_name(text: str, plural: bool) -> bool:
    """Whether it is a short run of words of which each may belong to a name."""
    said = [word.lower() for word in text.split()]
    if not 1 <= len(said) <= MOST_WORDS or re.search(r"[,;:()\[\]\"“”]", text):
        return False
    if said[0] in _INDEFINITE or not _NOT_PLAIN.isdisjoint(said):
        return False
    if "and" in said and not plural:
        return False
    return said[0] != "the" or len(said) > 2  # "the protein" names nothing, "the MRN complex" does
