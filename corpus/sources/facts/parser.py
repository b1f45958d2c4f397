"""Tables of target facts: what is known about genes as drug targets, with its sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corpus.sources.base import Broken, ParseError
from corpus.sources.curies import from_pair
from corpus.sources.facts.columns import (
    DISEASE,
    FACT,
    GENE,
    MODALITY,
    TISSUE,
    TRIAL,
    Columns,
    columns_of,
    kind_named,
)
from corpus.sources.facts.shape import BadRow, Fact, FactTable
from corpus.sources.genenames import name_fault, pmids, symbol_curie, undated
from corpus.sources.tabular import capped, listed, read_table

Cells = Mapping[str, str]


def parse(data: bytes, filename: str) -> Iterator[FactTable | Broken]:
    """Yield the bad rows of a table (TSV, CSV, XLSX, JSON, JSONL), then its facts.

    Needed is a column for the gene: gene, target, symbol, gene_symbol (a symbol), or gene_id,
    target_id, hgnc_id, ensembl_id (an id). The kind of fact stands in a column fact, fact_type or
    kind (association, tractability, essentiality, expression, stopped trial), or the other columns
    tell it, for the whole file:

    * association: disease or disease_id, with score;
    * tractability: modality (small molecule, antibody, …), with score or value;
    * essentiality: essential, gene_effect, dependency or common_essential, with cell_line, lineage
      or system;
    * expression: tissue with tpm, or breadth, tau, n_tissues;
    * stopped trials: nct_id or trial, reason or why_stopped, with disease.

    Of any: score or value, source or datasource, year or date, pmid. Other columns are kept.
    Raises ParseError when the gene or the kind of fact cannot be found.
    """
    table = read_table(data, filename)
    yield from table.broken
    columns = columns_of(table.header)
    if columns is None:
        raise ParseError(
            f"{filename} has the columns {listed(table.header)}, which are no table of target "
            f"facts. Name a column for the gene ({listed(GENE, 3)}) and one that tells the fact: "
            f"{FACT[0]}, {DISEASE[0]}, {MODALITY[0]}, essential, {TISSUE[0]} or {TRIAL[0]}."
        )
    facts: list[Fact] = []
    bad: list[Broken] = []
    for number, cells in table.records():
        try:
            facts.append(_fact(number, cells, columns))
        except BadRow as fault:
            bad.append(Broken(f"row {number}", f"Row {number} {fault}."))
    yield from capped(bad)
    if not facts:
        reason = bad[0].reason if bad else "It has a header but no row."
        raise ParseError(f"{filename} holds no row that can be used. {reason}")
    yield FactTable(filename, tuple(facts))


def _fact(row: int, cells: Cells, columns: Columns) -> Fact:
    kind = kind_named(_cell(cells, columns.fact)) or columns.kind
    if columns.fact and not kind_named(_cell(cells, columns.fact)):
        raise BadRow(f"names no kind of fact that is known ('{cells[columns.fact][:40]}')")
    gene, label = _gene(cells, columns)
    about, about_label = _about(kind, cells, columns)
    named = {
        "score": columns.score,
        "source": columns.source,
        "year": columns.year,
        "reason": columns.reason,
    }
    fields = {name: cell for name, cell in cells.items() if cell}
    fields |= {name: cells[column] for name, column in named.items() if column and cells[column]}
    return Fact(
        row,
        kind,
        gene,
        label,
        about,
        about_label,
        record=_cell(cells, columns.trial) or f"row {row}",
        pmids=pmids(_cell(cells, columns.papers)),
        fields=fields,
    )


def _cell(cells: Cells, column: str) -> str:
    return cells[column] if column else ""


def _gene(cells: Cells, columns: Columns) -> tuple[str, str]:
    symbol, local = undated(_cell(cells, columns.gene)), _cell(cells, columns.gene_id)
    if fault := name_fault(symbol or local):
        raise BadRow(f"cannot be used: its gene {fault}")
    if not local:
        return from_pair(symbol) or symbol_curie(symbol), symbol
    if local.startswith("ENS"):
        return f"ensembl:{local}", symbol or local
    bare = f"ncbigene:{local}" if local.isdigit() else local
    return from_pair(local) or bare, symbol or local


def _about(kind: str, cells: Cells, columns: Columns) -> tuple[str, str]:
    """What the fact is about: CURIE where there is an id, and its name. Facts of the gene alone
    (breadth, essentiality in no named cells) are about people's tissues and cells at large.
    """
    if kind == "tractability":
        name = _cell(cells, columns.modality)
    elif kind == "essentiality":
        name = _cell(cells, columns.system) or "human cells"
    elif kind == "expression":
        name = _cell(cells, columns.tissue) or "human tissues"
    else:
        return _disease(kind, cells, columns)
    if fault := name_fault(name):
        raise BadRow(f"does not say what the {kind} is about: its cell {fault}")
    return name, name


def _disease(kind: str, cells: Cells, columns: Columns) -> tuple[str, str]:
    name, local = _cell(cells, columns.disease), _cell(cells, columns.disease_id)
    if kind == "stopped_trial" and not (name or local):
        name = _cell(cells, columns.trial)
    if fault := name_fault(name or local):
        raise BadRow(f"names no disease: its cell {fault}")
    # Files write both MONDO:0005148 and MONDO_0005148.
    return from_pair(local.replace("_", ":", 1)) or local or name, name or local
