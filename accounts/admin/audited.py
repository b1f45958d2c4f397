"""The base of every page of the admin: what is done on it, and whose rows it showed, is audited."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.utils import unquote
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse

from accounts.admin.patient import Patient
from accounts.admin.rows import (
    Row,
    differing,
    links_of,
    name_of,
    plain,
    row_of,
    stored,
    told,
)
from accounts.services.audit import record
from flux_site.kernel.clients import origin_of

MOST_NAMED = 200  # rows in one event


class Remembering(BaseModelAdmin):
    """Fields bring along what they showed, so that only what was changed in them is saved: others
    may have changed the row since.
    """

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """A field of the form."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and db_field.concrete and not db_field.many_to_many:
            field.show_hidden_initial = True
        return field


class Audited(Remembering, Patient):
    """Writes an event for each row added, changed or deleted, inlines and bulk actions included.

    `views_recorded` adds one for each list and form shown: for rows that belong to a corpus.
    """

    views_recorded = False

    def corpus_of(self, row: Any) -> models.Model | None:
        """The corpus that a row belongs to, where it belongs to one."""
        return getattr(row, "corpus", None)

    # Acts

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save a row; the event names what changed."""
        before = stored(obj, locked=True) if change else {}
        if change:
            wanted = row_of(obj)
            names = [name for name in _touched(form) if wanted.get(name) != before.get(name)]
            self.save_columns(request, obj, [name for name in names if name in before])
        else:
            super().save_model(request, obj, form, change)
        _write(request, "change" if change else "add", obj, before, stored(obj))

    def save_columns(self, request: HttpRequest, obj: Any, names: list[str]) -> None:
        """Write the columns that the form changed; `obj` holds what is wanted in them."""
        if names:
            obj.save(update_fields=names)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save what hangs on a row; its many-to-many fields are told like columns."""
        before = links_of(form.instance)
        super().save_related(request, form, formsets, change)
        _write(request, "change", form.instance, before, links_of(form.instance))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the rows of an inline; each has its own event."""
        manager = formset.model._base_manager
        known = [line.instance.pk for line in formset.initial_forms]
        before = list(manager.filter(pk__in=known))
        super().save_formset(request, form, formset, change)
        after = manager.in_bulk(known)
        for obj in before:
            left = after.get(obj.pk)
            act = "change" if left else "delete"
            _write(request, act, obj, row_of(obj), row_of(left) if left else {})
        for obj in formset.new_objects:
            _write(request, "add", obj, {}, stored(obj))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete a row; the event keeps it, and how much went with it."""
        counts = super().get_deleted_objects([obj], request)[1]
        before = row_of(obj)
        record(
            actor_of(request),
            "admin.delete",
            obj,
            origin=origin_of(request),
            before=told(type(obj), before, sorted(before)),
            after={"deleted": {str(kind): number for kind, number in counts.items()}},
        )
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Delete the chosen rows one by one, all or none."""
        with transaction.atomic():
            for obj in queryset:
                self.delete_model(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """The bulk actions; each is written down with the rows it was asked for."""
        given: dict[str, Any] = super().get_actions(request)
        return {
            name: (act if name == "delete_selected" else _recorded(act, name), name, text)
            for name, (act, _, text) in given.items()
        }

    # Looks

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list; the event of each corpus names the rows that were on the page."""
        response = super().changelist_view(request, extra_context)
        shown = (getattr(response, "context_data", None) or {}).get("cl")
        if self.views_recorded and shown is not None:
            self._listed(request, list(shown.result_list))
        return response

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The form of a row, or its page where it may not be changed."""
        response = super().render_change_form(request, context, *args, **kwargs)
        self._viewed(request, context.get("original"), "form")
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """What the admin did to a row; the page bears the row's name."""
        response = super().history_view(request, object_id, extra_context)
        self._viewed(request, self.get_object(request, unquote(object_id)), "history")
        return response

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What a deletion would take along: the page that asks for consent lists it all."""
        if "post" not in request.POST:
            rows = [f"{obj._meta.model_name} {name_of(obj)}" for obj in objs]
            after = {"page": "delete", "rows": rows[:MOST_NAMED]}
            record(actor_of(request), "admin.view", origin=origin_of(request), after=after)
        return super().get_deleted_objects(objs, request)

    def _viewed(self, request: HttpRequest, row: Any, page: str) -> None:
        if not self.views_recorded or row is None:
            return
        corpus = self.corpus_of(row)
        after = {"page": page} | ({"corpus": name_of(corpus)} if corpus else {})
        record(actor_of(request), "admin.view", row, origin=origin_of(request), after=after)

    def _listed(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        """One event for each corpus on the page; one without where no row belongs to any."""
        by_corpus: dict[models.Model | None, list[str]] = {}
        for row in rows:
            by_corpus.setdefault(self.corpus_of(row), []).append(name_of(row))
        query = {plain(key): plain(request.GET.getlist(key)) for key in request.GET}
        with transaction.atomic():  # one commit, however many corpora are on the page
            for corpus, names in (by_corpus or {None: []}).items():
                after = {"list": self.opts.model_name, "rows": names[:MOST_NAMED], "query": query}
                asked: dict[str, Any] = {"origin": origin_of(request), "after": after}
                record(actor_of(request), "admin.view", corpus, **asked)


def _write(request: HttpRequest, act: str, obj: models.Model, before: Row, after: Row) -> None:
    """An event of the fields in which two states of a row differ; none where none does."""
    names = differing(before, after)
    if not names:
        return
    record(
        actor_of(request),
        f"admin.{act}",
        obj,
        origin=origin_of(request),
        before=told(type(obj), before, names) or None,
        after=told(type(obj), after, names) or None,
    )


def _touched(form: Any) -> set[str]:
    """The fields that a person changed, and those of callers who do not send what was shown."""
    blind = {bound.name for bound in form if bound.html_initial_name not in form.data}
    return blind | set(form.changed_data)


def _recorded(act: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A bulk action that writes down its rows in the transaction of its work."""

    def acted(desk: admin.ModelAdmin, request: HttpRequest, queryset: Any) -> Any:
        rows = [name_of(obj) for obj in queryset[:MOST_NAMED]]
        told_of = {
            "action": name,
            "list": desk.opts.model_name,
            "rows": rows,
            "count": queryset.count(),
        }
        with transaction.atomic():
            record(actor_of(request), "admin.action", origin=origin_of(request), after=told_of)
            return act(desk, request, queryset)

    return acted


def actor_of(request: HttpRequest) -> Any:
    """Who asks."""
    return request.user
