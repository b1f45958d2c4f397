"""The desk of vocabularies: entities, their names, which names are looked for, where they stand."""

from __future__ import annotations

from typing import Any, get_args

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.web.formats import shortened
from corpus.admin import finding
from corpus.admin.base import Desk, acting, column, is_site_admin, person
from corpus.lexicon.folding import fold_name
from corpus.models import AliasRuling, Mention, Term
from corpus.services import lexicons, naming
from corpus.types import TermKind

MENTIONS, AROUND = 20, 80


class KindFilter(admin.SimpleListFilter):
    """What the entity is."""

    title = "kind"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """All kinds that vocabularies know."""
        return [(kind, kind) for kind in get_args(TermKind)]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Entities of that kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Term)
class TermAdmin(Desk):
    """Entities of vocabularies."""

    list_display = ("label", "curie", "kind", "aliases", "vocabulary", "withdrawn")
    list_filter = (KindFilter, "withdrawn")
    search_fields = ("label",)
    search_help_text = "Beginnings of words of the name, a whole alias as it is written, or an id."
    list_select_related = ("document__corpus",)
    fields = ()
    change_form_template = "admin/corpus/term/change_form.html"

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """By words of the label, alias, id."""
        return finding.terms(queryset, search_term), False

    def corpus_of(self, row: Any) -> Any:
        """The corpus of its vocabulary."""
        return row.document.corpus

    @column("other names")
    def aliases(self, term: Term) -> str:
        """The first of them."""
        names = [name for name in naming.aliases_of(term) if name != term.label]
        return shortened(", ".join(names), 90)

    @column("vocabulary")
    def vocabulary(self, term: Term) -> str:
        """Where it comes from."""
        return shortened(f"{term.document.title or term.document.external_id}", 60)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Its names and where they were found; POST rules on a name."""
        term = self.get_object(request, object_id)
        if term is not None and request.method == "POST" and self.has_work_permission(request):
            verdict, _, alias = request.POST.get("rule", "").partition(" ")
            with self.refusals_told(request):
                naming.rule(term, alias, verdict, **acting(request))
                self.message_user(request, f"{alias}: {verdict}. Documents are linked anew soon.")
            return HttpResponseRedirect(request.path)
        more = {} if term is None else self._shown(request, term)
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)

    def _shown(self, request: HttpRequest, term: Term) -> dict[str, Any]:
        corpus = term.document.corpus
        ruled = AliasRuling.objects.filter(corpus=corpus, curie=term.curie)
        verdicts = dict(ruled.values_list("key", "verdict"))
        return {
            "term": term,
            "names": [
                {"alias": name, "verdict": verdicts.get(fold_name(name), "on")}
                for name in naming.aliases_of(term)
            ],
            "mentions": _mentions(term, request),
            "version": lexicons.present(corpus).fingerprint,
            "may_work": self.has_work_permission(request),
        }


def _mentions(term: Term, request: HttpRequest) -> list[dict[str, str]]:
    """Some places where it was found, in documents that the person may see here."""
    rows = Mention.objects.filter(node__curie=term.curie)
    if not is_site_admin(request):
        rows = rows.visible_to(person(request))
    rows = rows.select_related("chunk__document").order_by("-pk")[:MENTIONS]
    return [
        {
            "url": reverse("admin:corpus_document_change", args=[row.chunk.document_id]),
            "title": shortened(row.chunk.document.title or row.chunk.document.external_id, 80),
            "before": row.chunk.text[max(0, row.start - AROUND) : row.start],
            "found": row.chunk.text[row.start : row.end],
            "after": row.chunk.text[row.end : row.end + AROUND],
        }
        for row in rows
    ]


@admin.register(AliasRuling)
class AliasRulingAdmin(Desk):
    """What curators said of names: changed at the entity."""

    list_display = ("alias", "curie", "verdict", "corpus", "user", "at")
    list_filter = ("verdict",)
    list_select_related = ("corpus", "user")
    search_fields = ("=curie", "=alias")
    fields = ("alias", "curie", "verdict", "corpus", "user", "at")
    readonly_fields = ("at",)
