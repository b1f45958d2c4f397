"""The rules around PostgreSQL's pid file and its call, on real processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from flux_site.runtime import parts, postgres, privileges
from flux_site.runtime.state import Installation, StateFolder

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def data(tmp_path):
    made = tmp_path / "pgdata"
    made.mkdir()
    return made


@pytest.fixture
def start():
    """Start a sleeping process with a working folder; all are ended after the test."""
    started = []

    def begin(folder):
        started.append(subprocess.Popen(SLEEPER, cwd=folder))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.wait()


def name_in_pidfile(data: Path, pid: int) -> Path:
    path = data / "postmaster.pid"
    path.write_text(f"{pid}\n{data}\n1700000000\n")
    return path


def test_a_pid_file_of_a_foreign_live_process_is_removed(data, tmp_path, start):
    path = name_in_pidfile(data, start(tmp_path).pid)
    assert postgres.clear_foreign_pidfile(data)
    assert not path.exists()


def test_a_pid_file_of_a_dead_process_stays_for_postgresqls_own_guard(data, tmp_path, start):
    gone = start(tmp_path)
    gone.kill()
    gone.wait()
    path = name_in_pidfile(data, gone.pid)
    assert not postgres.clear_foreign_pidfile(data)
    assert path.exists()


def test_a_pid_file_stays_while_any_process_works_in_the_data_folder(data, tmp_path, start):
    path = name_in_pidfile(data, start(tmp_path).pid)
    orphan = start(data)
    assert not postgres.clear_foreign_pidfile(data)
    assert path.exists()

    orphan.kill()
    orphan.wait()
    assert postgres.clear_foreign_pidfile(data)


@pytest.mark.parametrize("text", ["", "no number\n"])
def test_an_unreadable_pid_file_names_nobody(data, text):
    (data / "postmaster.pid").write_text(text)
    assert postgres.postmaster_pid(data) is None
    assert not postgres.clear_foreign_pidfile(data)


def test_the_server_listens_on_loopback_with_its_port_and_settings(tmp_path):
    call = postgres.command(
        StateFolder(tmp_path),
        privileges.of_mode("plain"),
        port=23456,
        socket_dir="/tmp/s",
        variables={"FLUX_PG_SHARED_BUFFERS": "1GB"},
    )
    assert call[call.index("-p") + 1] == "23456"
    assert {"listen_addresses=127.0.0.1", "shared_buffers=1GB", "jit=off"} <= set(call)
    assert "fsync=off" not in call


def test_postgresql_is_stopped_fast_then_at_once_and_never_killed(tmp_path):
    installation = Installation(socket_dir="/tmp/s")
    part = parts.postgres_part(installation, StateFolder(tmp_path), privileges.of_mode("plain"))
    assert [signal.name for signal, _ in part.stop] == ["SIGINT", "SIGQUIT"]
    assert not part.owns_group


def test_root_starts_it_as_somebody_else_and_others_as_themselves():
    nobody = privileges.of_mode("nobody")
    assert nobody.uid
    assert nobody.spawn_options() == {"user": nobody.uid, "group": nobody.gid, "extra_groups": []}
    assert privileges.of_mode("plain").spawn_options() == {}
    assert privileges.of_mode("userns").prefix[0] == "unshare"
    assert privileges.of_mode("setpriv").uid == nobody.uid


def test_a_data_folder_keeps_the_owner_it_was_made_with():
    for kept, modes in privileges.SAME_OWNER.items():
        owners = {privileges.of_mode(mode).uid for mode in modes}
        assert owners == {privileges.of_mode(kept).uid}


def test_a_binary_that_cannot_be_run_is_refused_with_what_would_help(tmp_path, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(privileges.NoPrivileges, match="DATABASE_URL"):
        privileges.find("", binary=tmp_path / "absent", folder=tmp_path)
