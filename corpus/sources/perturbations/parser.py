"""Perturbation tables to effects: what was done, and each gene's answer, in the rows' order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.genenames import taxon_of
from corpus.sources.jsonrows import is_json_lines, json_lines, load_json
from corpus.sources.perturbations import contrasts, genesets, matrices, screens
from corpus.sources.perturbations.shape import (
    BadRow,
    Effects,
    MeasuredGenes,
    PerturbationTable,
    ResponseCounts,
)
from corpus.sources.tabular import Table, capped, decode, listed, read_table

Record = PerturbationTable | ResponseCounts | MeasuredGenes | Broken
Reading = tuple[list[Effects], Callable[[Mapping[str, str]], int]]


def parse(data: bytes, filename: str) -> Iterator[Record]:
    """Yield the bad rows of a file, then its effects.

    Read are MAGeCK summaries (RRA, MLE, guides), response matrices (CytoSig; genes by
    perturbations), contrasts named before their columns (koATF3_logFC, koATF3_pValue), LINCS
    consensus responses with their summaries and gene list, CREEDS JSON, and any table with a gene
    and a log fold change (p value, perturbation, cell line where there are columns for them).
    Raises ParseError for a layout that is not known.
    """
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{"):
        sets = _gene_sets(decode(data, filename), filename)
        if sets is not None:
            yield from sets
            return
    table = read_table(data, filename)
    yield from table.broken
    columns = set(table.header)
    if columns.issuperset(matrices.COUNTS):
        yield _counts(table, filename)
    elif columns.issuperset(matrices.MEASURED):
        yield _measured(table, filename)
    else:
        yield from _effects(table, filename)


def _form(table: Table, filename: str) -> tuple[str, str, int, Reading]:
    """Name and title of the table's form, values a row, and how to read it."""
    header = table.header
    columns = set(header)
    if columns.issuperset(matrices.DYSREGULATED):
        return "lincs", "LINCS consensus responses", 1, matrices.dysregulated(filename, table)
    if columns.issuperset(screens.RRA):
        reading = screens.rra(_stem(filename), _taxon(table, "id"))
        return "mageck_rra", "CRISPR screen (MAGeCK RRA)", 1, reading
    if columns.issuperset(screens.GUIDES):
        reading = screens.guides(_stem(filename), _taxon(table, "Gene"))
        return "mageck_guides", "CRISPR screen (MAGeCK guides)", 1, reading
    if conditions := screens.mle_conditions(header):
        reading = screens.mle(_stem(filename), _taxon(table, "Gene"), conditions)
        return "mageck_mle", "CRISPR screen (MAGeCK MLE)", len(conditions), reading
    if pairs := contrasts.pairs_of(header):
        reading = contrasts.paired(filename, _gene_taxon(table), header, pairs)
        return "contrasts", "Differential expression", len(pairs), reading
    if single := contrasts.single(filename, _gene_taxon(table), header):
        return "generic", "Differential expression", 1, single
    if matrices.is_matrix(table):
        cytokines = {"IFNG", "IL6", "TNFA", "TGFB1"} <= columns
        name = ("cytosig", "Cytokine responses") if cytokines else ("matrix", "Response matrix")
        reading = matrices.matrix(filename, _taxon(table, header[0]), header, cytokines=cytokines)
        return *name, len(header) - 1, reading
    raise ParseError(
        f"{filename} has the columns {listed(header)}, which are no perturbation table that Flux "
        f"knows. Name the columns gene ({listed(contrasts.GENE, 3)}) and log fold change "
        f"({listed(contrasts.CHANGE, 3)}); p_value, perturbation and cell_line may be added."
    )


def _effects(table: Table, filename: str) -> Iterator[Record]:
    form, title, per_row, (effects, add) = _form(table, filename)
    bad: list[Broken] = []
    read = gaps = 0
    for number, cells in table.records():
        try:
            gaps += add(cells)
            read += 1
        except BadRow as fault:
            bad.append(Broken(f"row {number}", f"Row {number} {fault}."))
    yield from capped(bad)
    filled = tuple(effect for effect in effects if effect.genes)
    if not filled:
        reason = bad[0].reason if bad else "It has a header but no row."
        raise ParseError(f"{filename} holds no row that can be used. {reason}")
    yield PerturbationTable(filename, form, title, read, filled, per_row, gaps)


def _stem(filename: str) -> str:
    return filename.rpartition(".")[0] or filename


def _taxon(table: Table, column: str) -> str:
    place = table.header.index(column)
    return taxon_of(row.cells[place] for row in table.rows)


def _gene_taxon(table: Table) -> str:
    columns = contrasts.gene_columns(table.header)
    return _taxon(table, columns[0]) if columns else ""


def _counts(table: Table, filename: str) -> ResponseCounts:
    rows = []
    for number, cells in table.records():
        who = matrices.perturbagen(cells.pop("perturbagen"))
        rows.append((number, who, cells))
    return ResponseCounts(filename, matrices.perturbagen_kind(filename), tuple(rows))


def _measured(table: Table, filename: str) -> MeasuredGenes:
    names = ("entrez_gene_id", "symbol", "description")
    rows = tuple(tuple(cells[name] for name in names) for _, cells in table.records())
    return MeasuredGenes(filename, rows)  # type: ignore[arg-type]


def _gene_sets(text: str, filename: str) -> Iterator[Record] | None:
    """The signatures of a JSON list or JSONL of gene sets, None when it holds rows instead."""
    values: list[Any]
    broken: list[Broken] = []
    if is_json_lines(text):
        values = []
        for line in json_lines(text):
            broken.append(line) if isinstance(line, Broken) else values.append(line[1])
    else:
        whole = load_json(text, filename)
        values = whole if isinstance(whole, list) else [whole]
    if not any(genesets.is_gene_sets(value) for value in values[:20]):
        return None
    return _read_sets(values, broken, filename)


def _read_sets(values: list[Any], broken: list[Broken], filename: str) -> Iterator[Record]:
    effects: list[Effects] = []
    for number, value in enumerate(values, start=1):
        try:
            if not genesets.is_gene_sets(value):
                raise BadRow("holds no lists of genes up and down")
            effects.append(genesets.effects_of(value))
        except BadRow as fault:
            broken.append(Broken(f"record {number}", f"Record {number} {fault}."))
    yield from capped(broken)
    if not effects:
        raise NotThisSource(f"{filename} holds no gene sets.")
    yield PerturbationTable(
        filename, "gene_sets", "Gene sets of perturbations", len(effects), tuple(effects), 0
    )
