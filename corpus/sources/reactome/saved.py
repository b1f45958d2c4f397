"""A saved pathway record: name, ids and summations, without the rest of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpus.sources.reactome.answers import Named, ReactomeEvent

_SPECIES = {
    "HSA": "Homo sapiens",
    "MMU": "Mus musculus",
    "RNO": "Rattus norvegicus",
    "DRE": "Danio rerio",
    "DME": "Drosophila melanogaster",
    "CEL": "Caenorhabditis elegans",
    "SCE": "Saccharomyces cerevisiae",
    "GGA": "Gallus gallus",
    "BTA": "Bos taurus",
    "SSC": "Sus scrofa",
    "XTR": "Xenopus tropicalis",
    "PFA": "Plasmodium falciparum",
}
# The first column of the flags says top level, disease, diagram; I is inferred.
_INFERRED = "I"


def event_from_saved(value: Mapping[str, Any]) -> ReactomeEvent:
    """Read one record; missing fields stay empty (the caller refuses one without stId or name)."""
    st_id = _text(value.get("stId"))
    parts = st_id.split("-")
    species = _SPECIES.get(parts[1], "") if len(parts) == 3 else ""
    flags = _text(value.get("flags_TDFIPBU"))
    return ReactomeEvent(
        st_id=st_id,
        name=_text(value.get("displayName")),
        kind="TopLevelPathway" if flags.startswith("T") else "Pathway",
        species=(species,) if species else (),
        summaries=tuple(
            text for item in _dicts(value.get("summation")) if (text := _text(item.get("text")))
        ),
        go=tuple(Named("", term) for term in _texts(value.get("go"))),
        release_date=_text(value.get("releaseDate")),
        inferred=_INFERRED in flags,
        saved=True,
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [text for item in value if (text := _text(item))] if isinstance(value, list) else []


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
