"""What is said of an installation from outside."""

import json
import os

import pytest

from flux_site.runtime import assembly, demo, lock, ports, report, status
from flux_site.runtime.state import Installation, StateFolder


@pytest.fixture
def folder(tmp_path):
    made = StateFolder(tmp_path)
    made.make()
    Installation(database_port=1, valkey_port=1).save(made)
    return made


def write(folder, *, state, parts):
    folder.status_file.write_text(
        json.dumps({"state": state, "url": "http://127.0.0.1:8000", "parts": parts})
    )


def part(name, pid, state="ready"):
    return {"name": name, "pid": pid, "state": state, "restarts": 0, "last_end": ""}


def test_without_a_supervisor_everything_is_stopped_whatever_the_file_says(folder):
    write(folder, state="ready", parts=[part("web", os.getpid())])
    assert status.look(folder) == {"state": "stopped", "url": None, "parts": []}


def test_a_supervisor_that_has_not_written_yet_is_starting(folder):
    with lock.supervising(folder):
        assert status.look(folder)["state"] == "starting"


def test_a_part_that_does_not_answer_makes_the_whole_not_ready(folder):
    with lock.supervising(folder):
        write(folder, state="ready", parts=[part("postgres", os.getpid())])
        found = status.look(folder)
    assert found["state"] == "starting"
    assert found["parts"] == [part("postgres", os.getpid(), "starting")]


def test_a_part_whose_process_has_gone_is_not_ready(folder):
    with lock.supervising(folder):
        write(folder, state="ready", parts=[part("beat", None)])
        found = status.look(folder)
    assert (found["state"], found["parts"][0]["state"]) == ("starting", "starting")


def test_a_supervisor_of_an_earlier_version_is_understood(folder):
    told = {"name": "beat", "pid": os.getpid(), "state": "starting", "restarts": 0}
    with lock.supervising(folder):
        write(folder, state="starting", parts=[told])
        assert status.look(folder)["parts"] == [told | {"last_end": ""}]


def test_stopping_what_does_not_run_is_no_error(folder):
    assert status.stop(folder, lambda line: None)


def test_waiting_ends_when_nothing_runs(folder):
    assert status.wait_until_ready(folder, limit_s=5)["state"] == "stopped"


def test_a_waiting_reader_that_has_gone_does_not_hurt_the_supervisor(capsys):
    reader, writer = os.pipe()
    pipe = report.Pipe(writer)
    os.close(reader)
    pipe.say("starting")
    pipe.ready({})
    assert "starting" in capsys.readouterr().out


def test_the_password_is_shown_only_by_the_start_that_made_it():
    made = report.welcome("http://x", {"admin": "a@b.c", "password": "secret"})
    later = report.welcome("http://x", {"admin": "a@b.c", "password": None})
    assert "secret" in made
    assert "assword" not in later


def test_a_wished_port_that_is_taken_is_refused_and_others_are_replaced(folder):
    with ports.hold(0) as taken:
        port = taken.getsockname()[1]
        installation = Installation(web_port=port)
        with pytest.raises(assembly.Refused, match=str(port)):
            assembly.hold_web(installation, folder, port)
        with assembly.hold_web(installation, folder, None):
            assert installation.web_port != port
            assert Installation.load(folder).web_port == installation.web_port


def test_an_installation_founded_empty_stays_empty(tmp_path, monkeypatch):
    for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        monkeypatch.delenv(name, raising=False)
    folder = StateFolder(tmp_path / "state")
    assert assembly.open_installation(folder, wants_empty=True).is_empty
    again = assembly.open_installation(folder, wants_empty=False)
    assert again.is_empty
    assert not demo.is_wanted(again, wants_empty=False)


def test_the_demo_is_loaded_once_and_again_when_it_or_its_database_changes(folder, tmp_path):
    installation = Installation.load(folder)
    assert demo.is_wanted(installation, wants_empty=False)
    assert not demo.is_wanted(installation, wants_empty=True)
    demo.remember(installation, folder)
    assert not demo.is_wanted(Installation.load(folder), wants_empty=False)
    installation.outside_database_url = "postgres://other/flux"
    assert demo.is_wanted(installation, wants_empty=False)

    records = tmp_path / "demo"
    records.mkdir()
    before = demo.fingerprint(installation, records)
    (records / "records.jsonl").write_text("{}\n")
    assert demo.fingerprint(installation, records) != before
