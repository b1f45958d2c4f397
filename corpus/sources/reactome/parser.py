"""Content Service JSON and saved pathway records (JSONL) to Reactome events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.reactome.answers import EVENTS, ReactomeEvent, event_from_answer
from corpus.sources.reactome.saved import event_from_saved

__all__ = ["ReactomeEvent", "parse"]


def parse(data: bytes, filename: str) -> Iterator[ReactomeEvent | Broken]:
    """Yield the pathways and reactions of a file.

    Read are answers of `data/query` and `data/query/enhanced` (one event, or a list of them with
    their summations), and JSONL of saved pathway records. Any other answer of the Content Service
    (participants, ancestors, an entity, an error) raises NotThisSource; what is no JSON at all
    raises ParseError. A bad line of a JSONL file is a Broken record.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError(
            f"{filename} is not UTF-8 (byte {error.start}): it is no answer of Reactome."
        ) from error
    if not text.strip():
        raise NotThisSource(f"{filename} is empty.")
    if filename.endswith((".jsonl", ".ndjson")):
        yield from _lines(text, filename)
        return
    try:
        answer = json.loads(text)
    except RecursionError as error:
        raise ParseError(f"{filename} is nested too deeply to be an answer of Reactome.") from error
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text.lstrip().startswith("{"):
            yield from _lines(text, filename)
            return
        raise ParseError(
            f"{filename} is not JSON ({error.msg} in line {error.lineno}). Fetch it again."
        ) from error
    yield from _answers(answer, filename)


def _answers(answer: Any, filename: str) -> Iterator[ReactomeEvent | Broken]:
    if isinstance(answer, dict) and "schemaClass" not in answer and "summation_ids" in answer:
        yield _saved(answer, "record 1")
        return
    items = answer if isinstance(answer, list) else [answer]
    events = [item for item in items if _is_event(item, alone=items is not answer)]
    if not events:
        raise NotThisSource(f"{filename} {_what(answer)}, not a pathway or reaction in full.")
    for number, item in enumerate(events, start=1):
        event = event_from_answer(item)
        missing = f"Record {number} has no stable id or no name."
        yield event if event.st_id and event.name else Broken(f"record {number}", missing)


def _is_event(item: Any, *, alone: bool) -> bool:
    """Lists of events (ancestors, top pathways) name them only: a record there has its
    summation.
    """
    if not isinstance(item, dict) or str(item.get("schemaClass")) not in EVENTS:
        return False
    return alone or "summation" in item


def _what(answer: Any) -> str:
    if isinstance(answer, list):
        return "is a list of names and ids"
    if not isinstance(answer, dict):
        return "is a bare value"
    if "code" in answer and "reason" in answer:
        return f"is an error answer of Reactome ({answer['code']})"
    kind = answer.get("schemaClass")
    return f"describes a {kind}" if isinstance(kind, str) else "is another kind of answer"


def _lines(text: str, filename: str) -> Iterator[ReactomeEvent | Broken]:
    bad: list[Broken] = []
    good = False
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        event = _line(line, number)
        if good or isinstance(event, ReactomeEvent):
            yield from bad
            bad, good = [], True
            yield event
        else:
            bad.append(event)
    if not good:
        raise NotThisSource(f"{filename} holds no pathway record of Reactome. {bad[0].reason}")


def _line(line: str, number: int) -> ReactomeEvent | Broken:
    name = f"line {number}"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Broken(name, f"Line {number} is not JSON.")
    if not isinstance(value, dict):
        return Broken(name, f"Line {number} is not a JSON object.")
    if str(value.get("schemaClass")) in EVENTS:
        return event_from_answer(value)
    return _saved(value, name)


def _saved(value: dict[str, Any], name: str) -> ReactomeEvent | Broken:
    event = event_from_saved(value)
    if not (event.st_id and event.name):
        return Broken(name, f"{name.capitalize()} has no stable id (stId) or no displayName.")
    return event
