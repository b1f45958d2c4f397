"""Placeholder until the PDF source lands."""

from corpus.sources.base import ParseError


def parse_isolated(data, filename, *, memory_bytes, timeout_s, max_pages):
    raise ParseError("PDF is not there yet.")
