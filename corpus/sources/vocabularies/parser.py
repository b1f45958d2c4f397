"""Files of vocabularies to terms, told by their form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.jsonrows import is_json_lines, load_json
from corpus.sources.tabular import Table, capped, decode, find_column, listed, read_table
from corpus.sources.vocabularies import genes, mesh, ontologies, umls
from corpus.sources.vocabularies.famplex import famplex, famplex_header
from corpus.sources.vocabularies.plain import PLAIN_IDS, PLAIN_NAMES, drugbank, plain_reader
from corpus.sources.vocabularies.shape import BadEntry, Vocabulary, joined
from corpus.types import Term

Reader = Callable[[dict[str, str]], Term]
_PREFIX_PATTERNS = frozenset({"Pattern", "Category"})


def parse(data: bytes, filename: str) -> Iterator[Vocabulary | Broken]:
    """Yield the bad entries of a file, then the vocabulary.

    Read are HGNC (download page, complete set), MeSH descriptors, UniProt and DrugBank tables,
    FamPlex's tables, OBO, JSON lists of terms (id, name, namespace), UMLS MRCONSO.RRF, and any
    table with columns for id and name (and synonyms). Raises ParseError for another layout.
    """
    text = decode(data, filename)
    if umls.is_rrf(text):
        yield from _umls(text, filename)
    elif ontologies.is_obo(text):
        yield from _collected(ontologies.obo_terms(text), "obo", "Ontology", filename)
    elif text.lstrip()[:1] == "[" and not is_json_lines(text):
        yield from _json(load_json(text, filename), data, filename)
    else:
        yield from _table(data, filename)


def _collected(
    entries: Iterator[Term | Broken], form: str, title: str, filename: str
) -> Iterator[Vocabulary | Broken]:
    terms: list[Term] = []
    bad: list[Broken] = []
    for entry in entries:
        bad.append(entry) if isinstance(entry, Broken) else terms.append(entry)
    yield from capped(bad)
    _refuse_empty(terms, bad, filename)
    sorted_out = ontologies.apart_from_roles(joined(terms))
    yield Vocabulary(filename, form, title, len(terms), sorted_out, counts=_counted(sorted_out))


def _umls(text: str, filename: str) -> Iterator[Vocabulary | Broken]:
    counts = {"rows": 0, "other_language": 0, "suppressed": 0}
    terms: list[Term] = []
    bad: list[Broken] = []
    for entry in umls.concepts(text, counts):
        bad.append(entry) if isinstance(entry, Broken) else terms.append(entry)
    yield from capped(bad)
    _refuse_empty(terms, bad, filename)
    yield Vocabulary(
        filename, "mrconso", "UMLS concept names", counts["rows"], tuple(terms), counts=counts
    )


def _json(values: Any, data: bytes, filename: str) -> Iterator[Vocabulary | Broken]:
    if ontologies.is_term_list(values):
        yield from _collected(ontologies.json_terms(values), "obo_json", "Ontology", filename)
    else:
        yield from _table(data, filename)


def _table(data: bytes, filename: str) -> Iterator[Vocabulary | Broken]:

    def headerless(cells: Sequence[str]) -> tuple[str, ...] | None:
        return mesh.mesh_header(cells) or famplex_header(cells, filename)

    table = read_table(data, filename, headerless=headerless)
    yield from table.broken
    if table.header and set(table.header) >= _PREFIX_PATTERNS:
        raise NotThisSource(
            f"{filename} lists patterns of prefixes and suffixes of gene names, not entities."
        )
    if (found := famplex(table, filename)) is not None:
        yield from found
        return
    form, title, reader = _form(table, filename)
    yield from _read(table, form, title, reader, filename)


def _form(table: Table, filename: str) -> tuple[str, str, Reader]:
    columns = set(table.header)
    if columns >= genes.HGNC or columns >= genes.HGNC_SET:
        return "hgnc", "HGNC gene names", genes.hgnc
    if table.header == mesh.COLUMNS:
        return "mesh", "MeSH descriptors", mesh.mesh
    if {name.lower() for name in columns} >= genes.UNIPROT:
        return "uniprot", "UniProt entries", genes.uniprot
    if {"DRUGBANK_ID", "NAMESPACE", "ID"} <= columns:
        return "drugbank", "DrugBank names", drugbank
    own, name = find_column(table.header, PLAIN_IDS), find_column(table.header, PLAIN_NAMES)
    if own and name and own != name:
        return "table", "Vocabulary", plain_reader(table.header, own, name)
    raise ParseError(
        f"{filename} has the columns {listed(table.header)}, which are no vocabulary that Flux "
        f"knows. Name the columns id ({listed(PLAIN_IDS, 3)}) and name ({listed(PLAIN_NAMES, 3)}); "
        "synonyms and kind may be added."
    )


def _read(
    table: Table, form: str, title: str, reader: Reader, filename: str
) -> Iterator[Vocabulary | Broken]:
    terms: list[Term] = []
    bad: list[Broken] = []
    for number, cells in table.records():
        try:
            terms.append(reader(cells))
        except BadEntry as fault:
            bad.append(Broken(f"row {number}", f"Row {number} {fault}."))
    yield from capped(bad)
    _refuse_empty(terms, bad, filename)
    once = joined(terms)
    yield Vocabulary(filename, form, title, len(terms), once, counts=_counted(once))


def _counted(terms: Sequence[Term]) -> Mapping[str, int]:
    return {"withdrawn": sum(term.withdrawn for term in terms)}


def _refuse_empty(terms: list[Term], bad: list[Broken], filename: str) -> None:
    if not terms:
        reason = bad[0].reason if bad else "It has a header but no entry."
        raise ParseError(f"{filename} holds no entry that can be used. {reason}")
