"""OpenAlex JSON to works: one work, a page of results, or a work a line."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any, Final

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.markup import refuse_html
from corpus.sources.openalex.works import Work, work_from

__all__ = ["Work", "parse"]

MAX_LINE_BYTES: Final = 32 * 1024 * 1024
MAX_ANSWER_BYTES: Final = 64 * 1024 * 1024  # a page of 200 works has about 5 MB
_ID = re.compile(r"(?:https?://openalex\.org/)?(?P<kind>[A-Z])\d+", re.IGNORECASE)
_KINDS: Final = {
    "A": "an author", "C": "a concept", "F": "a funder", "I": "an institution",
    "P": "a publisher", "S": "a source", "T": "a topic",
}  # fmt: skip


def parse(data: bytes, filename: str) -> Iterator[Work | Broken]:
    """Yield the works of an answer, or of JSON lines.

    Raises NotThisSource for a web page (as unknown ids are answered), for an error, for other
    entities (a concept, a topic, a source say nothing of a paper) and for answers to a `select`
    that left out the id; ParseError for what is no JSON.
    """
    if not data.strip():
        raise NotThisSource(f"{filename} is empty.")
    _refuse_page(data, filename)
    if filename.lower().endswith((".jsonl", ".ndjson")):
        yield from _lines(data, filename)
        return
    if len(data) > MAX_ANSWER_BYTES:
        raise ParseError(
            f"{filename} is larger than {MAX_ANSWER_BYTES >> 20} MB: save it as one work a line "
            "(.jsonl)."
        )
    try:
        answer = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ParseError(
            f"{filename} is not UTF-8 (byte {error.start}): it is no answer of OpenAlex."
        ) from error
    except RecursionError as error:
        raise ParseError(f"{filename} is nested too deeply to be an answer of OpenAlex.") from error
    except json.JSONDecodeError as error:
        raise ParseError(
            f"{filename} is not JSON ({error.msg} in line {error.lineno}). Fetch it again."
        ) from error
    except ValueError as error:  # a number of more digits than Python converts
        raise ParseError(f"{filename} is not JSON that can be read ({error}).") from error
    yield from _answer(answer, filename)


def _refuse_page(data: bytes, filename: str) -> None:
    try:
        refuse_html(data, filename)
    except NotThisSource as page:
        raise NotThisSource(
            f"{filename} is a web page: so OpenAlex answers when it does not know a work."
        ) from page


def _answer(answer: Any, filename: str) -> Iterator[Work | Broken]:
    results = answer.get("results") if isinstance(answer, dict) else answer
    if not isinstance(results, list):
        if not _is_work(answer):
            raise NotThisSource(f"{filename} {_what(answer)}: no work in full. Fetch the work.")
        yield _record(answer, 1)
        return
    if not results:
        raise NotThisSource(f"{filename} is a page without results: OpenAlex found no work.")
    if not any(map(_is_work, results)):
        raise NotThisSource(f"{filename} is a list whose first item {_what(results[0])}.")
    for number, item in enumerate(results, start=1):
        yield _record(item, number)


def _is_work(value: Any) -> bool:
    return isinstance(value, dict) and _kind(value) == "W"


def _kind(value: dict[str, Any]) -> str:
    found = _ID.fullmatch(str(value.get("id") or ""))
    return found["kind"].upper() if found else ""


def _what(value: Any) -> str:
    if not isinstance(value, dict):
        return "is a bare value"
    if kind := _KINDS.get(_kind(value)):
        return f"describes {kind}"
    if "error" in value:
        return "is an error answer of OpenAlex"
    if set(value) & {"doi", "open_access", "title"}:
        return f"answers with {', '.join(sorted(map(str, value))[:5])} alone, without an id"
    return "is another kind of answer"


def _record(value: Any, number: int) -> Work | Broken:
    name = f"record {number}"
    if not _is_work(value):
        return Broken(name, f"Record {number} {_what(value)}, not a work.")
    work = work_from(value)
    if not (work.title or work.abstract.paragraphs):
        return Broken(work.id or name, f"{work.id or name} has neither title nor abstract.")
    return work


def _lines(data: bytes, filename: str) -> Iterator[Work | Broken]:
    bad: list[Broken] = []
    good = False
    for number, line in enumerate(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")), start=1):
        if not line.strip():
            continue
        record = _line(line, number)
        if good or isinstance(record, Work):
            yield from bad
            bad, good = [], True
            yield record
        elif len(bad) < 20:
            bad.append(record)
    if not good:
        reason = bad[0].reason if bad else "It holds no line."
        raise NotThisSource(f"{filename} holds no work of OpenAlex. {reason}")


def _line(line: bytes, number: int) -> Work | Broken:
    name = f"line {number}"
    if len(line) > MAX_LINE_BYTES:
        return Broken(name, f"Line {number} is longer than {MAX_LINE_BYTES >> 20} MB.")
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return Broken(name, f"Line {number} is not JSON.")
    return _record(value, number)
