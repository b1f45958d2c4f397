"""Vectors of passages, per encoder."""

from __future__ import annotations

from typing import Any

from django.db import models
from pgvector.django import HalfVectorField

from corpus.models.chunk import Chunk
from corpus.models.corpus import Corpus
from corpus.querysets import VisibleQuerySet


class Encoder(models.Model):
    """An encoder whose vectors are stored. Its id is a literal in the SQL of the dense leg."""

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=100, unique=True)
    modality = models.CharField(max_length=10, default="text")
    dimension = models.PositiveSmallIntegerField()
    weights_sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ChunkVectorQuerySet(VisibleQuerySet[Any]):
    """Vectors of readable corpora."""


class ChunkVector(models.Model):
    """One encoder's unit vector of one window of one passage; encoders of any dimension live side
    by side.

    No text in this table and STORAGE PLAIN on the vector, so that no row needs a second look-up
    (SEARCHCOST 4). One partial HNSW index per encoder, on vector::halfvec(d), is made by
    services.embedding when the encoder is first stored.
    """

    pk = models.CompositePrimaryKey("chunk_id", "encoder_id", "window")
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="vectors")
    encoder = models.ForeignKey(Encoder, models.PROTECT, db_index=False)
    window = models.PositiveSmallIntegerField(default=0)
    corpus = models.ForeignKey(Corpus, models.CASCADE, db_index=False)  # legs filter on it
    # Of a proposition: the passage that it is of. No foreign key, which would want an index; the
    # row goes with its own chunk, and that with its passage.
    passage = models.BigIntegerField(null=True)
    text_sha256 = models.BinaryField(max_length=32)  # unchanged text is never embedded again
    vector = HalfVectorField()

    objects = ChunkVectorQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["encoder", "corpus"], name="chunk_vector_scope"),
            models.Index(fields=["encoder", "text_sha256"], name="chunk_vector_text"),
        ]

    def __str__(self) -> str:
        return f"window {self.window} of chunk {self.chunk_id} by encoder {self.encoder_id}"
