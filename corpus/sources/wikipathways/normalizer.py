"""A record of WikiPathways as a document."""

from __future__ import annotations

from corpus.sources.wikipathways.gpml import Gpml
from corpus.sources.wikipathways.gpml_document import gpml_document
from corpus.sources.wikipathways.parser import WikiPathwaysRecord
from corpus.sources.wikipathways.sets import GeneSet
from corpus.sources.wikipathways.table_documents import set_document, side_document
from corpus.types import NormalizedDocument


def normalize(record: WikiPathwaysRecord) -> NormalizedDocument:
    """Turn a drawing, a gene set or a side table into a document."""
    if isinstance(record, Gpml):
        return gpml_document(record)
    if isinstance(record, GeneSet):
        return set_document(record)
    return side_document(record)
