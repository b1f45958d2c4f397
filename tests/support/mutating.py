"""Damaged files, the same on every run: what a source must answer with a reason."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace

from corpus.sources.base import Broken, NotThisSource, ParseError, Source
from corpus.types import NormalizedDocument

MOST_SECONDS = 5.0  # of one small damaged file; a hang takes for ever


def mutations(data: bytes, count: int = 100) -> Iterator[bytes]:
    """Yield `count` damaged copies: bytes changed, cut out, repeated, put in, the end cut off."""
    for seed in range(count):
        chance = random.Random(seed)
        copy = bytearray(data)
        for _ in range(chance.choice([1, 3, 10, 40])):
            _damage(copy, chance)
        yield bytes(copy)


def _damage(copy: bytearray, chance: random.Random) -> None:
    if not copy:
        return
    place = chance.randrange(len(copy))
    end = min(place + chance.randrange(1, 60), len(copy))
    kind = chance.randrange(6)
    if kind == 0:
        copy[place] = chance.randrange(256)
    elif kind == 1:
        del copy[place:end]
    elif kind == 2:
        copy[place:place] = copy[place:end] * chance.randrange(1, 20)
    elif kind == 3:
        copy[place:place] = chance.choice([b"\x00", b"\xff\xfe", b"<", b"{", b"}", b"\\", b"\n\n"])
    elif kind == 4:
        copy[place:end] = bytes(chance.randrange(256) for _ in range(end - place))
    else:
        del copy[max(place, len(copy) // 2) :]


def outcome(source: Source, data: bytes, filename: str) -> str:
    """Read a file to its end and say what came of it: how many documents, or the reason.

    Anything but a reason that is meant for a curator goes through and fails the test.
    """
    started = time.process_time()
    documents = 0
    try:
        for record in source.parse(data, filename):
            if isinstance(record, Broken):
                assert record.reason
                continue
            try:
                document = source.normalize(record)
            except ParseError:
                continue
            assert document.title
            assert 0 < len(document.external_id) <= 255
            _storable(document)
            documents += 1
    except (ParseError, NotThisSource) as error:
        return error.message
    assert time.process_time() - started < MOST_SECONDS
    return f"{documents} documents"


def _storable(document: NormalizedDocument) -> None:
    """Nothing that PostgreSQL refuses, and nothing that cannot be written as UTF-8."""
    figures = tuple(replace(figure, image=None) for figure in document.figures)
    shown = repr(replace(document, figures=figures))
    assert "\\x00" not in shown
    shown.encode("utf-8")
