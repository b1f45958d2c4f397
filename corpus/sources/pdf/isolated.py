"""A PDF parsed in a child process with limits on memory, time and pages."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Final

from corpus.sources.base import ParseError
from corpus.types import NormalizedDocument

DEFAULT_MEMORY_BYTES: Final = 1536 * 1024 * 1024
DEFAULT_TIMEOUT_S: Final = 600.0  # 600 dense pages take about 65 s of one processor
DEFAULT_MAX_PAGES: Final = 2000
EXIT_REFUSED: Final = 3  # the parser said what is wrong with the file
EXIT_MEMORY: Final = 4


def parse_isolated(
    data: bytes,
    filename: str,
    *,
    memory_bytes: int = DEFAULT_MEMORY_BYTES,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    max_pages: int = DEFAULT_MAX_PAGES,
) -> NormalizedDocument:
    """Parse and normalise one PDF in a process of its own.

    The child gets the file on standard input and answers with a pickled document. Raises
    ParseError for what the parser refuses, and when the child passes a limit or dies: the caller
    and the other files of a batch are unharmed.
    """
    command = [
        sys.executable,
        "-m",
        "corpus.sources.pdf.child",
        filename,
        str(memory_bytes),
        str(int(timeout_s) + 1),
        str(max_pages),
    ]
    try:
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=timeout_s,
            check=False,
            env=_environment(),
        )
    except subprocess.TimeoutExpired as error:
        raise ParseError(
            f"{filename} took longer than {timeout_s:.0f} s to read and was stopped: split it, or "
            "export it again from its source."
        ) from error
    if done.returncode == EXIT_REFUSED:
        raise ParseError(done.stdout.decode("utf-8", "replace"))
    if done.returncode == EXIT_MEMORY or b"MemoryError" in done.stderr[-2000:]:
        raise ParseError(
            f"{filename} needs more than {memory_bytes >> 20} MB of memory to read and was "
            "stopped: split it, or make its images smaller."
        )
    if done.returncode != 0:
        raise ParseError(
            f"{filename} made the reader fail (status {done.returncode}): it is damaged. "
            "Export it again from its source."
        )
    document = pickle.loads(done.stdout)
    if not isinstance(document, NormalizedDocument):
        raise ParseError(f"{filename} gave no document: export it again from its source.")
    return document


def _environment() -> dict[str, str]:
    """What the child needs to find Python and the code; no secrets of the server."""
    keep = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
    environment = {key: os.environ[key] for key in keep if key in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    environment["PYTHONHASHSEED"] = "0"
    return environment
