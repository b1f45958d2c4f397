"""Words that say the same relation: a question's `ends` is met by a sentence's `stops`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from agent.answers.grounding.polarity import sign_of
from agent.answers.words import fold, stem

UP: Final = "up"
DOWN: Final = "down"
OPPOSITE: Final = {UP: DOWN, DOWN: UP}

_FAMILIES: Final = {
    DOWN: "end stop halt terminate close brake oppose counter counteract antagonise neutralise "
    "weaken hinder interfere restrain downregulate remove quench disrupt calm protect "
    "spare cure",
    UP: "climb start begin switch trigger open launch turn support",
    "bind": "bind bound interact attach dock recruit sit contact recognise grip associate join "
    "partner pair hold",
    "cause": "cause lead result produce responsible because due since provoke underlie reason "
    "explain bring give",
    "treat": "treat treatment therapy therapeutic medicine drug use benefit effective efficacy "
    "work help approve indicate",
    "destroy": "degrade degradation destroy destruction decay proteasome break digest lysis kill",
    "cleave": "cleave cleavage cut shed trim process proteolysis protease",
    "make": "make made produce production synthesise synthesis release secrete express encode "
    "form generate",
    "keep": "keep held hold retain sequester anchor trap remain stay keeps last long longer",
    "move": "enter move carry transport travel translocate migrate cross reach import export",
    "lack": "lack lose loss missing absent without deficiency defect mutation deletion",
    "carry": "carry have bear display express harbour possess",
    "differ": "differ difference different distinguish compare unlike whereas distinct",
    "harm": "harm risk adverse danger toxic toxicity hazard complication warning safety safe",
    "spread": "transmit transmission spread pass infect contagious",
    "find": "detect find found identify diagnose measure test",
    "phosphorylate": "phosphorylate phosphorylation phosphorylated kinase phosphate",
    "dephosphorylate": "dephosphorylate phosphatase",
}
# A verb whose direction only its particle tells.
_PHRASES: Final = (
    (DOWN, re.compile(r"\b(?:cut|cuts|cutting)\b(?:\W+[\w-]+){0,5}?\W+short\b|"
                      r"\b(?:turn|switch|shut|tak)\w*\s+(?:\w+\s+)?(?:off|down|away)\b|"
                      r"\b(?:keep|keeps|kept|keeping)\b(?:\W+[\w-]+){1,5}?\W+(?:away|from|out|back)\b|"
                      r"\bbrings?\b(?:\W+[\w-]+){1,4}?\W+to an end\b", re.I)),
    (UP, re.compile(r"\b(?:turn|switch)\w*\s+(?:\w+\s+)?on\b|\bset\w*\s+off\b", re.I)),
)  # fmt: skip
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# An inhibitor is named for what it does; the sentence need not tell that it does it.
_AGENT: Final = re.compile(r"(?:[it]|ss)ors?$", re.I)


def _by_stem() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for family, words in _FAMILIES.items():
        for word in words.split():
            found.setdefault(stem(word), set()).add(family)
    return {root: frozenset(families) for root, families in found.items()}


_BY_STEM: Final = _by_stem()


@lru_cache(maxsize=20_000)
def families(word: str) -> frozenset[str]:
    """The families of a word in any case and inflection; none for most words."""
    found = _BY_STEM.get(stem(fold(word)), frozenset())
    sign = sign_of(word)
    return found | {UP} if sign > 0 else found | {DOWN} if sign < 0 else found


@lru_cache(maxsize=2_000)
def families_in(text: str) -> frozenset[str]:
    """The families of all words and phrases of a text."""
    words = {m.group() for m in _WORD.finditer(text) if not _AGENT.search(m.group())}
    found = frozenset(family for word in words for family in families(word))
    return found | {family for family, phrase in _PHRASES if phrase.search(text)}


def families_of_phrases(text: str) -> dict[str, frozenset[str]]:
    """The first word of each phrase in a text, with the family that its particle gives it."""
    found: dict[str, frozenset[str]] = {}
    for family, phrase in _PHRASES:
        for match in phrase.finditer(text):
            first = match.group().split()[0]
            found[first] = found.get(first, frozenset()) | {family}
    return found
