"""The one list of sources."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corpus.sources.base import Source
from corpus.sources.jsonl import normalizer as jsonl_normalizer
from corpus.sources.jsonl import parser as jsonl_parser
from corpus.sources.pubmed import normalizer as pubmed_normalizer
from corpus.sources.pubmed import parser as pubmed_parser

_ALL = (
    Source(
        "pubmed", "PubMed", pubmed_parser.parse, pubmed_normalizer.normalize, suffixes=(".xml",)
    ),
    Source(
        "jsonl",
        "JSONL records",
        jsonl_parser.parse,
        jsonl_normalizer.normalize,
        suffixes=(".jsonl", ".ndjson"),
    ),
)

SOURCES: Mapping[str, Source] = MappingProxyType({source.name: source for source in _ALL})
