"""Drugs told by the ending of their name, where no vocabulary knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

# Stems of international nonproprietary names; -nib holds -tinib and -rafenib.
_DRUG = re.compile(r"(?<![\w-])[A-Z]?[a-z]{3,}(?:mab|nib|parib|stat|formin)(?=s?(?!\w))")
# Things that keep something level, and other words that only end like a drug.
_NOT_DRUGS: Final = frozenset(
    "aerostat bacteriostat barostat chemostat clinostat cryostat fungistat galvanostat gyrostat "
    "heliostat hemostat haemostat homeostat humidistat hydrostat hygrostat manostat microstat morbidostat "
    "nephelostat photostat potentiostat pressostat retinostat rheostat thermostat turbidostat "
    "viscostat biostat cytostat geostat".split()
)


def drugs(text: str) -> Iterator[tuple[int, int]]:
    """Spans of words built like the name of a drug, without the s of their plural.

    Capitals beyond the first letter are none: pSTAT is a protein.
    """
    for match in _DRUG.finditer(text):
        if match[0].lower() not in _NOT_DRUGS:
            yield match.span()
