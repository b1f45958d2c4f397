"""Facts of about 1,500 human pathways: names, members, hierarchy. No summary is read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from flux_site.demo.build import sources

# Parts of Reactome that a team in immunology meets. Disease repeats them with mutants: left out.
REACTOME_PARTS = (
    "R-HSA-168256",  # Immune System
    "R-HSA-162582",  # Signal Transduction
    "R-HSA-5357801",  # Programmed Cell Death
    "R-HSA-109582",  # Hemostasis
    "R-HSA-1266738",  # Developmental Biology
    "R-HSA-1474244",  # Extracellular matrix organization
    "R-HSA-1500931",  # Cell-Cell communication
    "R-HSA-8953897",  # Cellular responses to stimuli
    "R-HSA-9612973",  # Autophagy
    "R-HSA-2990846",  # SUMOylation
    "R-HSA-450531",  # Regulation of mRNA stability by proteins that bind AU-rich elements
)
FEWEST_GENES = 4
MOST_GENES_NAMED = 60
MOST_CHEMICALS_NAMED = 8
MOST_CHILDREN_NAMED = 16

Row = dict[str, Any]


def rows(data: Path) -> list[Row]:
    """Pathway facts, Reactome first, each source in the order of its numbers."""
    known = sources.genes(data)
    return [*_reactome(data, known), *_wikipathways(data, known)]


def _reactome(data: Path, known: sources.Genes) -> list[Row]:
    sets = {entry.id: entry for entry in sources.reactome_sets(data)}
    children = sources.reactome_children(data)
    parents: dict[str, list[str]] = defaultdict(list)
    for parent, below in children.items():
        for child in below:
            parents[child].append(parent)
    chebi = sources.chemicals(data)
    members = {key: _reactome_members(entry.members, known) for key, entry in sets.items()}
    spread = Counter(gene for genes, _ in members.values() for gene in genes)
    kept = {
        key
        for key in _beneath(REACTOME_PARTS, children)
        if len(members.get(key, ([], []))[0]) >= FEWEST_GENES
    }
    kept |= {key for key in children if key not in parents and key in sets}
    found = []
    for key in sorted(kept, key=_number):
        genes, numbers = members[key]
        row = _row(sets[key], "reactome", genes, spread)
        row |= _named_chemicals(numbers, chebi)
        row["parents"] = _named(parents.get(key, []), sets)
        row["top"] = _named(sorted(_tops(key, parents) - {key}, key=_number), sets)
        row["children"] = _named(children.get(key, [])[:MOST_CHILDREN_NAMED], sets)
        row["child_count"] = len(children.get(key, []))
        found.append(row)
    return found


def _wikipathways(data: Path, known: sources.Genes) -> list[Row]:
    entries = sorted(sources.wikipathways_sets(data), key=lambda entry: _number(entry.id))
    members = {
        e.id: sorted({known.by_entrez[m] for m in e.members if m in known.by_entrez})
        for e in entries
    }
    spread = Counter(gene for genes in members.values() for gene in genes)
    return [
        _row(entry, "wikipathways", members[entry.id], spread)
        for entry in entries
        if len(members[entry.id]) >= FEWEST_GENES
    ]


def _row(entry: sources.GeneSet, source: str, genes: list[str], spread: Mapping[str, int]) -> Row:
    # A long list is cut to the members found in the fewest pathways: they say most about this one.
    rarest = sorted(genes, key=lambda gene: (spread[gene], gene))[:MOST_GENES_NAMED]
    return {
        "id": entry.id,
        "name": entry.name,
        "source": source,
        "genes": sorted(rarest),
        "gene_count": len(genes),
    }


def _reactome_members(members: Iterable[str], known: sources.Genes) -> tuple[list[str], list[str]]:
    """Gene symbols and ChEBI numbers, each once; an isoform counts as its protein."""
    symbols: set[str] = set()
    numbers: set[str] = set()
    for member in members:
        if member.isdigit():
            numbers.add(member)
        else:
            symbols.update(known.by_uniprot.get(member.partition("-")[0], ()))
    return sorted(symbols), sorted(numbers, key=int)


def _named_chemicals(numbers: list[str], chebi: Mapping[str, str]) -> Row:
    named = [[f"CHEBI:{number}", chebi[number]] for number in numbers if number in chebi]
    return {"chemicals": named[:MOST_CHEMICALS_NAMED], "chemical_count": len(numbers)}


def _beneath(roots: Iterable[str], children: Mapping[str, list[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting.extend(children.get(key, ()))
    return found


def _tops(key: str, parents: Mapping[str, list[str]]) -> set[str]:
    above = parents.get(key, [])
    return {key} if not above else set().union(*(_tops(parent, parents) for parent in above))


def _named(keys: Iterable[str], sets: Mapping[str, sources.GeneSet]) -> list[list[str]]:
    return [[key, sets[key].name] for key in keys if key in sets]


def _number(key: str) -> int:
    return int(key.rpartition("-")[2].removeprefix("WP"))
