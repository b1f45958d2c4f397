"""Log files: turned over by size, followed line by line."""

import os

import pytest

from flux_site.runtime import logfiles


@pytest.fixture
def log(tmp_path):
    return tmp_path / "web.log"


@pytest.fixture
def shown(log):
    """A list that receives what a follower of the log shows, and the follower."""
    lines = []
    follower = logfiles.Follower(lambda name, line: lines.append((name, line)), only_notable=False)
    follower.add(log)
    return lines, follower


def append(path, text):
    with path.open("a") as file:
        file.write(text)


def test_a_log_is_appended_to_and_private(log):
    log.write_text("before\n")
    descriptor = logfiles.open_log(log)
    os.write(descriptor, b"after\n")
    os.close(descriptor)
    assert log.read_text() == "before\nafter\n"


def test_a_large_log_is_turned_over_while_its_writer_goes_on(log):
    writer = logfiles.open_log(log)
    os.write(writer, b"x" * 100)
    assert logfiles.turn_over(log, largest=50)
    os.write(writer, b"next\n")
    os.close(writer)
    assert log.read_bytes() == b"next\n"
    assert log.with_name("web.log.1").read_bytes() == b"x" * 100


def test_a_small_or_missing_log_stays(log):
    assert not logfiles.turn_over(log)
    log.write_text("short\n")
    assert not logfiles.turn_over(log)
    assert log.read_text() == "short\n"


def test_the_tail_is_the_last_lines_and_empty_without_a_log(log):
    assert logfiles.tail(log) == ""
    log.write_text("".join(f"line {number}\n" for number in range(50)))
    assert logfiles.tail(log, lines=2) == "line 48\nline 49"


def test_a_follower_shows_whole_new_lines_once(log, shown):
    lines, follower = shown
    append(log, "one\ntw")
    follower.read()
    append(log, "o\n")
    follower.read()
    follower.read()
    assert lines == [("web", "one"), ("web", "two")]


def test_a_follower_starts_at_the_present_end_and_survives_a_cut(log):
    lines = []
    append(log, "old\n" * 10)
    follower = logfiles.Follower(lambda _, line: lines.append(line), only_notable=False)
    follower.add(log)
    os.truncate(log, 0)
    append(log, "new\n")
    follower.read()
    assert lines == ["new"]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('{"event": "slow", "level": "warning"}', "warning: slow"),
        ('{"event": "first\\nsecond", "level": "error"}', "error: first"),
        ('{"event": "chunk.embedded", "level": "info", "logger": "x.error"}', ""),
        ('{"event": "cut off by an error', '{"event": "cut off by an error'),
        ("2026-01-01 ERROR: relation does not exist", "2026-01-01 ERROR: relation does not exist"),
        ("Traceback (most recent call last):", "Traceback (most recent call last):"),
        ("ValueError: no", "ValueError: no"),
        ("LOG:  checkpoint complete", ""),
        ("# WARNING Memory overcommit must be enabled! Without it", ""),
    ],
)
def test_a_quiet_console_shows_only_what_needs_attention(log, line, shown):
    lines = []
    follower = logfiles.Follower(lambda _, text: lines.append(text), only_notable=True)
    follower.add(log)
    append(log, line + "\n")
    follower.read()
    assert lines == ([shown] if shown else [])
