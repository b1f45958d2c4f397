"""Which commands need the servers, and what is said when there are none."""

import json
import os
import subprocess

import pytest

from flux_site.runtime import commands
from flux_site.runtime.state import ROOT, Installation, StateFolder


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["parse", "file.pdf"],
        ["check_claims", "claims.jsonl", "--json"],
        ["rank_interventions", "--network", "n.tsv"],
        ["graph", "equivalences", "--gmt", "a.gmt"],
        ["search", "--help"],
    ],
)
def test_commands_on_files_and_help_need_no_servers(words):
    assert not commands.needs_servers(words)


@pytest.mark.parametrize("words", [["search", "x"], ["graph", "digest"], ["graph"], ["ingest"]])
def test_other_commands_need_them(words):
    assert commands.needs_servers(words)


def test_nothing_running_means_no_environment_unless_a_database_is_named(tmp_path):
    folder = StateFolder(tmp_path)
    assert commands.running_environment(folder, {}) is None
    url = "postgres://db.example/flux"
    made = commands.running_environment(folder, {"DATABASE_URL": url, "REDIS_URL": "redis://c/1"})
    assert (made["DATABASE_URL"], made["REDIS_URL"]) == (url, "redis://c/1")


def test_a_stopped_installation_is_not_running_though_its_files_are_there(tmp_path):
    folder = StateFolder(tmp_path)
    folder.make()
    Installation(database_port=1).save(folder)
    assert commands.running_environment(folder, {}) is None


def test_the_refusal_says_how_to_start(tmp_path):
    done = subprocess.run(
        [ROOT / "bin" / "flux", "search", "x", "--json"],
        env={"PATH": os.environ["PATH"], "FLUX_STATE": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=False,
    )
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 1
    assert error["code"] == "not_running"
    assert "bin/up --detach" in error["message"]
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("words", [[b"search", b"caf\xe9"], [b"\xed\xa0\x80"], [b"job", b"\xff"]])
def test_an_argument_that_is_no_utf_8_is_refused_in_one_sentence(tmp_path, words):
    done = subprocess.run(
        [os.fsencode(ROOT / "bin" / "flux"), *words, b"--json"],
        env=os.environ | {"FLUX_STATE": str(tmp_path / "state")},
        capture_output=True,
        check=False,
    )
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (2, "invalid_input")
    assert "is no UTF-8: write it in UTF-8" in error["message"]
    assert done.stderr.decode().splitlines() == [error["message"]]


def test_the_list_of_benchmarks_gives_each_its_first_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "search.py").write_text('"""How long a search takes."""\n')
    (tmp_path / "_shared.py").write_text('"""Not one."""\n')
    monkeypatch.setattr(commands, "BENCHMARKS", tmp_path)
    assert commands.bench([]) == 0
    assert capsys.readouterr().out.split() == ["search", "How", "long", "a", "search", "takes."]
    assert commands.bench(["absent"]) == 2
