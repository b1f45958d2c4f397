"""The parts of an installation: what each runs, when it is ready and how it is stopped."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from flux_site.runtime import ports, postgres, processes, valkey
from flux_site.runtime.privileges import Privileges
from flux_site.runtime.state import ROOT, Installation, StateFolder, part_environment

WORKER_GRACE_S = 30.0  # a warm stop lets running tasks end; they are leased, so a cut costs no data
NAMES = (
    *("postgres", "valkey", "web", "worker-interactive", "worker-research", "worker-bulk"),
    *("beat", "lexical"),
)
ATTEMPTS = 3
ASKED_EVERY_S = 15.0  # whether a part that was ready still answers
SILENCE_S = 20.0  # under load an answer may take long
SILENCES = 3  # in a row
LIVE = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
PING = b"PING\r\n"  # without a password the answer is a refusal, which is one
POSTGRES_ATTEMPTS = 12  # children of a killed server hold its memory for some seconds


@dataclass(frozen=True)
class Watch:
    """How a part that was ready is found to hang: it stays silent `silences` times in a row.

    PostgreSQL has none: a disk that stalls looks like a hang, and a restart would prolong it.
    """

    is_silent: Callable[[], Awaitable[bool]]
    every_s: float = ASKED_EVERY_S
    silences: int = SILENCES


@dataclass(frozen=True)
class Part:
    """One process that the supervisor keeps alive.

    command is asked before each start, after before_start; answers is asked until it is true, and
    watch (of parts that listen) from then on.
    stop is a list of signals with the seconds each is given. attempts counts the starts that may
    fail before the first success. owns_group: what the process leaves behind is killed with it.
    """

    name: str
    command: Callable[[], list[str]]
    answers: Callable[[], bool]
    environment: Mapping[str, str]
    stop: tuple[tuple[signal.Signals, float], ...] = ((signal.SIGTERM, 10.0),)
    start_limit_s: float = 120.0
    attempts: int = ATTEMPTS
    owns_group: bool = True
    folder: Path = ROOT
    before_start: Callable[[], None] = lambda: None
    spawn_options: Mapping[str, object] = field(default_factory=dict)
    handed_down: tuple[int, ...] = ()  # file descriptors
    is_forked: bool = False  # runs our Python: may come from the nursery
    watch: Watch | None = None


def postgres_part(
    installation: Installation,
    folder: StateFolder,
    privileges: Privileges,
    *,
    is_durable: bool = True,
) -> Part:
    """The database. Its port is chosen anew only until the first success: then others know it."""
    known: list[int] = []

    def before_start() -> None:
        postgres.clear_foreign_pidfile(folder.pgdata)
        if not known:
            installation.database_port = ports.choose(installation.database_port)
            installation.save(folder)

    def answers() -> bool:
        if postgres.answers(installation.database_url):
            known.append(installation.database_port)
            return True
        return False

    def command() -> list[str]:
        return postgres.command(
            folder,
            privileges,
            port=installation.database_port,
            socket_dir=installation.socket_dir,
            variables=os.environ,
            is_durable=is_durable,
        )

    return Part(
        name="postgres",
        command=command,
        answers=answers,
        environment=postgres.environment(folder),
        # INT ends sessions and writes a checkpoint; QUIT stops at once and recovers at the next
        # start. Never KILL: it would leave the children behind.
        stop=((signal.SIGINT, 30.0), (signal.SIGQUIT, 15.0)),
        attempts=POSTGRES_ATTEMPTS,
        owns_group=False,
        folder=Path("/"),
        before_start=before_start,
        spawn_options=privileges.spawn_options(),
    )


def valkey_part(installation: Installation, folder: StateFolder) -> Part:
    """Queues, notifications and caches."""
    known: list[int] = []

    def before_start() -> None:
        if not known:
            installation.valkey_port = ports.choose(installation.valkey_port)
            installation.save(folder)
        valkey.configure(
            folder, port=installation.valkey_port, password=installation.valkey_password
        )

    def answers() -> bool:
        if valkey.answers(installation.redis_url):
            known.append(installation.valkey_port)
            return True
        return False

    return Part(
        name="valkey",
        command=lambda: [str(valkey.binary()), str(folder.valkey / "valkey.conf")],
        answers=answers,
        environment=postgres.environment(folder) | _marks("valkey", folder),
        before_start=before_start,
        attempts=ATTEMPTS * 2,
        watch=Watch(lambda: is_silent(installation.valkey_port, PING)),
    )


def _marks(name: str, folder: StateFolder) -> dict[str, str]:
    """The variables by which a process is known as a part, also after its supervisor has died."""
    return {"FLUX_PART": name, "FLUX_STATE": str(folder.path)}


def application_parts(
    installation: Installation, folder: StateFolder, web_socket: socket.socket
) -> list[Part]:
    """Web, workers, beat and the lexical follower; PostgreSQL and Valkey must be known by now."""
    variables = part_environment(installation, folder, os.environ)
    bulk = variables.get("FLUX_BULK_CONCURRENCY") or "1"
    python_part = partial(_python_part, variables=variables, folder=folder)
    return [
        python_part(
            "web",
            "-m",
            "flux_site.runtime.serve",
            str(web_socket.fileno()),
            answers=lambda: web_answers(installation.web_port),
            watch=Watch(lambda: is_silent(installation.web_port, LIVE)),
            handed_down=(web_socket.fileno(),),
            stop=((signal.SIGTERM, 10.0),),
        ),
        python_part("worker-interactive", *_worker("interactive", "interactive,default", "8")),
        python_part("worker-research", *_worker("research", "research", "8")),
        python_part("worker-bulk", *_worker("bulk", "bulk", bulk, pool="prefork")),
        python_part(
            "beat",
            *("-m", "celery", "-A", "flux_site.celery", "beat", "--loglevel=INFO", "--pidfile="),
            f"--schedule={folder.run / 'beat-schedule'}",
            stop=((signal.SIGTERM, 10.0),),
        ),
        python_part(
            "lexical", str(ROOT / "manage.py"), "follow_lexical", stop=((signal.SIGTERM, 10.0),)
        ),
    ]


def _worker(name: str, queues: str, concurrency: str, *, pool: str = "threads") -> list[str]:
    return [
        *("-m", "celery", "-A", "flux_site.celery", "worker", "-Q", queues, "-P", pool),
        *("-c", concurrency, "-n", f"{name}@%h", "--loglevel=INFO"),
        # Workers of one installation have nothing to tell each other, and asking costs a second.
        *("--without-gossip", "--without-mingle"),
    ]


def _python_part(
    name: str,
    *arguments: str,
    variables: Mapping[str, str],
    folder: StateFolder,
    answers: Callable[[], bool] | None = None,
    watch: Watch | None = None,
    stop: tuple[tuple[signal.Signals, float], ...] = (
        (signal.SIGTERM, WORKER_GRACE_S),
        (signal.SIGQUIT, 5.0),
    ),
    handed_down: tuple[int, ...] = (),
) -> Part:
    return Part(
        name=name,
        command=lambda: [sys.executable, *(["-P"] if arguments[0] == "-m" else []), *arguments],
        answers=answers or folder.ready_file(name).exists,
        environment=dict(variables) | _marks(name, folder),
        stop=stop,
        handed_down=handed_down,
        is_forked=True,
        watch=watch,
    )


def web_answers(port: int, timeout_s: float = 2.0) -> bool:
    """True when the site answers GET /health/live.

    A redirect to https or a refused host name (production settings) is an answer too.
    """
    connection = http.client.HTTPConnection(ports.LOOPBACK, port, timeout=timeout_s)
    try:
        connection.request("GET", "/health/live")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


async def is_silent(port: int, question: bytes, *, limit_s: float = SILENCE_S) -> bool:
    """True when nothing comes back on a question in time.

    A refusal, an error or an end is an answer here: whoever gives it does not hang.
    """
    try:
        async with asyncio.timeout(limit_s):
            reader, writer = await asyncio.open_connection(ports.LOOPBACK, port)
            try:
                writer.write(question)
                await reader.read(1)
            finally:
                writer.close()
    except TimeoutError:
        return True
    except OSError:
        return False
    return False


def stop_rank(name: str) -> int:
    """The order of the stop: followers first, then who enqueues, who works, who answers, stores."""
    order = ("lexical", "beat", "worker", "web", "valkey", "postgres")
    return next((rank for rank, start in enumerate(order) if name.startswith(start)), 0)


def sweep(folder: StateFolder) -> list[str]:
    """End what an earlier supervisor left behind after it was killed; return what was done.

    Parts of the application are given a short warm stop; the database is never killed.
    """
    report = []
    left = processes.of_installation(folder.path)
    if left:
        report.append(f"ending {len(left)} processes of an earlier start")
        alive = processes.end(left, (signal.SIGTERM, 10.0), (signal.SIGKILL, 5.0))
        report += [f"process {process.pid} does not end" for process in alive]
    pid = postgres.postmaster_pid(folder.pgdata)
    servers = [one for one in processes.in_folder(folder.pgdata) if one.pid == pid]
    if servers:
        report.append("stopping PostgreSQL of an earlier start")
        processes.end(servers, (signal.SIGINT, 30.0), (signal.SIGQUIT, 15.0))
    processes.wait(processes.in_folder(folder.pgdata), 10.0)
    return report
