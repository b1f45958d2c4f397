"""`bin/test`: servers of its own, a browser, one pytest session."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flux_site.runtime import assembly, browser, debian, processes, report
from flux_site.runtime.parts import Part
from flux_site.runtime.state import ROOT, Installation, StateFolder, part_environment
from flux_site.runtime.supervisor import Plan, Supervisor

FOLDERS = {
    "quick": ("unit", "db"),
    "unit": ("unit",),
    "db": ("db",),
    "flows": ("flows",),
    "pages": ("pages",),
}
EVERYTHING = ("unit", "db", "flows", "pages")
# The operator's own servers, keys and installation must not reach the tests.
WITHHELD = (
    *("DATABASE_URL", "REDIS_URL", "NEO4J_URL", "FLUX_STATE", "FLUX_PART", "FLUX_URL"),
    *("SECRET_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "NCBI_API_KEY", "ALLOWED_HOSTS"),
    *("OPENALEX_API_KEY", "OPENALEX_MAILTO", "SOURCE_CONTACT", "KEGG_LICENSED", "PUBMED_URL"),
    *("REACTOME_URL", "KEGG_URL", "OPENALEX_URL", "WIKIPATHWAYS_URL", "FLUX_HTTP_ALLOW_LOOPBACK"),
)
# Tests wait as much as they compute, so two at once pay on one core too; each worker has servers of
# its own, and an idle one takes over the rest of a busy one.
WORKERS = max(2, min(4, os.cpu_count() or 1))
AT_ONCE = (f"--numprocesses={WORKERS}", "--dist=worksteal")
OF_A_WORKER = ("DATABASE_URL", "REDIS_URL", "FLUX_STATE")
LAST_WORDS_S = 30.0  # an interrupted pytest writes its summary in this time


class Quiet:
    """Tells how the servers come up, then leaves the terminal to pytest."""

    def __init__(self) -> None:
        self._is_pytests = False
        self.has_failed = False

    def say(self, text: str) -> None:
        if not self._is_pytests:
            report.write(f"bin/test: {text}", sys.stderr)

    def ready(self, facts: Mapping[str, Any]) -> None:
        self._is_pytests = True

    def failed(self, message: str, log: str) -> None:
        self.has_failed = True
        report.write(report.complaint(message, log), sys.stderr)


def pytest_call(arguments: Sequence[str], tests: Path = ROOT / "tests") -> tuple[list[str], bool]:
    """What pytest is called with, and whether page tests are part of it.

    The first argument may name a set; without one everything runs that needs no outside help.
    """
    chosen = arguments[0] if arguments and arguments[0] in FOLDERS else None
    rest = list(arguments[1:] if chosen else arguments)
    folders = FOLDERS[chosen] if chosen else EVERYTHING
    if chosen == "quick":
        rest = ["-m", "not slow", *rest]
    named = [
        one for one in rest if not one.startswith("-") and (ROOT / one.split("::")[0]).exists()
    ]
    paths = [] if named else [str(tests / one) for one in folders if (tests / one).is_dir()]
    at_once = [] if named else AT_ONCE
    has_pages = "pages" in folders if not named else any("pages" in one for one in named)
    return [*at_once, *paths, *rest], has_pages


def workers(call: Sequence[str]) -> int:
    """How many processes run tests: the last -n counts, as with pytest."""
    asked = re.findall(r"(?:^| )(?:-n ?|--numprocesses[= ])(\d+)", " ".join(call))
    return max(1, int(asked[-1])) if asked else 1


def main(arguments: Sequence[str]) -> int:
    """Run the tests; the exit code is pytest's."""
    for name in WITHHELD:
        os.environ.pop(name, None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "flux_site.settings.test"
    call, has_pages = pytest_call(arguments)
    reporter = Quiet()
    _ensure_tesseract(reporter.say)
    browser_variables: dict[str, str] = {}
    if has_pages:
        try:
            browser_variables = browser.ensure(reporter.say)
        except browser.NoBrowser as missing:
            report.write(f"bin/test: FAILED: {missing}", sys.stderr)
            return 1
    with tempfile.TemporaryDirectory(prefix="flux-test-") as name:
        Path(name).chmod(0o711)  # PostgreSQL may run as another user
        return asyncio.run(_run(Path(name), call, browser_variables, reporter))


def _ensure_tesseract(say: Callable[[str], None]) -> None:
    """Text recognition is tested with tesseract too; without it those tests say that they skip."""
    if shutil.which("tesseract") is None and debian.can_install():
        say("no tesseract here: installing Debian's")
        debian.install("tesseract-ocr", "tesseract-ocr-eng")


async def _run(
    folder: Path, call: Sequence[str], variables: Mapping[str, str], reporter: Quiet
) -> int:
    installations = [_installation(folder / str(n + 1)) for n in range(workers(call))]
    plan = Plan(
        url="",
        servers=[part for made in installations for part in _servers(*made)],
        preparation=lambda: None,
        application=lambda: (),
    )
    supervisor = Supervisor(plan, installations[0][1], reporter)
    codes: list[int] = []

    async def run_pytest() -> None:
        codes.append(await _pytest(call, {**_variables(installations), **variables}))
        supervisor.stop()

    await supervisor.run(run_pytest)
    return codes[0] if codes else 1


Made = tuple[Installation, StateFolder]


def _installation(path: Path) -> Made:
    path.mkdir(mode=0o711)  # PostgreSQL may run as another user
    folder = StateFolder(path)
    return assembly.open_installation(folder, wants_empty=True), folder


def _servers(installation: Installation, folder: StateFolder) -> list[Part]:
    parts = assembly.server_parts(installation, folder, is_durable=False)
    return [dataclasses.replace(part, name=f"{part.name}-{folder.path.name}") for part in parts]


def _variables(installations: Sequence[Made]) -> dict[str, str]:
    """The first servers are everybody's; each worker finds its own in FLUX_TEST_SERVERS."""
    first, *_ = made = [part_environment(*one, os.environ) for one in installations]
    own = [{name: each[name] for name in OF_A_WORKER} for each in made]
    return first | {"FLUX_TEST_SERVERS": json.dumps(own)}


async def _pytest(call: Sequence[str], environment: Mapping[str, str]) -> int:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pytest", *call),
        env=environment,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=processes.die_with_parent(signal.SIGTERM),
    )
    try:
        return await process.wait()
    except asyncio.CancelledError:
        process.send_signal(signal.SIGINT)
        try:
            await asyncio.wait_for(process.wait(), LAST_WORDS_S)
        except TimeoutError:
            processes.end_group(process.pid)
        raise
