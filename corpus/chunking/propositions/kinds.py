"""Nouns by which a text points back at what it has named, and the kinds of entity they can mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def words(text: str) -> frozenset[str]:
    """A set of words from a text."""
    return frozenset(text.split())


_GENE: Final = frozenset({"gene", "protein", "family", "complex"})
_CHEMICAL: Final = frozenset({"chemical", "drug"})
_DISEASE: Final = frozenset({"disease"})
_PLACE: Final = frozenset({"anatomy"})
_LIFE: Final = frozenset({"organism"})
_PROCESS: Final = frozenset({"process"})


def _all(nouns: str, kinds: frozenset[str]) -> dict[str, frozenset[str]]:
    return dict.fromkeys(nouns.split(), kinds)


# Noun in the singular -> kinds of the lexicon that it fits; with none, only the same noun fits.
NOUNS: Final[Mapping[str, frozenset[str]]] = {
    **_all("gene protein kinase receptor enzyme cytokine ligand hormone transporter", _GENE),
    **_all("channel factor chemokine phosphatase protease polypeptide antigen oncogene", _GENE),
    **_all("drug compound agent molecule chemical inhibitor metabolite antibiotic", _CHEMICAL),
    **_all("disease disorder syndrome condition cancer tumor tumour infection", _DISEASE),
    **_all("tissue organ", _PLACE),
    **_all("organism species bacterium virus parasite pathogen", _LIFE),
    **_all("process", _PROCESS),
    **_all("complex pathway reaction event cell mutation variant peptide domain", frozenset()),
    **{f"{word} factor": _GENE for word in ("transcription", "growth")},
    "fusion protein": _GENE,
    "signaling pathway": frozenset(),
}
# What an article says of itself: "these results show" needs no other sentence.
DISCOURSE: Final = words("""
    result results finding findings data study studies observation observations article paper
    review report reports work analysis analyses trial trials evidence experiment experiments
    method methods approach model models
""")
# Headings that abstracts carry in their text: "BACKGROUND The nucleosome is …".
LABEL: Final = (
    r"(?:(?:BACKGROUND|OBJECTIVES?|AIMS?|PURPOSE|METHODS?|RESULTS?|FINDINGS|CONCLUSIONS?|SUMMARY|"
    r"MOTIVATION|INTRODUCTION|DESIGN|SETTING|RATIONALE|SIGNIFICANCE|IMPORTANCE):?\s+)?"
)
# A record about a pathway is what "this pathway", "this process" means in it.
OF_RECORDS: Final[Mapping[str, frozenset[str]]] = {
    "pathway": frozenset({"pathway", "process", "signaling pathway"}),
    "reaction": frozenset({"reaction", "process", "event"}),
}
