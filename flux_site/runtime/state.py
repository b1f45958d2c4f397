"""What an installation keeps on disk: its folder, its ports and secrets, and who is ready.

Standard library only: every process of the installation imports this module.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LONGEST_SOCKET_PATH = 107  # bytes in sockaddr_un.sun_path, less the closing NUL


def mark_ready(name: str | None = None) -> None:
    """Tell the supervisor that this process now does its work.

    Without the supervisor (no FLUX_PART or FLUX_STATE in the environment) nothing happens, so that
    code may call this wherever it runs. `name` defaults to the part's own.
    """
    part, state = os.environ.get("FLUX_PART"), os.environ.get("FLUX_STATE")
    if part and state:
        StateFolder(Path(state)).ready_file(name or part).write_text(f"{os.getpid()}\n")


def state_path(variables: Mapping[str, str] | None = None) -> Path:
    """The folder of all run-time state: FLUX_STATE, or `.flux` in the clone."""
    chosen = (os.environ if variables is None else variables).get("FLUX_STATE")
    return Path(chosen).expanduser().absolute() if chosen else ROOT / ".flux"


@dataclass(frozen=True)
class StateFolder:
    """Names of everything below FLUX_STATE."""

    path: Path

    @property
    def runtime_file(self) -> Path:
        return self.path / "runtime.json"

    @property
    def lock_file(self) -> Path:
        return self.path / "up.lock"

    @property
    def run(self) -> Path:
        return self.path / "run"

    @property
    def status_file(self) -> Path:
        return self.run / "status.json"

    @property
    def pgdata(self) -> Path:
        return self.path / "pgdata"

    @property
    def valkey(self) -> Path:
        return self.path / "valkey"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    def ready_file(self, part: str) -> Path:
        """The file whose presence says that a part does its work."""
        return self.run / f"{part}.ready"

    def log_file(self, part: str) -> Path:
        """Everything a part writes to its standard output and error."""
        return self.logs / f"{part}.log"

    def make(self) -> None:
        """Create the folders. What lies in them is private; the folder itself can be passed
        through, since PostgreSQL may run as another user (see `privileges`)."""
        self.path.mkdir(mode=0o711, parents=True, exist_ok=True)
        for folder in (self.run, self.valkey, self.logs):
            folder.mkdir(mode=0o700, exist_ok=True)
        for name in ("media", "lexical"):
            (self.path / name).mkdir(mode=0o700, exist_ok=True)

    def socket_dir(self) -> Path:
        """A folder for PostgreSQL's Unix socket whose paths fit into a socket address.

        Deep state folders get one below the temporary folder instead; it is made anew rather than
        taken over from anybody, so it is remembered in `Installation.socket_dir`.
        """
        beside = self.path / "socket"
        longest = beside / ".s.PGSQL.65535.lock"
        if len(os.fsencode(longest)) <= LONGEST_SOCKET_PATH:
            beside.mkdir(mode=0o700, exist_ok=True)
            return beside
        return Path(tempfile.mkdtemp(prefix="flux-"))


@dataclass
class Installation:
    """The facts of one installation that outlive its processes (runtime.json, mode 0600)."""

    secret_key: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    database_password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    valkey_password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    database_port: int = 0
    valkey_port: int = 0
    web_port: int = 0
    privileges: str = ""  # a mode of `privileges`: a data folder keeps its owner
    socket_dir: str = ""
    is_empty: bool = False  # made with --empty: no demo corpus is ever loaded by itself
    demo_loaded: str = ""  # fingerprint of the demo corpus and database that are loaded
    settings_module: str = "flux_site.settings.dev"
    outside_database_url: str = ""  # the operator's own servers, when they are used
    outside_redis_url: str = ""

    @classmethod
    def load(cls, folder: StateFolder) -> Installation:
        """Read runtime.json, or make new secrets when there is none yet.

        Raises: ValueError when the file is damaged: new passwords would lock out the data.
        """
        try:
            text = folder.runtime_file.read_text()
        except FileNotFoundError:
            return cls()
        try:
            stored: dict[str, Any] = json.loads(text)
            known = {one.name for one in fields(cls)}
            return cls(**{name: value for name, value in stored.items() if name in known})
        except (ValueError, TypeError, AttributeError) as damage:
            raise ValueError(f"{folder.runtime_file} is damaged: {damage}") from damage

    def save(self, folder: StateFolder) -> None:
        """Write runtime.json at once and whole, readable by its owner only."""
        write_whole(folder.runtime_file, json.dumps(asdict(self), indent=1) + "\n")

    @property
    def database_url(self) -> str:
        """Where Django and the probes find PostgreSQL."""
        if self.outside_database_url:
            return self.outside_database_url
        return f"postgres://flux:{self.database_password}@127.0.0.1:{self.database_port}/flux"

    @property
    def redis_url(self) -> str:
        """Where Celery, Channels and the caches find Valkey."""
        if self.outside_redis_url:
            return self.outside_redis_url
        return f"redis://:{self.valkey_password}@127.0.0.1:{self.valkey_port}/0"

    @property
    def url(self) -> str:
        """The address of the pages."""
        return f"http://127.0.0.1:{self.web_port}"


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step: a reader sees the old text or the new one, mode 0600."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(name).replace(path)


def part_environment(
    installation: Installation, folder: StateFolder, variables: Mapping[str, str]
) -> dict[str, str]:
    """The variables of every process of the installation, on top of the operator's own.

    No model hub is asked at run time: weights come from the environment or from a given folder.
    """
    path = [str(ROOT), *variables.get("PYTHONPATH", "").split(os.pathsep)]
    own = {
        "DATABASE_URL": installation.database_url,
        "REDIS_URL": installation.redis_url,
        "FLUX_STATE": str(folder.path),
        "FLUX_URL": variables.get("FLUX_URL") or installation.url,
        "SECRET_KEY": variables.get("SECRET_KEY") or installation.secret_key,
        "DJANGO_SETTINGS_MODULE": installation.settings_module,
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "ORT_DISABLE_TELEMETRY": "1",  # ONNX Runtime would report its use to its maker
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(filter(None, path))),
        "PYTHONUNBUFFERED": "1",
    }
    # glibc gives each thread an arena of its own; two keep the memory of threaded workers small.
    kept = {"OMP_NUM_THREADS": str(min(4, os.cpu_count() or 1)), "MALLOC_ARENA_MAX": "2"}
    merged = kept | dict(variables) | own
    merged.pop("FLUX_PART", None)
    return merged
