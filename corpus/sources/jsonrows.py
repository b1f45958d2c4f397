"""Lists of JSON objects, whole or one a line, as rows; and JSON read without surprises."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from corpus.sources.base import Broken, ParseError

MAX_KEYS: Final = 500


def load_json(text: str, filename: str) -> Any:
    """Parse JSON. Raises ParseError with a sentence for what is no JSON or nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ParseError(f"{filename} is nested too deeply.") from error
    except json.JSONDecodeError as error:
        raise ParseError(
            f"{filename} is not JSON ({error.msg} in line {error.lineno}). Fetch it again."
        ) from error
    except ValueError as error:  # a number of thousands of digits
        raise ParseError(f"{filename} holds a number that is too long.") from error


def json_lines(text: str) -> Iterator[tuple[int, Any] | Broken]:
    """Yield (line number, value) of JSONL; a line that is not is Broken, an empty one skipped."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError):
            yield Broken(f"line {number}", f"Line {number} is not JSON.")


def is_json_lines(text: str) -> bool:
    """Whether a text that starts like JSON has one object a line, and more than one line."""
    first, _, rest = text.strip().partition("\n")
    if not first.startswith("{"):
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return rest.lstrip().startswith("{")


def json_rows(text: str, filename: str) -> Iterator[tuple[int, list[str]] | Broken]:
    """Yield a header of all keys, in the order of their first appearance, then a row an object.

    Lists of plain values are joined by "; ", other nested values stay JSON. Raises ParseError when
    the text is neither a list of objects nor JSONL.
    """
    records, broken = _records(text, filename)
    keys = list(dict.fromkeys(key for _, record in records for key in record))
    if len(keys) > MAX_KEYS:
        raise ParseError(f"{filename} has objects with more than {MAX_KEYS} different keys.")
    if keys:
        yield 0, keys
    yield from broken
    for number, record in records:
        yield number, [cell_text(record.get(key)) for key in keys]


def _records(text: str, filename: str) -> tuple[list[tuple[int, Mapping[str, Any]]], list[Broken]]:
    values: Iterator[tuple[int, Any] | Broken] | list[tuple[int, Any]]
    if is_json_lines(text):
        values = json_lines(text)
    else:
        whole = load_json(text, filename)
        values = list(enumerate(whole, start=1)) if isinstance(whole, list) else [(1, whole)]
    records: list[tuple[int, Mapping[str, Any]]] = []
    broken: list[Broken] = []
    for value in values:
        if isinstance(value, Broken):
            broken.append(value)
        elif isinstance(value[1], dict):
            records.append(value)
        else:
            name = f"record {value[0]}"
            broken.append(Broken(name, f"{name.capitalize()} is not a JSON object."))
    return records, broken


def cell_text(value: Any) -> str:
    """A JSON value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return _digits(value)
    if isinstance(value, list) and all(isinstance(item, (str, int, float)) for item in value):
        return "; ".join(_digits(item) for item in value)
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return ""


def _digits(value: str | int | float) -> str:
    try:
        return str(value)
    except ValueError:  # an integer of thousands of digits
        return ""
