"""Drugs told by the ending of their name, where no vocabulary knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

# Stems of international nonproprietary names; -nib holds -tinib and -rafenib.
_ENDINGS: Final = ("mab", "nib", "parib", "stat", "formin")
_BUILT = re.compile(r"[A-Z]?[a-z]{5,}s?")
# Things that keep something level, and other words that only end like a drug.
_NOT_DRUGS: Final = frozenset(
    "aerostat bacteriostat barostat chemostat clinostat cryostat fungistat galvanostat gyrostat "
    "heliostat hemostat haemostat homeostat humidistat hydrostat hygrostat manostat microstat morbidostat "
    "nephelostat photostat potentiostat pressostat retinostat rheostat thermostat turbidostat "
    "viscostat biostat cytostat geostat".split()
)


def drugs(words: Sequence[str]) -> Iterator[int]:
    """Places of folded words that end like the name of a drug."""
    for place, word in enumerate(words):
        if word.endswith(_ENDINGS) and word not in _NOT_DRUGS:
            yield place


def is_built_like_a_drug(word: str) -> bool:
    """Whether a word, as it is written, can be one: pSTAT is a protein."""
    return bool(_BUILT.fullmatch(word))
