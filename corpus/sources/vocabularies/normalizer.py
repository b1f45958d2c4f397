"""A vocabulary as one document: terms, and no passages; its entries are names, not evidence."""

from __future__ import annotations

from corpus.sources.cleaning import clean_text, one_line
from corpus.sources.vocabularies.shape import Vocabulary
from corpus.types import Block, NormalizedDocument


def normalize(vocabulary: Vocabulary) -> NormalizedDocument:
    """Turn a file into a document of type "vocabulary"; a table of definitions is a dataset whose
    records can be searched.
    """
    name = one_line(vocabulary.name)
    blocks = tuple(
        Block(clean_text(f"{label}: {text}"), kind="record", fields={"id": own, "name": label})
        for own, label, text in vocabulary.definitions
    )
    return NormalizedDocument(
        type="dataset" if blocks else "vocabulary",
        source="vocabularies",
        external_id=name[:255],
        title=f"{vocabulary.title} ({name})",
        blocks=blocks,
        relations=vocabulary.relations,
        terms=vocabulary.terms,
        records=vocabulary.records,
        metadata={
            "form": vocabulary.form,
            "terms": len(vocabulary.terms),
            **vocabulary.counts,
        },
        note="" if blocks else "A vocabulary holds names, not text: it has no passages to search.",
    )
