"""A table of KEGG as one dataset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from corpus.sources.kegg.equations import sides
from corpus.sources.kegg.flat_document import LICENCE
from corpus.sources.kegg.names import classify
from corpus.sources.kegg.tables import KeggTable, TableForm
from corpus.sources.listing import record_blocks
from corpus.types import Block, NormalizedDocument, Relation

_TITLES: Final[dict[TableForm, str]] = {
    "list": "List of KEGG entries",
    "link": "Links between KEGG entries",
    "reactions": "Reactions of a KEGG pathway",
    "sets": "Compounds of KEGG pathways",
}


def table_document(table: KeggTable) -> NormalizedDocument:
    """Turn a table into a dataset; an answer has no id of its own, so that its file names it."""
    return NormalizedDocument(
        type="dataset",
        source="kegg",
        external_id=f"{table.form}:{table.name}"[:255],
        title=f"{_TITLES[table.form]} ({table.name})",
        blocks=tuple(_BLOCKS[table.form](table)),
        licence=LICENCE,
        language="en",
        relations=tuple(_RELATIONS[table.form](table)),
        records=len(table.rows),
        metadata={"form": table.form, "rows": len(table.rows), "skipped_rows": table.skipped},
        note=f"Rows left out since they fit no form of KEGG: {table.skipped}."
        if table.skipped
        else "",
    )


def _list_relations(table: KeggTable) -> Iterator[Relation]:
    for identifier, *cells in table.rows:
        curie, kind = classify(identifier)
        more = {"columns": cells[:-1]} if len(cells) > 1 else {}
        yield Relation(
            curie, "has_name", cells[-1], 0, cells[-1], cells[-1], kind, "name", identifier,
            fields=more,
        )  # fmt: skip


def _link_relations(table: KeggTable) -> Iterator[Relation]:
    for left, right in table.rows:
        subject, subject_kind = classify(left)
        target, target_kind = classify(right)
        whole = target_kind in ("pathway", "module", "network")
        predicate = "part_of" if whole and subject_kind != target_kind else "linked_to"
        yield Relation(
            subject, predicate, target, 0, "", "", subject_kind, target_kind, f"{left} {right}"
        )


def _reaction_relations(table: KeggTable) -> Iterator[Relation]:
    for identifier, enzyme, equation in table.rows:
        left, right = sides(equation)
        fields = {
            "equation": equation,
            "inputs": [{"name": part.id, "count": part.count} for part in left],
            "outputs": [{"name": part.id, "count": part.count} for part in right],
        }
        curie, kind = classify(enzyme)
        yield Relation(
            classify(identifier)[0], "catalyzed_by", curie or "enzyme not told", 0, identifier,
            enzyme, "reaction", kind or "enzyme", identifier, fields=fields,
        )  # fmt: skip


def _set_relations(table: KeggTable) -> Iterator[Relation]:
    """Here a row is a whole set: it gives a relation a compound."""
    for identifier, title, *compounds in table.rows:
        for compound in dict.fromkeys(compounds):
            curie, kind = classify(compound)
            yield Relation(
                classify(identifier)[0], "contains", curie, 0, title, "", "pathway", kind,
                identifier,
            )  # fmt: skip


def _list_blocks(table: KeggTable) -> Iterator[Block]:
    def fields(rows: Sequence[tuple[str, ...]]) -> dict[str, object]:
        return {"items": [{"id": row[0], "name": row[-1]} for row in rows]}

    yield from record_blocks("KEGG lists", table.rows, lambda row: f"{row[-1]} [{row[0]}]", fields)


def _link_blocks(table: KeggTable) -> Iterator[Block]:
    """Grouped by the right side, which is the pathway in the answers people keep."""
    groups: dict[str, list[str]] = defaultdict(list)
    for left, right in table.rows:
        groups[right].append(left)
    for right, lefts in groups.items():
        opening = f"KEGG links {right} to {len(lefts)} entries:"
        yield from _names_in_blocks(opening, lefts, {"id": right})


def _names_in_blocks(
    opening: str, names: Sequence[str], about: dict[str, object]
) -> Iterator[Block]:
    yield from record_blocks(
        opening, names, str, lambda some: {**about, "items": list(some)}, joint=", "
    )


def _reaction_blocks(table: KeggTable) -> Iterator[Block]:
    for identifier, enzyme, equation in table.rows:
        by = f", catalysed by enzyme {enzyme}" if enzyme else ""
        text = f"Reaction {identifier}{by}: {equation}."
        fields = {"reaction": identifier, "enzyme": enzyme, "equation": equation}
        yield Block(text, (), "record", fields=fields)


def _set_blocks(table: KeggTable) -> Iterator[Block]:
    for identifier, title, *compounds in table.rows:
        about: dict[str, object] = {"pathway": identifier, "title": title}
        opening = f"{title} ({identifier}) contains {len(compounds)} compounds in KEGG"
        if compounds:
            yield from _names_in_blocks(f"{opening}:", compounds, about)
        else:
            yield Block(f"{opening}.", (), "record", fields=about)


_BLOCKS: Final[dict[TableForm, Callable[[KeggTable], Iterator[Block]]]] = {
    "list": _list_blocks,
    "link": _link_blocks,
    "reactions": _reaction_blocks,
    "sets": _set_blocks,
}
_RELATIONS: Final[dict[TableForm, Callable[[KeggTable], Iterator[Relation]]]] = {
    "list": _list_relations,
    "link": _link_relations,
    "reactions": _reaction_relations,
    "sets": _set_relations,
}
