"""Lines of JSON to records. A bad line is named and left out; the others are read."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from corpus.sources.base import Broken, NotThisSource, ParseError

# So many bad lines before the first good one, and the file is no JSONL of ours at all.
MAX_LEADING_BROKEN = 20
MAX_LINE_BYTES = 32 * 1024 * 1024
_KNOWN = frozenset(
    {"id", "title", "text", "section", "sections", "identifiers", "year", "tags", "type"}
)


@dataclass(frozen=True, slots=True)
class JsonlRecord:
    """One line, its values checked but not yet cleaned."""

    line: int
    id: str
    title: str
    text: str
    section: tuple[str, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()
    identifiers: Mapping[str, str] = field(default_factory=dict)
    year: str = ""
    tags: tuple[str, ...] = ()
    type: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


def parse(data: bytes, filename: str) -> Iterator[JsonlRecord | Broken]:
    """Yield the records of a JSONL file (UTF-8) in order; empty lines are skipped.

    Raises NotThisSource when there is no line at all, ParseError when the first lines are all
    unreadable.
    """
    leading: list[Broken] = []
    good = 0
    for number, line in enumerate(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")), start=1):
        if not line.strip():
            continue
        record = _record(line, number)
        if good or isinstance(record, JsonlRecord):
            yield from leading
            leading = []
            good += isinstance(record, JsonlRecord)
            yield record
            continue
        leading.append(record)
        if len(leading) >= MAX_LEADING_BROKEN:
            raise ParseError(
                f"{filename} is not JSONL with an id and a text a line. "
                f"The first problem: {leading[0].reason}"
            )
    if not good and not leading:
        raise NotThisSource(f"{filename} holds no line.")
    yield from leading


def _record(line: bytes, number: int) -> JsonlRecord | Broken:
    try:
        return _read(line, number)
    except _BadLine as bad:
        return Broken(f"line {number}", f"Line {number}: {bad}")


class _BadLine(ValueError):
    """What is wrong with one line, as the end of a sentence."""


def _read(line: bytes, number: int) -> JsonlRecord:
    value = _object(line)
    record_id = _string(value, "id")
    if not record_id:
        raise _BadLine("has no id.")
    record = JsonlRecord(
        line=number,
        id=record_id,
        title=_string(value, "title"),
        text=_string(value, "text"),
        section=_strings(value, "section"),
        sections=_sections(value),
        identifiers=_identifiers(value),
        year=_string(value, "year"),
        tags=_strings(value, "tags"),
        type=_string(value, "type"),
        extra={key: item for key, item in value.items() if key not in _KNOWN},
    )
    if not (record.title.strip() or record.text.strip() or record.sections):
        raise _BadLine("has neither title nor text.")
    return record


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE_BYTES:
        raise _BadLine(f"is longer than {MAX_LINE_BYTES >> 20} MB.")
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _BadLine(f"is not UTF-8 (byte {error.start}).") from error
    except RecursionError as error:
        raise _BadLine("is nested too deeply.") from error
    except ValueError as error:
        raise _BadLine(f"is not JSON ({error}).") from error
    if not isinstance(value, dict):
        raise _BadLine("is not a JSON object.")
    return value


def _string(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    if found is None:
        return ""
    if isinstance(found, bool) or not isinstance(found, (str, int, float)):
        raise _BadLine(f"has a {key} that is not a text.")
    return str(found)


def _strings(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key)
    if isinstance(found, list):
        return tuple(_string({key: item}, key) for item in found if item not in (None, ""))
    text = _string(value, key)
    return (text,) if text else ()


def _sections(value: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    found = value.get("sections")
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(part, dict) for part in found):
        raise _BadLine("has sections that are not a list of objects.")
    return tuple((_string(part, "heading"), _string(part, "text")) for part in found)


def _identifiers(value: Mapping[str, Any]) -> dict[str, str]:
    found = value.get("identifiers")
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise _BadLine("has identifiers that are not an object.")
    return {str(key).lower(): _string(found, key) for key in found}
