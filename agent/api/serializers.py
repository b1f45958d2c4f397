"""Questions and runs over HTTP."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from agent.models import Run
from agent.services import runs
from agent.types import MODES


class QueryIn(serializers.Serializer[Any]):
    """A question."""

    question = serializers.CharField(trim_whitespace=True)
    corpora = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Names of corpora; all that the caller may read by default.",
    )
    mode = serializers.CharField(default=MODES[0], help_text=f"One of: {', '.join(MODES)}.")


class CitationOut(serializers.Serializer[Any]):
    """A verbatim quote and where it stands."""

    id = serializers.IntegerField()
    chunk_id = serializers.UUIDField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name
    external_id = serializers.CharField()
    title = serializers.CharField()
    quote = serializers.CharField()
    page = serializers.IntegerField(allow_null=True)
    section = serializers.CharField(allow_null=True)
    content_type = serializers.CharField()
    image_hash = serializers.CharField(allow_null=True)


class ClaimOut(serializers.Serializer[Any]):
    """One statement and the citations it rests on."""

    text = serializers.CharField()
    citations = serializers.ListField(child=serializers.IntegerField())
    status = serializers.ChoiceField(["supported", "uncertain", "unverified"])


class UsedSourcesOut(serializers.Serializer[Any]):
    """What the answer was made from."""

    documents = serializers.ListField(child=serializers.CharField())
    legs = serializers.ListField(child=serializers.CharField())


class FinalAnswerOut(serializers.Serializer[Any]):
    """An answer whose claims each cite what supports them."""

    answer = serializers.CharField()
    citations = CitationOut(many=True)
    claims = ClaimOut(many=True)
    confidence = serializers.FloatField(min_value=0, max_value=1)
    retrieval_quality = serializers.ChoiceField(["good", "partial", "bad"])
    used_sources = UsedSourcesOut()
    warnings = serializers.ListField(child=serializers.CharField())
    reasoning_summary = serializers.CharField()
    mode = serializers.ChoiceField(["model", "extractive", "fallback", "abstained"])


class StandingOut(serializers.Serializer[Any]):
    """A cited paper that is retracted, of concern or corrected now."""

    citation = serializers.IntegerField(help_text="Its number in the answer.")
    retracted = serializers.BooleanField()
    concern = serializers.BooleanField()
    corrected = serializers.BooleanField()
    since_answer = serializers.BooleanField(help_text="Not yet retracted when it was cited.")


class TimingsOut(serializers.Serializer[Any]):
    """Milliseconds since the run was made."""

    first_event_ms = serializers.FloatField(allow_null=True, help_text="To the citations event.")
    total_ms = serializers.FloatField(allow_null=True)


class RunOut(serializers.Serializer[Run]):
    """A run and what it came to, as the caller may see it."""

    run = serializers.UUIDField()
    status = serializers.ChoiceField(Run.STATUSES)
    reason = serializers.CharField()
    mode = serializers.CharField()
    question = serializers.CharField()
    corpora = serializers.ListField(child=serializers.CharField())
    final = FinalAnswerOut(allow_null=True)
    standing = StandingOut(many=True)
    timings = TimingsOut()
    cost_usd = serializers.FloatField()
    versions = serializers.DictField()
    created_at = serializers.DateTimeField()

    def to_representation(self, run: Run) -> dict[str, Any]:
        """The same as the command's, filtered for the caller."""
        return runs.result_for(run, self.context["request"].user)


class RunStatusOut(serializers.Serializer[Run]):
    """How a run stands, for those who may stop it and not read it."""

    run = serializers.UUIDField(source="public_id")
    status = serializers.CharField()
