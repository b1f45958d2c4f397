"""A word-processor file as a document."""

from __future__ import annotations

from corpus.sources.prose import Prose, as_document
from corpus.types import NormalizedDocument


def normalize(prose: Prose) -> NormalizedDocument:
    """Turn a text into a document; its id is the SHA-256 of the file."""
    return as_document("office", prose, kind="article")
