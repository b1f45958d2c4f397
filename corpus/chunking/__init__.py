"""Documents into passages. Pure: models are passed in as callables."""

from __future__ import annotations

from typing import Literal

from corpus.chunking.layout import chunk_by_layout
from corpus.chunking.placing import document_text
from corpus.chunking.semantic import Embed, chunk_by_meaning
from corpus.chunking.sliding import chunk_by_window
from corpus.types import ChunkDraft, NormalizedDocument

__all__ = ["DEFAULT_TARGET", "Strategy", "chunk", "document_text"]

Strategy = Literal["layout", "semantic", "sliding"]
DEFAULT_TARGET = 1800
_PROSE_WITHOUT_LAYOUT = frozenset({"pathway", "reaction"})


def chunk(
    document: NormalizedDocument,
    *,
    target: int = DEFAULT_TARGET,
    strategy: Strategy = "layout",
    embed: Embed | None = None,
) -> list[ChunkDraft]:
    """Cut a document into passages of about `target` characters, in the order of its text.

    "semantic" breaks summaries of pathways and reactions where the subject changes, by `embed`
    (texts to vectors), and other documents by their layout. The same document gives the same
    chunks.

    Raises ValueError when "semantic" is asked for without `embed`, or when target is below 100.
    """
    if target < 100:
        raise ValueError("target must be at least 100 characters")
    if strategy == "semantic" and embed is None:
        raise ValueError("the semantic chunker needs `embed`")
    if strategy == "sliding":
        return chunk_by_window(document, target=target)
    if embed is not None and strategy == "semantic" and document.type in _PROSE_WITHOUT_LAYOUT:
        return chunk_by_meaning(document, embed=embed, target=target)
    return chunk_by_layout(document, target=target)
