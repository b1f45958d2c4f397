"""Filters as SQL over a passage (alias c) and its document (alias d)."""

from __future__ import annotations

from typing import Any

from retrieval.types import Filters

# A passage stands below a heading when the heading is anywhere in its path.
_SECTION = (
    "EXISTS (SELECT 1 FROM unnest(c.section_path) AS heading WHERE lower(trim(heading)) = ANY(%s))"
)
_ENTITY = (
    "EXISTS (SELECT 1 FROM corpus_mention m JOIN corpus_node n ON n.id = m.node_id "
    "WHERE m.chunk_id = c.id AND (lower(n.curie) = ANY(%s) OR lower(n.label) = ANY(%s)))"
)


def where(filters: Filters, documents: tuple[int, ...] | None) -> tuple[str, list[Any]]:
    """A condition and its parameters; `documents` are the database ids that the filter names."""
    parts: list[tuple[str, list[Any]]] = []
    for column, values in (
        ("d.source", filters.sources),
        ("d.type", filters.types),
        ("c.content_type", filters.content_types),
    ):
        if values:
            parts.append((f"{column} = ANY(%s)", [list(values)]))
    if filters.years:
        spans = " OR ".join("d.year BETWEEN %s AND %s" for _ in filters.years)
        parts.append((f"({spans})", [year for span in filters.years for year in span]))
    if filters.retracted is not None:
        parts.append(("d.retracted = %s", [filters.retracted]))
    if filters.tags:
        parts.append(("d.tags && %s::varchar[]", [list(filters.tags)]))
    if filters.sections:
        parts.append((_SECTION, [[heading.strip().lower() for heading in filters.sections]]))
    if filters.entities:
        names = [name.lower() for name in filters.entities]
        parts.append((_ENTITY, [names, names]))
    if documents is not None:
        parts.append(("d.id = ANY(%s)", [list(documents)]))
    condition = " AND ".join(sql for sql, _ in parts) or "true"
    return condition, [value for _, values in parts for value in values]
