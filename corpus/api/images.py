"""GET images/HASH."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from corpus.services import images


class Image(APIView):
    """A picture of a page, figure or table."""

    @extend_schema(
        responses={(200, "image/*"): OpenApiTypes.BINARY},
        examples=[OpenApiExample("picture", value="(bytes)", response_only=True)],
    )
    def get(self, request: Request, sha256: str) -> HttpResponse:
        """The bytes, for ever the same under their hash, and only for those who may see them."""
        data, media_type = images.visible(sha256, request.user)
        response = HttpResponse(data, content_type=media_type)
        response["Cache-Control"] = "private, immutable, max-age=31536000"
        response["ETag"] = f'"{sha256}"'
        return response
