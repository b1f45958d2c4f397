"""Turn the demo's facts into lines of the `jsonl` source. Pure: rows in, dictionaries out.

Sentences name their subject again and stay short, so that each can be quoted alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Line = dict[str, Any]

DATABASES = {
    "reactome": "Reactome",
    "wikipathways": "WikiPathways",
    "trrust": "TRRUST",
    "signor": "SIGNOR",
}
PATHWAY_URLS = {
    "reactome": "https://reactome.org/content/detail/{}",
    "wikipathways": "https://www.wikipathways.org/pathways/{}.html",
}
MARK = "demo"
PARTNERS_A_SENTENCE = 8
PAPERS_NAMED = 5
REGULATORS_FOR_A_RECORD = 4  # targets with fewer are found through their regulators' records


def pathway_line(row: Row) -> Line:
    """One pathway: where it stands, what it is divided into, what takes part."""
    name, source = row["name"], row["source"]
    return {
        "id": row["id"],
        "title": name,
        "text": " ".join(_pathway_sentences(row)),
        "type": "pathway",
        "tags": [MARK, source],
        "url": PATHWAY_URLS[source].format(row["id"]),
    }


def _pathway_sentences(row: Row) -> Iterator[str]:
    name = row["name"]
    yield f"{name} is a human pathway in {DATABASES[row['source']]} ({row['id']})."
    if row.get("parents"):
        yield f"{name} is part of {_pathways(row['parents'])}{_branch(row)}."
    if row.get("children"):
        yield f"{name} is divided into {_counted_children(row)}: {_pathways(row['children'])}."
    yield _members(row)
    if row.get("chemicals"):
        named = "; ".join(f"{label} ({key})" for key, label in row["chemicals"])
        few = row["chemical_count"] == len(row["chemicals"])
        how = f"{named}" if few else f"{row['chemical_count']}, among them {named}"
        yield f"Small molecules in {name}: {how}."


def _branch(row: Row) -> str:
    parents = {key for key, _ in row["parents"]}
    tops = [label for key, label in row.get("top", ()) if key not in parents]
    return f", in the branch {_joined(tops)}" if tops else ""


def _counted_children(row: Row) -> str:
    count, named = row["child_count"], len(row["children"])
    noun = "sub-pathway" if count == 1 else "sub-pathways"
    return f"{count} {noun}" if count == named else f"{count} {noun}, such as these {named}"


def _members(row: Row) -> str:
    name, count, genes = row["name"], row["gene_count"], row["genes"]
    if count == len(genes):
        return f"The {count} gene products that take part in {name} are {_joined(genes)}."
    return (
        f"{count} gene products take part in {name}; "
        f"the {len(genes)} that occur in the fewest pathways are {_joined(genes)}."
    )


def _pathways(pairs: Iterable[Sequence[str]]) -> str:
    return "; ".join(f"{label} ({key})" for key, label in pairs)


def interaction_lines(rows: Iterable[Row], genes: Mapping[str, Row]) -> Iterator[Line]:
    """Records of transcription by regulator, then by target; then each SIGNOR effect alone."""
    regulators: dict[str, list[Row]] = defaultdict(list)
    targets: dict[str, list[Row]] = defaultdict(list)
    effects = []
    for row in rows:
        if row["source"] == "trrust":
            regulators[row["regulator"]].append(row)
            targets[row["target"]].append(row)
        else:
            effects.append(row)
    for symbol in sorted(regulators):
        yield _regulator_line(symbol, regulators[symbol], genes)
    for symbol in sorted(targets):
        if len({row["regulator"] for row in targets[symbol]}) >= REGULATORS_FOR_A_RECORD:
            yield _target_line(symbol, targets[symbol], genes)
    for row in effects:
        yield _effect_line(row, genes)


def _regulator_line(symbol: str, rows: list[Row], genes: Mapping[str, Row]) -> Line:
    only, both = _by_sign(rows, partner="target")
    sentences = [f"{_introduced(symbol, genes)} is a regulator of transcription in TRRUST."]
    for sign, verb in ((1, "activates"), (-1, "represses")):
        sentences += _lists(f"{symbol} {verb} transcription of", only[sign])
    sentences += _both(f"Both activation and repression by {symbol} are recorded for", both)
    return _record(f"trrust:{symbol}", f"Target genes of {symbol}", sentences, "trrust")


def _target_line(symbol: str, rows: list[Row], genes: Mapping[str, Row]) -> Line:
    only, both = _by_sign(rows, partner="regulator")
    count = len({row["regulator"] for row in rows})
    sentences = [f"{_introduced(symbol, genes)} is a target gene of {count} regulators in TRRUST."]
    for sign, verb in ((1, "activated"), (-1, "repressed")):
        sentences += _lists(f"Transcription of {symbol} is {verb} by", only[sign])
    sentences += _both(f"Both activation and repression of {symbol} are recorded for", both)
    return _record(f"trrust-target:{symbol}", f"Regulators of {symbol}", sentences, "trrust")


def _effect_line(row: Row, genes: Mapping[str, Row]) -> Line:
    regulator, target = row["regulator"], row["target"]
    title = f"Effect of {regulator} on {'itself' if regulator == target else target}"
    return _record(f"signor:{row['record']}", title, [_effect(row, genes)], "signor")


def _effect(row: Row, genes: Mapping[str, Row]) -> str:
    itself = row["regulator"] == row["target"]
    target = "itself" if itself else _introduced(row["target"], genes)
    verb = "up-regulates" if row["sign"] > 0 else "down-regulates"
    papers = f", {_papers(row['pmids'])}" if row["pmids"] else ""
    return (
        f"{_introduced(row['regulator'], genes)} {verb} {target} by {row['mechanism']} "
        f"({row['record']}{papers})."
    )


def _record(key: str, title: str, sentences: Iterable[str], source: str) -> Line:
    text = " ".join(sentences)
    return {"id": key, "title": title, "text": text, "type": "record", "tags": [MARK, source]}


Partners = dict[str, list[str]]


def _by_sign(
    rows: Iterable[Row], *, partner: str
) -> tuple[dict[int, Partners], dict[str, dict[int, list[str]]]]:
    """Partners with one sign, by sign, and those that have both, each with PMIDs."""
    papers: dict[str, dict[int, list[str]]] = defaultdict(dict)
    for row in rows:
        papers[row[partner]][row["sign"]] = row["pmids"]
    only: dict[int, Partners] = {1: {}, -1: {}}
    both: dict[str, dict[int, list[str]]] = {}
    for symbol, signs in sorted(papers.items()):
        if len(signs) > 1:
            both[symbol] = signs
        else:
            only[next(iter(signs))][symbol] = next(iter(signs.values()))
    return only, both


def _lists(opening: str, partners: Partners) -> Iterator[str]:
    cited = [_cited(symbol, pmids) for symbol, pmids in partners.items()]
    for start in range(0, len(cited), PARTNERS_A_SENTENCE):
        yield f"{opening} {_joined(cited[start : start + PARTNERS_A_SENTENCE])}."


def _both(opening: str, partners: Mapping[str, Mapping[int, list[str]]]) -> Iterator[str]:
    cited = [
        f"{symbol} (activation: {_papers(signs[1])}; repression: {_papers(signs[-1])})"
        for symbol, signs in partners.items()
    ]
    for start in range(0, len(cited), PARTNERS_A_SENTENCE):
        yield f"{opening} {_joined(cited[start : start + PARTNERS_A_SENTENCE])}."


def _cited(symbol: str, pmids: Sequence[str]) -> str:
    return f"{symbol} ({_papers(pmids)})" if pmids else symbol


def _papers(pmids: Sequence[str]) -> str:
    if not pmids:
        return "no paper named"
    more = len(pmids) - PAPERS_NAMED
    return "PMID " + ", ".join(pmids[:PAPERS_NAMED]) + (f" and {more} more" if more > 0 else "")


def _introduced(symbol: str, genes: Mapping[str, Row]) -> str:
    gene = genes.get(symbol)
    return f"{symbol} ({gene['name']})" if gene else symbol


def curated_line(record: Row, genes: Mapping[str, Row]) -> Line:
    """A curated record: its own sections, the recorded relations it rests on, its identifiers."""
    sections = [dict(section) for section in record["sections"]]
    if record["relations"]:
        text = " ".join(_relation(row, genes) for row in record["relations"])
        sections.append({"heading": "Recorded relations", "text": text})
    sections.append({"heading": "Identifiers", "text": " ".join(_identified(record, genes))})
    return {
        "id": record["id"],
        "title": record["title"],
        "sections": sections,
        "type": "record",
        "tags": [MARK, "curated", *record["topics"]],
    }


def _relation(row: Row, genes: Mapping[str, Row]) -> str:
    if row["source"] == "signor":
        return _effect(row, genes)
    verb = "activates" if row["sign"] > 0 else "represses"
    return f"TRRUST records that {row['regulator']} {verb} {_cited(row['target'], row['pmids'])}."


def _identified(record: Row, genes: Mapping[str, Row]) -> Iterator[str]:
    for symbol in record["genes"]:
        gene = genes[symbol]
        proteins = f", UniProt {_joined(gene['uniprot'])}" if gene["uniprot"] else ""
        yield f"{symbol} is {gene['name']} ({gene['hgnc']}{proteins})."
    for key, label in record["chemicals"]:
        database = "" if key.startswith("CHEBI:") else " in DrugBank"
        yield f"The drug or compound {label} is {key}{database}."
    for key, label in record["pathways"]:
        database = "Reactome" if key.startswith("R-HSA-") else "WikiPathways"
        yield f"The pathway {label} is {key} in {database}."


def _joined(parts: Sequence[str]) -> str:
    """A, B and C."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
