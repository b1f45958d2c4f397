"""Gene sets and side tables as documents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from corpus.sources.ids import doi as plain_doi
from corpus.sources.ids import pmid as plain_pmid
from corpus.sources.listing import record_blocks
from corpus.sources.webtext import html_paragraphs
from corpus.sources.wikipathways.gpml_document import LICENCE
from corpus.sources.wikipathways.names import kind
from corpus.sources.wikipathways.sets import GeneSet
from corpus.sources.wikipathways.side_tables import SideTable
from corpus.types import Block, NormalizedDocument, Relation

_ANCHOR: Final = re.compile(r"<a\b[^<>]*>[^<>]*</a>", re.IGNORECASE)


def set_document(found: GeneSet) -> NormalizedDocument:
    """Turn a set into a pathway document.

    Its id is 'gmt:WP100': the drawing WP100 knows more (description, interactions), and neither may
    replace the other.
    """
    subject = f"wikipathways:{found.wpid}"
    count = len(found.genes)
    opening = (
        f"{found.title} is a gene set of {found.organism} in WikiPathways ({found.wpid}) with "
        f"{count} {'gene' if count == 1 else 'genes'}, by NCBI Gene number:"
    )
    blocks = record_blocks(
        opening, found.genes, str, lambda some: {"id": found.wpid, "genes": list(some)},
        section=("Genes",), joint=", ",
    )  # fmt: skip
    return NormalizedDocument(
        type="pathway",
        source="wikipathways",
        external_id=f"gmt:{found.wpid}",
        title=found.title,
        blocks=tuple(blocks),
        published=found.date,
        licence=LICENCE,
        language="en",
        tags=(found.organism, "gene set"),
        relations=tuple(_set_relations(found, subject)),
        metadata={
            "form": "gmt",
            "curie": subject,
            "url": found.url,
            "version": found.revision,
            "revised": found.date,
            "organism": found.organism,
        },
    )


def _set_relations(found: GeneSet, subject: str) -> Iterator[Relation]:
    for gene in found.genes:
        target = f"ncbigene:{gene}"
        yield Relation(
            subject, "contains", target, 0, found.title, "", "pathway", "gene", found.wpid
        )


def side_document(table: SideTable) -> NormalizedDocument:
    """Turn a side table into a dataset, apart from the drawing it belongs to."""
    nodes = table.form == "datanodes"
    what = "Data nodes" if nodes else "References"
    of = table.wpid or table.name
    return NormalizedDocument(
        type="dataset",
        source="wikipathways",
        external_id=f"{table.form}:{of}"[:255],
        title=f"{what} of WikiPathways {of}",
        blocks=tuple(_node_blocks(table, of) if nodes else _citations(table)),
        licence=LICENCE,
        language="en",
        relations=tuple(_node_relations(table, of) if nodes else _citing(table, of)),
        records=len(table.rows),
        metadata={"form": table.form, "pathway": of, "rows": len(table.rows)},
        note="" if nodes else "A list of references: it names papers and is no passage to cite.",
    )


def _node_relations(table: SideTable, of: str) -> Iterator[Relation]:
    subject = f"wikipathways:{of}"
    for row in table.rows:
        label = row.get("Label", "")
        target = row.get("Identifier") or label or "unnamed node"
        linked = row.get("Type") == "Pathway"
        predicate = "related_to_pathway" if linked else "contains"
        rest = {key: value for key, value in row.items() if key not in ("Label", "Identifier")}
        yield Relation(
            subject, predicate, target, 0, "", label, "pathway", kind(row.get("Type", "")), of,
            fields=rest,
        )  # fmt: skip


def _node_blocks(table: SideTable, of: str) -> Iterator[Block]:
    by_type: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in table.rows:
        by_type[row.get("Type", "Unknown")].append(row)
    for node_type, rows in by_type.items():
        yield from record_blocks(
            f"{node_type} nodes of WikiPathways {of} with their ids:", rows, _row_text,
            lambda some: {"rows": [dict(row) for row in some]}, section=(node_type,),
        )  # fmt: skip


def _row_text(row: Mapping[str, str]) -> str:
    """A node by its ids; of databases with many (UniProt) only the fields know all."""
    shown = ("Identifier", "HGNC", "NCBI gene", "Ensembl", "ChEBI", "KEGG", "HMDB")
    ids = dict.fromkeys(part for key in shown for part in row.get(key, "").split(";")[:2] if part)
    return f"{row.get('Label', '')} [{', '.join(ids)}]" if ids else row.get("Label", "")


def _work(row: Mapping[str, str]) -> str:
    database = row.get("Database", "").lower()
    if database in ("pubmed", "pmid") and (number := plain_pmid(row.get("ID", ""))):
        return f"pmid:{number}"
    if database == "doi" and (name := plain_doi(row.get("ID", ""))):
        return f"doi:{name}"
    return row.get("ID", "") or _citation(row)[:120] or "reference without id"


def _citing(table: SideTable, of: str) -> Iterator[Relation]:
    for row in table.rows:
        fields = {"Database": row.get("Database", ""), "Citation": _citation(row)}
        yield Relation(
            f"wikipathways:{of}", "cites", _work(row), 0, "", "", "pathway", "work", of,
            fields=fields,
        )  # fmt: skip


def _citation(row: Mapping[str, str]) -> str:
    """The citation without the links behind it, whose texts are only names of sites."""
    return " ".join(html_paragraphs(_ANCHOR.sub("", row.get("Citation", ""))))


def _citations(table: SideTable) -> Iterator[Block]:
    for row in table.rows:
        text = _citation(row) or row.get("ID", "")
        if text:
            yield Block(text, ("References",), "reference", fields={"id": _work(row)})
