"""A PDF's child process ends when nobody wants its work any more."""

from __future__ import annotations

import time

import psutil
import pytest

from corpus.sources.base import ParseError
from corpus.sources.pdf import isolated

SLEEPER = "import time; time.sleep(60)"


def test_a_child_is_stopped_when_its_work_is_not_wanted(monkeypatch):
    monkeypatch.setattr(isolated, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(
        isolated, "child_command", lambda *_: [isolated.sys.executable, "-c", SLEEPER]
    )
    began = time.monotonic()

    with pytest.raises(ParseError, match="stopped"):
        isolated.parse_isolated(b"%PDF", "a.pdf", wanted=lambda: False)

    assert time.monotonic() - began < 30
    assert not [c for c in psutil.Process().children() if c.status() != psutil.STATUS_ZOMBIE]


SLOW_TO_START = """
import sys, time
time.sleep(0.5)
sys.stdin.buffer.readline()
sys.stdout.write(f"{len(sys.stdin.buffer.read())} bytes came")
sys.exit(3)
"""


def test_a_child_that_is_slow_to_start_gets_the_whole_file(monkeypatch):
    """More than a pipe holds, looked after several times before the child reads the first byte."""
    monkeypatch.setattr(isolated, "LOOK_EVERY_S", 0.02)
    monkeypatch.setattr(
        isolated, "child_command", lambda *_: [isolated.sys.executable, "-c", SLOW_TO_START]
    )

    with pytest.raises(ParseError, match="1000000 bytes came"):
        isolated.parse_isolated(b"x" * 1_000_000, "a.pdf", timeout_s=20)
