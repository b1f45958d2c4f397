"""Pages of the admin that answer whatever their address or form asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import ValidationError
from django.db import DataError, transaction
from django.db.models import Field
from django.http import HttpRequest


class Patient(admin.ModelAdmin):
    """Values that no column can hold (NUL, numbers and dates without end) are bad lookups like
    others: Django finds them only where it builds a query, and these fail when it is run.
    """

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """A page of the list, with its rows. A bad lookup leads back to the whole list."""
        with _told_as(IncorrectLookupParameters):
            shown: Any = super().get_changelist_instance(request)
            len(shown.result_list)  # asked for here, not where the page is drawn
        return shown

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Rows that match the words, of which NUL is none."""
        words = search_term.replace("\0", "")
        return super().get_search_results(request, queryset, words)

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """The row, or None where there can be none."""
        try:
            with _told_as(LookupError):
                return super().get_object(request, object_id, from_field)
        except LookupError:
            return None

    def response_action(self, request: HttpRequest, queryset: Any, *args: Any) -> Any:
        """Act on the chosen rows; a key that can be none's chooses none."""
        chosen = request.POST.copy()
        keys = chosen.getlist(ACTION_CHECKBOX_NAME)
        chosen.setlist(ACTION_CHECKBOX_NAME, [key for key in keys if _fits(self.opts.pk, key)])
        request.POST = chosen  # type: ignore[assignment]
        return super().response_action(request, queryset, *args)


@contextmanager
def _told_as(kind: type[Exception]) -> Iterator[None]:
    """Raise what the database or Python cannot make of a value as an error of that kind."""
    try:
        with transaction.atomic():  # a refused query must not spoil those after it
            yield
    except (ValueError, OverflowError, DataError) as error:
        raise kind(str(error)) from error


def _fits(column: Field[Any, Any], key: str) -> bool:
    """Whether a column can hold the value."""
    try:
        column.clean(key, None)
    except ValidationError:
        return False
    return "\0" not in key
