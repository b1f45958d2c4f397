"""Rows as the audit tells them: what was, what is, and never a secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from django.db import models

Row = dict[str, Any]
HIDDEN = "(hidden)"
SECRET = re.compile(r"password|secret|token|sha256|hash|key$|^data$")
LONGEST = 1_000  # characters of a value


def row_of(obj: models.Model) -> Row:
    """The columns of a row by field, as the object holds them."""
    return {field.name: getattr(obj, field.attname) for field in obj._meta.concrete_fields}


def stored(obj: models.Model, *, locked: bool = False) -> Row:
    """The columns of a row as the database holds them; empty where it holds no such row. `locked`
    keeps them so until the end of the transaction.
    """
    rows = type(obj)._base_manager.filter(pk=obj.pk)
    found = (rows.select_for_update(no_key=True) if locked else rows).first()
    return row_of(found) if found else {}


def links_of(obj: models.Model) -> Row:
    """The ids on the other side of each many-to-many field."""
    return {
        field.name: sorted(getattr(obj, field.name).values_list("pk", flat=True))
        for field in obj._meta.many_to_many
    }


def differing(before: Row, after: Row) -> list[str]:
    """The fields in which two states of a row differ."""
    names = before.keys() | after.keys()
    return sorted(name for name in names if before.get(name) != after.get(name))


def told(model: type[models.Model], row: Row, names: Iterable[str]) -> Row:
    """Some columns of a row as JSON: other rows by public id, secrets hidden, long texts cut."""
    return {name: _told(model._meta.get_field(name), row[name]) for name in names if name in row}


def name_of(obj: models.Model) -> str:
    """The public id of a row, else its key."""
    return str(getattr(obj, "public_id", None) or obj.pk)


def _told(field: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(field, models.BinaryField) or SECRET.search(field.name):
        return HIDDEN
    if field.many_to_many:
        return [name_of(obj) for obj in field.related_model._base_manager.filter(pk__in=value)]
    if field.is_relation:
        found = field.related_model._base_manager.filter(**{field.target_field.name: value})
        return next((name_of(obj) for obj in found), str(value))
    return plain(value)


def plain(value: Any) -> Any:
    """A value that a JSON column takes."""
    if isinstance(value, str):
        return value.replace("\0", "")[:LONGEST]
    text = json.dumps(value, default=str).replace("\\u0000", "")
    return json.loads(text) if len(text) <= LONGEST else text[:LONGEST]
