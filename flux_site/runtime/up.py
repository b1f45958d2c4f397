"""`bin/up`: start Flux in the foreground or behind, show its state, stop it."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from flux_site.runtime import lock, report, status
from flux_site.runtime.state import Installation, StateFolder, state_path

START_LIMIT_S = 300.0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of bin/up; a mistake ends the program with exit code 2."""
    parser = argparse.ArgumentParser(
        prog="bin/up",
        description="Start Flux on this machine: PostgreSQL, Valkey, web, workers, beat, index.",
        epilog="FLUX_STATE names the folder of all run-time state (default: .flux in the clone).",
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--detach", action="store_true", help="return when everything is ready")
    action.add_argument("--status", action="store_true", help="show what runs")
    action.add_argument("--stop", action="store_true", help="stop everything, in order")
    parser.add_argument("--empty", action="store_true", help="no demo corpus and no users")
    parser.add_argument("--port", type=int, metavar="N", help="port of the pages")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--verbose", action="store_true", help="show every line of the parts")
    parser.add_argument("--report-to", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Run bin/up; returns its exit code: 0 done, 1 failed, 2 bad arguments."""
    options = parse(arguments)
    folder = StateFolder(state_path())
    for inherited in ("FLUX_PART", "FLUX_STATE"):
        os.environ.pop(inherited, None)  # this may itself run inside a part
    if options.status:
        return show_status(folder, as_json=options.json)
    if options.stop:
        return stop(folder, as_json=options.json)
    if options.detach:
        return detach(folder, options)
    return supervise(folder, options)


def show_status(folder: StateFolder, *, as_json: bool) -> int:
    """Print the state of the installation and of each part."""
    found = status.look(folder)
    if as_json:
        report.write(json.dumps(found))
        return 0
    report.write(f"{found['state']}  {found['url'] or ''}".rstrip())
    for part in found["parts"]:
        pid = part["pid"] or "-"
        why = f" ({part['last_end']})" if part["last_end"] else ""
        line = f"{part['state']:<9} process {pid}  restarts {part['restarts']}{why}"
        report.write(f"  {part['name']:<18} {line}")
    return 0


def stop(folder: StateFolder, *, as_json: bool) -> int:
    """Stop the installation and wait until nothing of it is left."""
    say = _to_stderr if as_json else report.write
    has_ended = status.stop(folder, say)
    if not has_ended:
        return _fail("still_running", "Some processes do not end: see bin/up --status.", as_json)
    report.write(json.dumps(status.STOPPED) if as_json else "stopped")
    return 0


def supervise(folder: StateFolder, options: argparse.Namespace) -> int:
    """Be the supervisor until a signal comes."""
    from flux_site.runtime import assembly, parts, postgres, privileges

    reporter = report.Pipe(options.report_to) if options.report_to else report.Console("")
    try:
        folder.path.mkdir(mode=0o711, parents=True, exist_ok=True)
        with lock.supervising(folder):
            installation = assembly.open_installation(folder, wants_empty=options.empty)
            for line in parts.sweep(folder):
                reporter.say(line)
            with assembly.hold_web(installation, folder, options.port) as web_socket:
                plan = assembly.make_plan(installation, folder, web_socket)
                return asyncio.run(_supervise(plan, installation, folder, reporter, options))
    except (
        lock.AlreadyRunning,
        assembly.Refused,
        privileges.NoPrivileges,
        postgres.ServerFailed,
        OSError,
    ) as refusal:
        reporter.failed(str(refusal), "")
        return 1


async def _supervise(
    plan: Any,
    installation: Installation,
    folder: StateFolder,
    reporter: report.Console | report.Pipe,
    options: argparse.Namespace,
) -> int:
    from flux_site.runtime import demo, parts
    from flux_site.runtime.logfiles import Follower
    from flux_site.runtime.supervisor import Supervisor

    supervisor = Supervisor(plan, folder, reporter)
    if isinstance(reporter, report.Pipe):  # the demo corpus is then loaded by who waits
        return await supervisor.run()
    reporter.url = plan.url

    async def load_demo() -> None:
        if demo.is_wanted(installation, wants_empty=options.empty):
            await demo.load_beside(installation, folder, reporter.say)

    follower = Follower(reporter.show, only_notable=not options.verbose)
    for name in (*parts.NAMES, "prepare"):
        follower.add(folder.log_file(name))
    following = asyncio.create_task(follower.follow())
    try:
        return await supervisor.run(load_demo)
    finally:
        following.cancel()


def detach(folder: StateFolder, options: argparse.Namespace) -> int:
    """Start a supervisor of its own session and wait until it says that everything is ready."""
    if lock.is_held(folder):
        return _join_running(folder, options)
    folder.path.mkdir(mode=0o711, parents=True, exist_ok=True)
    folder.make()
    process, events = _spawn_supervisor(folder, options)
    try:
        facts, failure = _follow_start(events)
    except KeyboardInterrupt:
        process.send_signal(signal.SIGTERM)
        process.wait()
        return 130
    if failure is not None:
        process.wait()
        return _fail("start_failed", failure["message"], options.json, failure["log"])
    return _greet(folder, options, facts)


def _join_running(folder: StateFolder, options: argparse.Namespace) -> int:
    _to_stderr("Flux is already running here; waiting until it is ready.")
    found = status.wait_until_ready(folder, START_LIMIT_S)
    if found["state"] != "ready":
        return _fail("start_failed", f"It is {found['state']}: bin/up --status.", options.json)
    return _greet(folder, options, {})


def _spawn_supervisor(
    folder: StateFolder, options: argparse.Namespace
) -> tuple[subprocess.Popen[bytes], Any]:
    from flux_site.runtime import logfiles

    reader, writer = os.pipe()
    log = logfiles.open_log(folder.log_file("supervisor"))
    call = [sys.executable, "-P", "-m", "flux_site.runtime", "up", f"--report-to={writer}"]
    call += ["--empty"] if options.empty else []
    call += [f"--port={options.port}"] if options.port is not None else []
    process = subprocess.Popen(
        call,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
        pass_fds=(writer,),
        env=os.environ | {"FLUX_STATE": str(folder.path)},
    )
    os.close(writer)
    os.close(log)
    return process, os.fdopen(reader)


def _follow_start(events: Any) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Show the supervisor's lines until it is ready: (facts, None), or ({}, failure)."""
    with events:
        for line in events:
            event = json.loads(line)
            if event["event"] == "ready":
                return event["facts"], None
            if event["event"] == "failed":
                return {}, event
            _to_stderr(event["text"])
    return {}, {"message": "the supervisor ended; its log is logs/supervisor.log", "log": ""}


def _greet(folder: StateFolder, options: argparse.Namespace, facts: dict[str, Any]) -> int:
    """Say that it is ready, first of all; then load the demo corpus where it is wanted."""
    from flux_site.runtime import demo

    installation = Installation.load(folder)
    if options.json:
        shown = {"state": "ready", "url": installation.url}
        report.write(json.dumps(shown | {k: facts.get(k) for k in ("admin", "password")}))
    else:
        report.write(report.welcome(installation.url, facts) + "\n  Stop it with bin/up --stop.\n")
    if demo.is_wanted(installation, wants_empty=options.empty):
        is_well = demo.load_for_a_while(
            installation, folder, _to_stderr, output=sys.stderr if options.json else None
        )
        return 0 if is_well else 1
    return 0


def _fail(code: str, message: str, as_json: bool, log: str = "") -> int:
    if as_json:
        report.write(json.dumps({"error": {"code": code, "message": message, "log": log}}))
    else:
        _to_stderr(report.complaint(message, log) if code == "start_failed" else message)
    return 1


def _to_stderr(text: str) -> None:
    report.write(text, sys.stderr)
