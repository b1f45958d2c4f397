"""When two readings of a record are the same: the hash of all that would be stored."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from corpus.types import NormalizedDocument

# Grows when parsing, chunking or storing changes what comes of the same record.
PIPELINE = "6"
LAYOUT = "layout"


def pipeline(chunker: str = LAYOUT) -> str:
    """The version of what reads and cuts documents, with the chunker where it is not the usual."""
    return PIPELINE if chunker == LAYOUT else f"{PIPELINE}-{chunker}"


def of_document(document: NormalizedDocument, chunker: str = LAYOUT) -> str:
    """SHA-256 over the pipeline and every value of the document; pictures by their own hash."""
    digest = hashlib.sha256(pipeline(chunker).encode())
    digest.update(json.dumps(plain(document), sort_keys=True, ensure_ascii=False).encode())
    return digest.hexdigest()


def of_text(title: str, text: str) -> bytes:
    """SHA-256 of what an encoder sees of a passage."""
    return hashlib.sha256(f"{title}\n{text}".encode()).digest()


def plain(value: Any) -> Any:
    """A draft as JSON can carry it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    return value
