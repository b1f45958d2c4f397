"""Frames as the standard reads them."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from flux_site.kernel import sse

RUN = UUID("0b1f9a52-6f0e-4a0c-9a5e-2f4f5d1c7a10")


def parse(wire: str) -> dict[str, str]:
    """A reader by the letter of the standard: fields by line, data lines joined by a line feed."""
    found: dict[str, list[str]] = {}
    for line in wire.split("\n"):
        name, colon, value = line.partition(":")
        if colon and name:
            found.setdefault(name, []).append(value.removeprefix(" "))
    return {name: "\n".join(values) for name, values in found.items()}


def test_an_event_carries_id_name_and_data():
    wire = sse.json_frame({"seq": 3, "text": "β"}, event="token", event_id=str(sse.EventId(RUN, 3)))
    read = parse(wire)
    assert wire.endswith("\n\n")
    assert read["id"] == f"{RUN}:3"
    assert read["event"] == "token"
    assert json.loads(read["data"]) == {"seq": 3, "text": "β"}


def test_line_breaks_in_data_survive():
    assert parse(sse.frame("one\r\ntwo\rthree\n"))["data"] == "one\ntwo\nthree\n"


def test_a_line_break_cannot_smuggle_a_field():
    wire = sse.frame("x", event="token\ndata: forged", event_id="a\nid: b")
    assert parse(wire) == {"id": "a id: b", "event": "token data: forged", "data": "x"}


def test_other_unicode_line_ends_stay_in_the_text():
    assert parse(sse.frame("a\u2028b\x0bc"))["data"] == "a\u2028b\x0bc"


@pytest.mark.parametrize(
    "text", [None, "", "7", f"{RUN}", f"{RUN}:", f"{RUN}:-1", f"{RUN}:x", "run:7", f"{RUN}:٣"]
)
def test_what_is_no_event_id_is_none(text):
    assert sse.parse_event_id(text) is None


def test_an_event_id_round_trips():
    assert sse.parse_event_id(f" {sse.EventId(RUN, 12)} ") == sse.EventId(RUN, 12)


def test_heartbeats_are_comments():
    assert parse(sse.HEARTBEAT) == {}
    assert parse(sse.comment("a\ndata: b")) == {}
