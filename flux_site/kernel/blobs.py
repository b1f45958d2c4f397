"""Bytes by their SHA-256, written once, in whatever storage Django is set to."""

from __future__ import annotations

import hashlib
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from flux_site.kernel.errors import NotFound


def path_of(sha256: str) -> str:
    """Where the bytes of a hash lie: two levels of folders, so that none grows without bound."""
    return f"blobs/{sha256[:2]}/{sha256[2:4]}/{sha256}"


def put(data: bytes) -> str:
    """Store bytes and return their SHA-256 in hex. Storing the same bytes again changes nothing."""
    sha256 = hashlib.sha256(data).hexdigest()
    path = path_of(sha256)
    if not default_storage.exists(path) or default_storage.size(path) != len(data):
        if default_storage.exists(path):  # left half written by a crash
            default_storage.delete(path)
        default_storage.save(path, ContentFile(data))
    return sha256


def get(sha256: str) -> bytes:
    """The bytes of a hash. Raises NotFound when they are gone."""
    with open_blob(sha256) as stream:
        return stream.read()


def open_blob(sha256: str) -> IO[bytes]:
    """A stream of the bytes of a hash. Raises NotFound when they are gone."""
    try:
        return default_storage.open(path_of(sha256), "rb")
    except (FileNotFoundError, OSError) as missing:
        raise NotFound("The stored file is missing.") from missing


def delete(sha256: str) -> None:
    """Remove the bytes of a hash; absent is fine. The caller knows that nothing refers to them."""
    default_storage.delete(path_of(sha256))
