"""Corpora and what they hold, as stored rows (no index, no vector; ingest for those)."""

from __future__ import annotations

import hashlib

import factory

from corpus.models import Chunk, Corpus, Document, Figure, Page, Table
from tests.factories.accounts import TeamFactory


class CorpusFactory(factory.django.DjangoModelFactory[Corpus]):
    """A team corpus unless `visibility` says otherwise."""

    class Meta:
        model = Corpus

    team = factory.SubFactory(TeamFactory)
    slug = factory.Sequence(lambda n: f"corpus-{n}")
    name = factory.LazyAttribute(lambda corpus: corpus.slug.title())
    visibility = "team"


class DocumentFactory(factory.django.DjangoModelFactory[Document]):
    """A stored article."""

    class Meta:
        model = Document

    corpus = factory.SubFactory(CorpusFactory)
    source = "jsonl"
    external_id = factory.Sequence(lambda n: f"doc-{n}")
    type = "article"
    title = factory.Sequence(lambda n: f"Document {n}")
    content_sha256 = factory.LazyAttribute(
        lambda document: hashlib.sha256(document.external_id.encode()).hexdigest()
    )


class ChunkFactory(factory.django.DjangoModelFactory[Chunk]):
    """A passage of an article; its corpus is the document's."""

    class Meta:
        model = Chunk

    document = factory.SubFactory(DocumentFactory)
    corpus = factory.SelfAttribute("document.corpus")
    content_type = "text"
    chunk_index = factory.Sequence(lambda n: n)
    text = "STAT3 drives transcription of SOCS3."
    text_sha256 = factory.LazyAttribute(lambda chunk: hashlib.sha256(chunk.text.encode()).digest())
    char_end = factory.LazyAttribute(lambda chunk: len(chunk.text))


class PageFactory(factory.django.DjangoModelFactory[Page]):
    """A page of a PDF."""

    class Meta:
        model = Page

    document = factory.SubFactory(DocumentFactory, source="pdf")
    number = 1
    width = 595.0
    height = 842.0


class FigureFactory(factory.django.DjangoModelFactory[Figure]):
    """A figure without a picture unless `image_sha256` is given."""

    class Meta:
        model = Figure

    document = factory.SubFactory(DocumentFactory)
    position = factory.Sequence(lambda n: n)
    label = "Figure 1"
    caption = "A figure."


class TableFactory(factory.django.DjangoModelFactory[Table]):
    """A table of one row."""

    class Meta:
        model = Table

    document = factory.SubFactory(DocumentFactory)
    position = factory.Sequence(lambda n: n)
    label = "Table 1"
    caption = "A table."
    rows = [["Gene", "Fold"], ["SOCS3", "4.2"]]
