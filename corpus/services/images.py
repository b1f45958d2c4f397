"""Pictures by their hash, for those who may see what they belong to."""

from __future__ import annotations

import re

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from corpus.models import Figure, Page, Table
from flux_site.kernel import blobs
from flux_site.kernel.errors import NotFound

SHA256 = re.compile(r"[0-9a-f]{64}")
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"RIFF", "image/webp"),
)


def visible(sha256: str, reader: User | AnonymousUser) -> tuple[bytes, str]:
    """Bytes and media type of a picture that a readable page, figure or table shows. Raises
    NotFound.
    """
    if not SHA256.fullmatch(sha256):
        raise NotFound
    shown = any(
        model.objects.visible_to(reader).filter(image_sha256=sha256).exists()
        for model in (Page, Figure, Table)
    )
    if not shown:
        raise NotFound
    data = blobs.get(sha256)
    return data, media_type(data)


def media_type(data: bytes) -> str:
    """By the first bytes; anything unknown is served as bytes that no browser runs."""
    return next(
        (kind for start, kind in SIGNATURES if data.startswith(start)), "application/octet-stream"
    )
