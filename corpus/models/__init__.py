"""Corpora, documents, passages, vectors, graph rows, jobs, and the log of their changes."""

from corpus.models.changes import Change, Follower
from corpus.models.chunk import Chunk
from corpus.models.corpus import Corpus, CorpusGrant
from corpus.models.deletion import BlobGarbage, DeletedRecord, Deletion
from corpus.models.document import Document, Section
from corpus.models.figure import Figure, Table
from corpus.models.graph import Edge, EdgeEvidence, EdgeSupport, Node, NodeRole
from corpus.models.jobs import IngestJob, JobFetch, JobFile, JobItem, RecognisedPart
from corpus.models.mention import Mention
from corpus.models.page import Page
from corpus.models.rows import AliasRuling, RelationDraft, Signature, Term
from corpus.models.turns import JobTurn
from corpus.models.vectors import ChunkVector, Encoder
from corpus.models.watched import Watched, WatchedFile
from corpus.models.work import (
    SITE,
    Identity,
    Ruling,
    Statement,
    Unsettled,
    Work,
    WorkConflict,
    WorkLink,
)

__all__ = [
    "SITE",
    "AliasRuling",
    "BlobGarbage",
    "Change",
    "Chunk",
    "ChunkVector",
    "Corpus",
    "CorpusGrant",
    "DeletedRecord",
    "Deletion",
    "Document",
    "Edge",
    "EdgeEvidence",
    "EdgeSupport",
    "Encoder",
    "Figure",
    "Follower",
    "Identity",
    "IngestJob",
    "JobFetch",
    "JobFile",
    "JobItem",
    "JobTurn",
    "Mention",
    "Node",
    "NodeRole",
    "Page",
    "RecognisedPart",
    "RelationDraft",
    "Ruling",
    "Section",
    "Signature",
    "Statement",
    "Table",
    "Term",
    "Unsettled",
    "Watched",
    "WatchedFile",
    "Work",
    "WorkConflict",
    "WorkLink",
]
