"""Filters of the list of documents. None of them asks the table of documents what there is."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.utils import timezone

from corpus.admin.base import is_site_admin, person
from corpus.models import Chunk, Corpus
from corpus.services.fingerprint import pipeline
from corpus.services.outcomes import OTHER_LANGUAGE
from corpus.sources.registry import SOURCES

MOST_CORPORA = 100  # in the column of filters; others are found by their own desk
YEARS = 8

DUE = reduce(
    or_,
    (Q(corpus__chunker=name) & ~Q(pipeline=pipeline(name)) for name, _ in Corpus.CHUNKERS),
)

Options = list[tuple[str, str]]


class Chosen(admin.SimpleListFilter):
    """One of a few questions: `questions` are value, label and condition."""

    questions: tuple[tuple[str, str, Any], ...] = ()

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        """What there is to choose."""
        return [(value, label) for value, label, _ in self.questions]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """The rows that fit the choice."""
        for value, _, condition in self.questions:
            if value == self.value():
                return queryset.filter(condition)
        return queryset


class CorpusFilter(admin.SimpleListFilter):
    """Of one corpus."""

    title = "corpus"
    parameter_name = "corpus"
    path = "corpus"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        """Corpora that the person may see here, by name."""
        rows = Corpus.objects.all()
        if not is_site_admin(request):
            rows = rows.visible_to(person(request))
        named = rows.order_by("name", "pk").values_list("public_id", "name")
        return [(str(public_id), name) for public_id, name in named[:MOST_CORPORA]]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Rows of that corpus; the list is the person's own already."""
        try:
            chosen = UUID(self.value() or "")
        except ValueError:
            return queryset
        return queryset.filter(**{f"{self.path}__public_id": chosen})


class SourceFilter(admin.SimpleListFilter):
    """Of one source."""

    title = "source"
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        """Every source that this installation reads."""
        return [(name, source.label) for name, source in sorted(SOURCES.items())]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Rows of that source."""
        return queryset.filter(source=self.value()) if self.value() in SOURCES else queryset


class StateFilter(Chosen):
    """Whether a document can be used."""

    title = "state"
    parameter_name = "state"
    questions = (
        (
            "text",
            "Has text",
            Q(deletion=None) & Exists(Chunk.objects.filter(document=OuterRef("pk"))),
        ),
        (
            "empty",
            "No text",
            Q(deletion=None) & ~Exists(Chunk.objects.filter(document=OuterRef("pk"))),
        ),
        ("due", "To be read anew: older pipeline or other chunker", Q(deletion=None) & DUE),
        ("unlinked", "Entities not yet found", Q(deletion=None, lexicon="")),
        ("deleting", "Being deleted", ~Q(deletion=None)),
    )


class StandingFilter(Chosen):
    """How the paper stands."""

    title = "standing"
    parameter_name = "standing"
    questions = (
        ("any", "Any notice", Q(retracted=True) | Q(concern=True) | Q(corrected=True)),
        ("retracted", "Retracted", Q(retracted=True)),
        ("concern", "Expression of concern", Q(concern=True)),
        ("corrected", "Corrected", Q(corrected=True)),
    )


class NoteFilter(Chosen):
    """What a curator was told of the document."""

    title = "note"
    parameter_name = "note"
    questions = (
        ("language", "A language the encoder does not read", Q(note__contains=OTHER_LANGUAGE)),
        ("any", "Any note", ~Q(note="")),
    )


class YearFilter(admin.SimpleListFilter):
    """The year of publication."""

    title = "year"
    parameter_name = "year"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        """Recent years singly, the others together."""
        now = timezone.now().year
        recent = [(str(year), str(year)) for year in range(now, now - YEARS, -1)]
        return [*recent, ("before", f"before {now - YEARS + 1}"), ("none", "none given")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Documents of that time."""
        value = self.value() or ""
        if value == "none":
            return queryset.filter(year=None)
        if value == "before":
            return queryset.filter(year__lte=timezone.now().year - YEARS)
        return (
            queryset.filter(year=int(value)) if value.isdecimal() and len(value) < 5 else queryset
        )
