"""`bin/flux` and `bin/bench`: run something in the environment of the installation."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from flux_site.runtime import lock, ports, report
from flux_site.runtime.state import ROOT, Installation, StateFolder, part_environment, state_path

# Commands on files: they need neither database nor servers.
ON_FILES = {
    *("check_claims", "parse", "check_crate", "rank_interventions", "lexicon"),
    *("help", "--help", "-h", "version", "--version", "check", "spectacular"),
}
ON_FILES_WITH_VERB = {("graph", "equivalences")}
DATABASE_PATIENCE_S = 30.0  # a killed PostgreSQL is back after seconds
BENCHMARKS = ROOT / "benchmarks"


def needs_servers(arguments: Sequence[str]) -> bool:
    """False for commands that only read files, and for questions about a command's use."""
    if not arguments or arguments[0] in ON_FILES or {"-h", "--help"} & set(arguments):
        return False
    return tuple(arguments[:2]) not in ON_FILES_WITH_VERB


def running_environment(folder: StateFolder, variables: Mapping[str, str]) -> dict[str, str] | None:
    """The variables for a command against the running servers; None when nothing runs.

    DATABASE_URL and REDIS_URL of the caller go before those of the installation.
    """
    is_running = lock.is_held(folder)
    if not is_running and not variables.get("DATABASE_URL"):
        return None
    installation = Installation.load(folder)
    if is_running and not (installation.outside_database_url or variables.get("DATABASE_URL")):
        _wait_for(installation.database_port)
    return _with_own_servers(installation, folder, variables)


def _with_own_servers(
    installation: Installation, folder: StateFolder, variables: Mapping[str, str]
) -> dict[str, str]:
    installation.outside_database_url = (
        variables.get("DATABASE_URL") or installation.outside_database_url
    )
    installation.outside_redis_url = variables.get("REDIS_URL") or installation.outside_redis_url
    installation.settings_module = (
        variables.get("DJANGO_SETTINGS_MODULE") or installation.settings_module
    )
    return part_environment(installation, folder, variables)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + DATABASE_PATIENCE_S
    while not ports.is_answered(port) and time.monotonic() < deadline:
        time.sleep(0.2)


def flux(arguments: Sequence[str]) -> int:
    """Become `manage.py ARGUMENTS` against the running installation; 1 when there is none, 2 for
    arguments that are no text.
    """
    if (odd := unreadable(arguments)) is not None:
        message = (
            f"The argument {odd[:80]!a} is no UTF-8: write it in UTF-8. "
            "A file with such a name must be renamed first."
        )
        return _refuse("invalid_input", message, arguments, status=2)
    folder = StateFolder(state_path())
    try:
        variables = running_environment(folder, os.environ)
        if variables is None and not needs_servers(arguments):
            variables = _with_own_servers(Installation.load(folder), folder, os.environ)
    except ValueError as damage:
        return _refuse("damaged_state", str(damage), arguments)
    if variables is None:
        message = f"Flux is not running in {folder.path}. Start it with: bin/up --detach"
        return _refuse("not_running", message, arguments)
    os.execve(sys.executable, [sys.executable, str(ROOT / "manage.py"), *arguments], variables)


def unreadable(arguments: Sequence[str]) -> str | None:
    """The first argument whose bytes are no UTF-8: neither the database nor a terminal takes it.

    NUL needs no look: the system hands none over.
    """
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            return argument
    return None


def _refuse(code: str, message: str, arguments: Sequence[str], *, status: int = 1) -> int:
    if "--json" in arguments:
        report.write(json.dumps({"error": {"code": code, "message": message}}))
    report.write(message, sys.stderr)
    return status


def bench(arguments: Sequence[str]) -> int:
    """Become benchmarks/NAME.py with the rest of the arguments; without a name list them."""
    known = {path.stem: path for path in sorted(BENCHMARKS.glob("[!_]*.py"))}
    if not arguments:
        for name, path in known.items():
            report.write(f"{name:<24} {_first_line(path)}")
        return 0
    name, *rest = arguments
    if name not in known:
        report.write(f"No benchmark {name}; bin/bench lists them.", sys.stderr)
        return 2
    variables = running_environment(StateFolder(state_path()), os.environ) or dict(os.environ)
    os.execve(sys.executable, [sys.executable, str(known[name]), *rest], variables)


def _first_line(path: Path) -> str:
    """The first line of a script's docstring."""
    first = path.read_text().lstrip().split("\n", 1)[0]
    return first.strip('"') if first.startswith('"""') else ""
