"""What an installation remembers, and how its processes say that they are ready."""

import json
import os
import stat
from dataclasses import asdict
from pathlib import Path

import pytest

from flux_site.runtime.state import (
    LONGEST_SOCKET_PATH,
    ROOT,
    Installation,
    StateFolder,
    mark_ready,
    part_environment,
    state_path,
    write_whole,
)


@pytest.fixture
def folder(tmp_path):
    made = StateFolder(tmp_path / "state")
    made.make()
    return made


def test_the_state_lies_in_the_clone_unless_flux_state_names_another_folder(tmp_path):
    assert state_path({}) == ROOT / ".flux"
    assert state_path({"FLUX_STATE": str(tmp_path)}) == tmp_path
    assert state_path({"FLUX_STATE": "beside"}) == Path.cwd() / "beside"


def test_a_new_installation_has_secrets_of_its_own_and_finds_them_again(folder):
    first = Installation.load(folder)
    first.database_port = 23456
    first.save(folder)

    assert Installation.load(folder) == first
    assert first.secret_key != Installation().secret_key
    assert len({first.secret_key, first.database_password, first.valkey_password}) == 3


def test_secrets_are_readable_by_their_owner_only(folder):
    Installation().save(folder)
    assert stat.S_IMODE(folder.runtime_file.stat().st_mode) == 0o600
    for private in (folder.run, folder.logs, folder.valkey, folder.path / "media"):
        assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_fields_of_another_version_are_left_aside(folder):
    kept = Installation()
    write_whole(folder.runtime_file, json.dumps(asdict(kept) | {"from_the_future": 1}))
    assert Installation.load(folder) == kept


@pytest.mark.parametrize("text", ["", "{", "[]", '"word"'])
def test_a_damaged_file_is_an_error_and_not_a_new_installation(folder, text):
    folder.runtime_file.write_text(text)
    with pytest.raises(ValueError, match="damaged"):
        Installation.load(folder)


def test_the_operators_own_servers_go_before_the_embedded_ones():
    installation = Installation(database_port=1, valkey_port=2)
    assert installation.database_url.endswith("@127.0.0.1:1/flux")
    assert installation.redis_url.endswith("@127.0.0.1:2/0")

    installation.outside_database_url = "postgres://db.example/flux"
    installation.outside_redis_url = "rediss://cache.example/3"
    assert installation.database_url == "postgres://db.example/flux"
    assert installation.redis_url == "rediss://cache.example/3"


def test_parts_get_the_servers_the_state_and_no_model_hub(folder):
    installation = Installation(web_port=8123)
    given = {"PATH": "/bin", "FLUX_PART": "web", "DATABASE_URL": "x", "PYTHONPATH": "/other"}
    made = part_environment(installation, folder, given)

    assert made["DATABASE_URL"] == installation.database_url
    assert made["FLUX_STATE"] == str(folder.path)
    assert made["FLUX_URL"] == "http://127.0.0.1:8123"
    assert made["SECRET_KEY"] == installation.secret_key
    assert made["HF_HUB_OFFLINE"] == made["TRANSFORMERS_OFFLINE"] == "1"
    assert made["ORT_DISABLE_TELEMETRY"] == "1"
    assert made["PYTHONPATH"].split(os.pathsep) == [str(ROOT), "/other"]
    assert made["PATH"] == "/bin"
    assert "FLUX_PART" not in made


def test_the_operator_may_choose_threads_secret_and_address(folder):
    given = {"OMP_NUM_THREADS": "7", "SECRET_KEY": "own", "FLUX_URL": "https://flux.example"}
    made = part_environment(Installation(), folder, given)
    assert {name: made[name] for name in given} == given


def test_socket_paths_fit_into_an_address_however_deep_the_state_lies(tmp_path):
    shallow = StateFolder(Path("/tmp/s"))
    deep = StateFolder(tmp_path / ("d" * 60) / ("e" * 60))
    deep.make()
    made = deep.socket_dir()
    try:
        assert not made.is_relative_to(deep.path)
        assert len(f"{made}/.s.PGSQL.65535.lock") <= LONGEST_SOCKET_PATH
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
    finally:
        made.rmdir()
    assert len(f"{shallow.path}/socket/.s.PGSQL.65535.lock") <= LONGEST_SOCKET_PATH


def test_a_part_marks_itself_ready_by_its_own_name(folder, monkeypatch):
    monkeypatch.setenv("FLUX_STATE", str(folder.path))
    monkeypatch.setenv("FLUX_PART", "worker-bulk")
    mark_ready()
    assert folder.ready_file("worker-bulk").read_text() == f"{os.getpid()}\n"


def test_without_a_supervisor_nothing_is_marked(folder, monkeypatch):
    monkeypatch.setenv("FLUX_STATE", str(folder.path))
    monkeypatch.delenv("FLUX_PART", raising=False)
    mark_ready("web")
    assert list(folder.run.iterdir()) == []
