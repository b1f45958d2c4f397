"""An article of a web page as a document."""

from __future__ import annotations

from corpus.sources.prose import Prose, as_document
from corpus.types import NormalizedDocument


def normalize(prose: Prose) -> NormalizedDocument:
    """Turn an article into a document; its id is the SHA-256 of the saved page."""
    return as_document("html", prose, kind="article")
