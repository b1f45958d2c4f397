"""A record of KEGG as a document."""

from __future__ import annotations

from corpus.sources.kegg.entries import FlatEntry
from corpus.sources.kegg.flat_document import flat_document
from corpus.sources.kegg.kgml import KgmlPathway
from corpus.sources.kegg.kgml_document import kgml_document
from corpus.sources.kegg.parser import KeggRecord
from corpus.sources.kegg.table_document import table_document
from corpus.types import NormalizedDocument


def normalize(record: KeggRecord) -> NormalizedDocument:
    """Turn a flat entry, a map or a table into a document."""
    if isinstance(record, FlatEntry):
        return flat_document(record)
    if isinstance(record, KgmlPathway):
        return kgml_document(record)
    return table_document(record)
