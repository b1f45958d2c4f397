"""Which source a file is of, told by its name and its first bytes."""

from __future__ import annotations

from collections.abc import Mapping

from corpus.sources.base import Broken, Source
from flux_site.kernel.errors import FluxError

# What stands near the top of a file of a source, where a part of the file is no file.
BEGINNINGS: Mapping[str, tuple[bytes, ...]] = {
    "pubmed": (b"<PubmedArticle", b"<PubmedBookArticle"),
    "jats": (b"<article", b"<pmc-articleset"),
    "reactome": (b'"stId"', b'"dbId"'),
    "kegg": (b"ENTRY  ", b'<pathway name="', b"\tpath:", b"path:", b",Pathway_name"),
    "openalex": (b"openalex.org/",),
    "wikipathways": (b"pathvisio.org/GPML", b"%WikiPathways_", b"Label\tType\tIdentifier"),
    "labels": (b"urn:hl7-org:v3", b'"spl_product_data_elements"', b'"sections": {', b'"openfda"'),
    "compounds": (b"www.drugbank.ca", b'"SMILES"', b'"smiles"'),
    "vocabularies": (b'"DOID:', b'"synonyms":', b'"CHEBI:', b"format-version:", b"|ENG|"),
    "perturbations": (b'"geo_id"', b'"pert_type"'),
    "references": (b'"issued"', b'"container-title"'),
}
# Told by whether the source can read the first lines; the narrower sources first.
BY_LINES = (
    "wikipathways",
    "interactions",
    "perturbations",
    "compounds",
    "vocabularies",
    "facts",
    "labels",
    "references",
    "text",
    "jsonl",
)
LINES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".list", ".rrf", ".centroid")


def fitting(name: str, head: bytes, sources: Mapping[str, Source]) -> list[str]:
    """Names of the sources that may read the file, the likeliest first; empty when none does.

    `head` is the file's first bytes, unpacked. Some kilobytes are enough.
    """
    by_name = [source.name for source in sources.values() if source.reads(name)]
    if len(by_name) < 2:
        return by_name
    alike = [(place, one) for one in by_name if (place := _first_mark(one, head)) >= 0]
    if alike:
        return [one for _, one in sorted(alike, key=lambda found: found[0])]
    if name.lower().removesuffix(".gz").endswith(LINES):
        ordered = [one for one in BY_LINES if one in by_name]
        for one in ordered:
            if _reads_lines(sources[one], name, head):
                return [one]
        # Whoever's errors say most: the general kinds, else the tables that name their columns.
        return [one for one in ordered if one in {"jsonl", "text"}] or ordered or by_name
    plain = [one for one in by_name if one not in BEGINNINGS]
    return plain or by_name


def _first_mark(source: str, head: bytes) -> int:
    """Where the first mark of a source stands; -1 without any."""
    if source == "jats" and _first_mark("pubmed", head) >= 0:
        return -1  # an article set holds <Article> elements, too
    places = [head.find(mark) for mark in BEGINNINGS.get(source, ())]
    return min((place for place in places if place >= 0), default=-1)


def _reads_lines(source: Source, name: str, head: bytes) -> bool:
    """Whether the whole lines of the head are a file of the source."""
    lines = head[: head.rfind(b"\n") + 1] or head
    try:
        first = next(iter(source.parse(lines, name)), None)
        if first is None or isinstance(first, Broken):
            return False
        source.normalize(first)
    except FluxError:
        return False
    return True
