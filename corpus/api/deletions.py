"""GET deletions/ID."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import caller
from corpus.api import examples
from corpus.models import Deletion
from corpus.services import receipts
from flux_site.kernel.errors import NotFound


class NamedOut(serializers.Serializer[Any]):
    """A saved answer: its run, its question, its page."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    url = serializers.CharField()


class DeletionOut(serializers.Serializer[Deletion]):
    """A deletion: how far it is, then what went and what of it is still found."""

    deletion = serializers.UUIDField()
    state = serializers.ChoiceField(["queued", "running", "done"])
    corpus = serializers.CharField()
    whole_corpus = serializers.BooleanField()
    asked = serializers.IntegerField(help_text="Documents that were to be deleted.")
    answers = NamedOut(
        many=True, help_text="Saved answers that cite it and that the caller may see."
    )
    document_ids = serializers.ListField(child=serializers.UUIDField())
    left = serializers.DictField(
        child=serializers.IntegerField(allow_null=True),
        help_text="What is still found, by kind: all 0 when it is gone, null where unknown.",
    )
    requested_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, Any]:
        """With one count for each kind of the receipt."""
        counts = {kind: serializers.IntegerField() for kind in receipts.KINDS}
        return super().get_fields() | counts

    def to_representation(self, deletion: Deletion) -> dict[str, Any]:
        """The same as the command's."""
        return receipts.receipt(deletion, self.context["reader"])


class DeletionOne(APIView):
    """GET deletions/ID."""

    @extend_schema(responses=DeletionOut, examples=[examples.DELETION])
    def get(self, request: Request, public_id: str) -> Response:
        """The receipt of a deletion: of one's own, and of corpora that one may fill."""
        visible = Deletion.objects.visible_to(request.user)
        found = visible.filter(public_id=public_id).first()
        if found is None:
            raise NotFound
        return Response(DeletionOut(found, context={"reader": caller(request)}).data)
