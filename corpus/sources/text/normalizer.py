"""A text file as a document."""

from __future__ import annotations

from dataclasses import replace

from corpus.sources.prose import Part, Prose, as_document
from corpus.types import NormalizedDocument


def normalize(prose: Prose) -> NormalizedDocument:
    """Turn a text into a document: a note, or an article when it names its own DOI or PMID."""
    known = prose.identifiers.doi or prose.identifiers.pmid
    if not prose.parts:
        prose = replace(prose, parts=(Part("paragraph", prose.title),))
    return as_document("text", prose, kind="article" if known else "note")
