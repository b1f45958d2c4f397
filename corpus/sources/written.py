"""A document as JSON, and back: nothing is lost, and reading runs no code of the writer's.

The form follows `corpus.types` field by field; pictures are in base64. Values under `fields`,
`metadata` and `report` are JSON as they are.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import json
from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from corpus.sources.base import ParseError
from corpus.types import NormalizedDocument


def write(document: NormalizedDocument) -> bytes:
    """The document as JSON on one line, in ASCII."""
    return json.dumps(form(document), separators=(",", ":")).encode()


def read(data: bytes) -> NormalizedDocument:
    """The document that was written. Raises ParseError for anything else."""
    try:
        return cast(NormalizedDocument, _value(NormalizedDocument, json.loads(data)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ParseError(f"This is no document as Flux writes it: {error}.") from error


def form(value: Any) -> Any:
    """A draft as JSON can carry it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: form(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: form(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [form(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value


@functools.cache
def _fields(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(kind: Any, given: Any) -> Any:
    """A value of the kind. Raises when it is none."""
    if kind is Any:
        return given
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = _fields(kind)
        if set(given) != set(hints):
            raise ValueError(f"the fields of a {kind.__name__} are others")
        return kind(**{name: _value(hint, given[name]) for name, hint in hints.items()})
    origin = get_origin(kind)
    if origin is tuple:
        return _tuple(get_args(kind), given)
    if origin in (Union, UnionType):  # every one of ours is "or None"
        return None if given is None else _value(get_args(kind)[0], given)
    return _plain(kind, origin, given)


def _tuple(kinds: tuple[Any, ...], given: Any) -> tuple[Any, ...]:
    if not isinstance(given, list):
        raise TypeError("a list is missing")
    if kinds[-1] is Ellipsis:
        return tuple(_value(kinds[0], item) for item in given)
    return tuple(_value(kind, item) for kind, item in zip(kinds, given, strict=True))


def _plain(kind: Any, origin: Any, given: Any) -> Any:
    if kind is bytes:
        return base64.b64decode(given, validate=True)
    if origin is Literal:
        fits = given in get_args(kind)
    else:
        expected = origin or kind
        fits = isinstance(given, (int, float) if expected is float else expected)
        fits = fits and isinstance(given, bool) == (expected is bool)
    if not fits:
        raise TypeError(f"{str(given)[:40]!r} is no {getattr(kind, '__name__', kind)}")
    return given
