"""Small pictures of pages: a row of them must not weigh what the pages weigh."""

from __future__ import annotations

import io
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe
from PIL import Image

from accounts.web.requests import SignedInRequest
from corpus.models import Page
from flux_site.kernel import blobs
from flux_site.kernel.errors import NotFound

WIDTH = 136  # CSS shows 64 to 72 pixels; screens have up to two for each
QUALITY = 45
KEPT_S = 7 * 86400


@login_required
@require_safe
def thumbnail(request: SignedInRequest, document: UUID, number: int) -> HttpResponse:
    """A page of a readable document, 136 pixels wide."""
    visible = Page.objects.visible_to(request.user).exclude(image_sha256="")
    page = get_object_or_404(visible, document__public_id=document, number=number)
    response = HttpResponse(small(page.image_sha256), content_type="image/webp")
    response["Cache-Control"] = "private, max-age=604800"
    return response


def small(sha256: str) -> bytes:
    """The picture of that hash as a small WebP, made once a week."""
    key = f"thumb:{sha256}"
    found: bytes | None = cache.get(key)
    if found is None:
        found = _made(blobs.get(sha256))
        cache.set(key, found, KEPT_S)
    return found


def _made(data: bytes) -> bytes:
    try:
        with Image.open(io.BytesIO(data)) as image:
            shown = image.convert("RGB")
    except OSError as broken:
        raise NotFound("The picture of this page cannot be read.") from broken
    shown.thumbnail((WIDTH, WIDTH * 4), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    shown.save(out, "WEBP", quality=QUALITY, method=4)
    return out.getvalue()
