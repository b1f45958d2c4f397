"""A drug label as a document whose passages carry their section."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from corpus.sources.base import ParseError
from corpus.sources.cleaning import clean_text, one_line
from corpus.sources.labels.shape import Label
from corpus.sources.tables import table_block
from corpus.types import Block, BlockKind, FigureDraft, NormalizedDocument, TableDraft


def normalize(label: Label) -> NormalizedDocument:
    """Turn a label into a document of type "label"; its id is the set id.

    Raises ParseError when the id holds nothing that can be printed.
    """
    external_id = one_line(label.set_id)[:255]
    if not external_id:
        raise ParseError("The label's set id holds no printable character.")
    tables = tuple(
        TableDraft("", one_line(t.caption), t.rows, t.header_rows, t.spans)
        for part in label.parts
        if (t := part.table) is not None
    )
    figures = tuple(
        FigureDraft(caption=one_line(part.text), source_ref=one_line(part.file))
        for part in label.parts
        if part.kind == "figure"
    )
    blocks = tuple(_blocks(label, tables))
    return NormalizedDocument(
        type="label",
        source="labels",
        external_id=external_id,
        title=one_line(label.title) or external_id,
        blocks=blocks,
        figures=figures,
        tables=tables,
        published=label.published,
        language="en",
        tags=tuple(map(one_line, label.tags)),
        relations=label.relations,
        metadata={
            **{key: value for key, value in label.metadata.items() if value},
            "form": label.form,
            "set_id": external_id,
            "sections": list(label.sections),
        },
        note="" if blocks else "The label has no text: only its title can be found.",
    )


def _blocks(label: Label, tables: tuple[TableDraft, ...]) -> Iterator[Block]:
    table = figure = 0
    for part in label.parts:
        if part.kind == "table":
            yield table_block(tables[table], table, part.path)
            table += 1
        elif part.kind == "figure":
            if caption := one_line(part.text):
                yield Block(caption, part.path, "caption", fields={"figure": figure})
            figure += 1
        elif text := clean_text(part.text):
            yield Block(text, part.path, cast(BlockKind, part.kind), fields=part.fields)
