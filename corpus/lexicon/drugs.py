"""Drugs told by the ending of their name, where no vocabulary knows them."""

from __future__ import annotations

import re
from typing import Final

from corpus.lexicon.words import word_set

# Stems of international nonproprietary names; -nib holds -tinib and -rafenib.
ENDINGS: Final = ("mab", "nib", "parib", "stat", "formin")
_BUILT = re.compile(r"[A-Z]?[a-z]{5,}s?")
# Things that keep something level, and other words that only end like a drug.
_NOT_DRUGS: Final = word_set("""
    aerostat bacteriostat barostat chemostat clinostat cryostat fungistat galvanostat
    gyrostat heliostat hemostat haemostat homeostat humidistat hydrostat hygrostat manostat
    microstat morbidostat nephelostat photostat potentiostat pressostat retinostat rheostat
    thermostat turbidostat viscostat biostat cytostat geostat
""")


def is_drug(written: str, folded: str) -> bool:
    """Whether a word that ends like the name of a drug is built like one: pSTAT is a protein."""
    return bool(_BUILT.fullmatch(written)) and folded not in _NOT_DRUGS
