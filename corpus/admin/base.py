"""What all desks share: whose rows they show, pages of a bounded count, acts through services."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html

from accounts.admin import ReadOnly
from accounts.admin.audited import Audited
from accounts.models import User
from flux_site.kernel.clients import origin_of
from flux_site.kernel.errors import FluxError

MOST_COUNTED = 10_000  # rows: counting more costs more than knowing is worth


class Bounded(Paginator):
    """Pages over the first rows of a list. More than MOST_COUNTED are not counted: one more says
    that there are.
    """

    @cached_property
    def count(self) -> int:
        """How many there are, at most MOST_COUNTED + 1."""
        rows: Any = self.object_list
        return int(rows.order_by()[: MOST_COUNTED + 1].count())


class Desk(ReadOnly, Audited):
    """Rows that are looked at, and worked on through services.

    A site admin sees those of every corpus, anybody else what they may read; each look is audited.
    """

    views_recorded = True
    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    paginator = Bounded
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Rows that the person may see here."""
        rows: Any = super().get_queryset(request)
        return rows if is_site_admin(request) else rows.visible_to(request.user)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """A page of the list; what its columns need besides the rows is asked for together."""
        shown: Any = super().get_changelist_instance(request)
        shown.result_list = list(shown.result_list)
        self.look_up(request, shown.result_list)
        return shown

    def look_up(self, request: HttpRequest, rows: list[Any]) -> None:
        """Note on the rows of a page what its columns show, in few queries."""

    def has_work_permission(self, request: HttpRequest) -> bool:
        """Whether the person may do something with rows at all: on which, the services decide."""
        change = f"{self.opts.app_label}.change_{self.opts.model_name}"
        return person(request).has_perm(change)

    @contextmanager
    def refusals_told(self, request: HttpRequest) -> Iterator[None]:
        """A refusal of a service becomes a message, and what was done before it is undone."""
        try:
            with transaction.atomic():
                yield
        except FluxError as refused:
            text = refused.message or "There is no such thing, or it is not yours to work on."
            self.message_user(request, text, messages.ERROR)


def is_site_admin(request: HttpRequest) -> bool:
    """Whether who asks sees everything here."""
    return person(request).is_superuser


def person(request: HttpRequest) -> User:
    """Who asks: nobody comes here without having signed in."""
    return cast(User, request.user)


def acting(request: HttpRequest) -> dict[str, Any]:
    """Who acts, from where, and that it is inside the admin: as services take it."""
    return {"by": person(request), "origin": origin_of(request), "inside_admin": True}


def link(url: str, text: object) -> str:
    """A link in a cell."""
    return format_html('<a href="{}">{}</a>', url, text)


def column(text: str, **more: Any) -> Callable[[Any], Any]:
    """The heading of a computed column."""
    named: Callable[[Any], Any] = admin.display(description=text, **more)
    return named
