"""Loading the demo corpus after a start, with its progress bar, once."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from flux_site.runtime.assembly import manage
from flux_site.runtime.state import ROOT, Installation, StateFolder, part_environment

FOLDER = ROOT / "flux_site" / "demo"
# The workers load it; the command only shows how far they are. Who waits for bin/up --detach waits
# no longer than this, in seconds.
PATIENCE_S = 100.0
GOES_ON = "The workers go on loading the demo corpus; the library shows how far they are."
AGAIN = "try again with: bin/flux demo load"


def fingerprint(installation: Installation, folder: Path = FOLDER) -> str:
    """Names the demo corpus as it is now, in the database it goes to."""
    made = hashlib.sha256((installation.outside_database_url or "embedded").encode())
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            made.update(path.relative_to(folder).as_posix().encode() + b"\0")
            made.update(path.read_bytes())
    return made.hexdigest()


def is_wanted(installation: Installation, *, wants_empty: bool) -> bool:
    """True when this start should load the demo corpus: not told otherwise, and not there yet."""
    if wants_empty or installation.is_empty:
        return False
    return installation.demo_loaded != fingerprint(installation)


def remember(installation: Installation, folder: StateFolder) -> None:
    """Later starts then skip the loading, which costs seconds even when there is nothing to do."""
    installation.demo_loaded = fingerprint(installation)
    installation.save(folder)


def load_for_a_while(
    installation: Installation,
    folder: StateFolder,
    say: Callable[[str], None],
    *,
    output: TextIO | None = None,
    patience_s: float = PATIENCE_S,
) -> bool:
    """Load it and wait for the end, within limits; False when it failed."""
    process = subprocess.Popen(
        _command(), env=part_environment(installation, folder, os.environ), stdout=output
    )
    try:
        code = process.wait(patience_s)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        process.terminate()
        process.wait()
        say(GOES_ON)
        return True
    if code:
        say(f"The demo corpus was not loaded; {AGAIN}")
        return False
    remember(installation, folder)
    return True


async def load_beside(
    installation: Installation, folder: StateFolder, say: Callable[[str], None]
) -> None:
    """Load it on this terminal while the supervisor works; given up when cancelled."""
    process = await asyncio.create_subprocess_exec(
        *_command(),
        env=part_environment(installation, folder, os.environ),
        start_new_session=True,  # Ctrl-C is the supervisor's
    )
    try:
        code = await process.wait()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        raise
    if code == 0:
        remember(installation, folder)
    else:
        say(f"the demo corpus was not loaded (exit code {code}); {AGAIN}")


def _command() -> list[str]:
    return [*manage(), "demo", "load"]
