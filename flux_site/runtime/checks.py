"""`bin/lint` and `bin/fix`: every linter and check of the house, the same in CI and on a laptop."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from flux_site.runtime import report
from flux_site.runtime.state import ROOT

SCHEMA = ROOT / "docs" / "openapi.yaml"
TEMPLATES = "templates"
# Nothing here asks a database; one that is named but not there only costs a warning.
NO_DATABASE = "postgres://nobody@127.0.0.1:1/none"


def _module(*call: str) -> Callable[[], int]:
    return lambda: _run([sys.executable, "-m", *call])


def _manage(*call: str) -> Callable[[], int]:
    # Without a database Django warns that it cannot compare the migrations with what is applied.
    return lambda: _run([sys.executable, "-W", "ignore::RuntimeWarning", "manage.py", *call])


def openapi_diff() -> int:
    """Compare the API's description with the committed one; show the difference."""
    with tempfile.TemporaryDirectory() as name:
        made = Path(name) / "openapi.yaml"
        code = _manage("spectacular", "--validate", "--fail-on-warn", "--file", str(made))()
        if code:
            return code
        old = SCHEMA.read_text() if SCHEMA.exists() else ""
        difference = list(
            difflib.unified_diff(
                old.splitlines(keepends=True),
                made.read_text().splitlines(keepends=True),
                "docs/openapi.yaml",
                "the code",
            )
        )
    sys.stdout.writelines(difference[:60])
    if difference:
        report.write(f"\n{len(difference)} lines differ; bin/fix writes docs/openapi.yaml anew")
    return 1 if difference else 0


LINT: tuple[tuple[str, Callable[[], int]], ...] = (
    ("ruff check", _module("ruff", "check", ".")),
    ("ruff format --check", _module("ruff", "format", "--check", ".")),
    ("djlint --check", _module("djlint", TEMPLATES, "--check", "--quiet")),
    ("djlint --lint", _module("djlint", TEMPLATES, "--lint", "--quiet")),
    ("mypy", _module("mypy", ".")),
    ("lint-imports", lambda: _run([str(Path(sys.executable).parent / "lint-imports")])),
    ("manage.py check", _manage("check", "--fail-level", "WARNING")),
    ("makemigrations --check", _manage("makemigrations", "--check", "--dry-run")),
    ("OpenAPI diff", openapi_diff),
)
FIX: tuple[tuple[str, Callable[[], int]], ...] = (
    ("ruff check --fix", _module("ruff", "check", "--fix", ".")),
    ("ruff format", _module("ruff", "format", ".")),
    ("djlint --reformat", _module("djlint", TEMPLATES, "--reformat", "--quiet")),
    (
        "OpenAPI",
        _manage("spectacular", "--validate", "--fail-on-warn", "--file", str(SCHEMA)),
    ),
)


def lint(arguments: Sequence[str]) -> int:
    """Run all checks, also after one has failed, and name those that did; exit code 0 or 1."""
    return _run_steps(LINT, arguments)


def fix(arguments: Sequence[str]) -> int:
    """Let the tools mend what they can."""
    return _run_steps(FIX, arguments)


def _run_steps(steps: Sequence[tuple[str, Callable[[], int]]], wanted: Sequence[str]) -> int:
    """Run the steps whose name begins with one of the wanted words, all without any."""
    chosen = [step for step in steps if not wanted or step[0].startswith(tuple(wanted))]
    if not chosen:
        report.write("There is: " + ", ".join(name for name, _ in steps))
        return 2
    failed = []
    for name, run in chosen:
        report.write(f"== {name}")
        if run():
            failed.append(name)
    report.write(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


def _run(call: Sequence[str]) -> int:
    variables = {"DATABASE_URL": NO_DATABASE, "DJANGO_SETTINGS_MODULE": "flux_site.settings.test"}
    return subprocess.run(
        call, cwd=ROOT, env=os.environ | variables, stdin=subprocess.DEVNULL, check=False
    ).returncode
