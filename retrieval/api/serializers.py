"""The search over HTTP: what goes in, what comes out."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from retrieval.types import DEFAULT_LIMIT, FUSIONS, MAX_LIMIT


class SearchIn(serializers.Serializer[Any]):
    """Query parameters of a search."""

    q = serializers.CharField(trim_whitespace=True, help_text="What to look for.")
    limit = serializers.IntegerField(min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT)
    fusion = serializers.ChoiceField(FUSIONS, required=False, help_text="How legs are joined.")


class ScoresOut(serializers.Serializer[Any]):
    """Everything known of a hit's place; null where a leg has no value."""

    dense = serializers.FloatField(allow_null=True, help_text="Cosine of the best window.")
    bm25 = serializers.FloatField(allow_null=True)
    dense_rank = serializers.IntegerField(allow_null=True)
    lexical_rank = serializers.IntegerField(allow_null=True)
    rrf = serializers.FloatField(allow_null=True)
    cc = serializers.FloatField(allow_null=True)


class HitOut(serializers.Serializer[Any]):
    """A passage that was found."""

    rank = serializers.IntegerField()
    chunk_id = serializers.UUIDField()
    document_id = serializers.UUIDField()
    corpus = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name
    external_id = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    page = serializers.IntegerField(allow_null=True)
    section = serializers.CharField()
    content_type = serializers.CharField()
    chunk_index = serializers.IntegerField()
    year = serializers.IntegerField(allow_null=True)
    retracted = serializers.BooleanField()
    image_hash = serializers.CharField()
    score = serializers.FloatField()
    scores = ScoresOut()
    why = serializers.ListField(child=serializers.CharField())
    also_in = serializers.ListField(child=serializers.CharField())


class StageOut(serializers.Serializer[Any]):
    """One step of the search."""

    stage = serializers.CharField()
    ms = serializers.FloatField()
    count = serializers.IntegerField()
    detail = serializers.CharField()


class SearchOut(serializers.Serializer[Any]):
    """Hits, best first, and how they came about."""

    hits = HitOut(many=True)
    timings = serializers.DictField(child=serializers.FloatField())
    index_version = serializers.CharField()
    fusion = serializers.CharField()
    legs = serializers.ListField(child=serializers.CharField())
    notes = serializers.ListField(child=serializers.CharField())
    trace = StageOut(many=True)
