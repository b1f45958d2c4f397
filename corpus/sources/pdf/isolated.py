"""A PDF parsed in a child process with limits on memory, time and pages."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Final

from corpus.sources import written
from corpus.sources.base import ParseError
from corpus.sources.pdf.ocr.model import OcrOptions
from corpus.sources.pdf.ocr.reader import HalfRead, OcrTurn, found_in
from corpus.types import NormalizedDocument

DEFAULT_MEMORY_BYTES: Final = 1536 * 1024 * 1024
DEFAULT_TIMEOUT_S: Final = 600.0  # 600 dense pages take about 65 s of one processor
DEFAULT_MAX_PAGES: Final = 2000
LOOK_EVERY_S: Final = 1.0
EXIT_REFUSED: Final = 3  # the parser said what is wrong with the file
EXIT_MEMORY: Final = 4
EXIT_HALF: Final = 5  # the time for recognition was over, more pages are left
NO_OCR: Final = OcrTurn(OcrOptions("off"))


def parse_isolated(
    data: bytes,
    filename: str,
    *,
    memory_bytes: int = DEFAULT_MEMORY_BYTES,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    max_pages: int = DEFAULT_MAX_PAGES,
    ocr: OcrTurn = NO_OCR,
    wanted: Callable[[], bool] = lambda: True,
) -> NormalizedDocument:
    """Parse and normalise one PDF in a process of its own.

    The child gets the file on standard input, behind a line that says what it may recognise, and
    answers with the document in JSON: what a file may have made of it is data here, never code.
    `timeout_s` is for reading without recognition.

    Raises ParseError for what the parser refuses, and when the child passes a limit, dies, or is
    stopped because `wanted` (asked every second) says no: the caller and the other files are
    unharmed. Raises HalfRead when the time for recognition is over and pages are left.
    """
    timeout_s += ocr.longest_s
    command = child_command(filename, memory_bytes, timeout_s, max_pages)
    done = _run(command, ocr.as_line() + data, filename, timeout_s, wanted)
    if done.returncode == EXIT_HALF:
        raise HalfRead(found_in(done.stdout))
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
    return written.read(done.stdout)


def child_command(filename: str, memory_bytes: int, timeout_s: float, max_pages: int) -> list[str]:
    """How the child is started; it limits itself as well, should this process die."""
    limits = [str(memory_bytes), str(int(timeout_s) + 1), str(max_pages)]
    return [sys.executable, "-m", "corpus.sources.pdf.child", filename, *limits]


def _run(
    command: list[str], data: bytes, filename: str, timeout_s: float, wanted: Callable[[], bool]
) -> subprocess.CompletedProcess[bytes]:
    """The child's end. Raises ParseError when it had to be stopped; no child outlives this call."""
    pipe = subprocess.PIPE
    # The file is handed down whole: what `communicate` has not written when a look interrupts it,
    # it never writes, and a child that was slow to start would wait for it to its end.
    with tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        with subprocess.Popen(
            command, stdin=given, stdout=pipe, stderr=pipe, env=_environment()
        ) as child:
            try:
                out, err = _awaited(child, filename, timeout_s, wanted)
            finally:
                child.kill()
    return subprocess.CompletedProcess(command, child.returncode, out, err)


def _awaited(
    child: subprocess.Popen[bytes], filename: str, timeout_s: float, wanted: Callable[[], bool]
) -> tuple[bytes, bytes]:
    """What the child wrote until its end. Raises ParseError when that is not waited for."""
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            wait_s = min(LOOK_EVERY_S, max(0.01, deadline - time.monotonic()))
            return child.communicate(timeout=wait_s)
        except subprocess.TimeoutExpired:
            pass
        if time.monotonic() > deadline:
            raise ParseError(
                f"{filename} took longer than {timeout_s:.0f} s to read and was stopped: "
                "split it, or export it again from its source."
            )
        if not wanted():
            raise ParseError(f"Reading {filename} was stopped.")


def _environment() -> dict[str, str]:
    """What the child needs to find Python and the code; no secrets of the server."""
    keep = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
    environment = {key: os.environ[key] for key in keep if key in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    environment["PYTHONHASHSEED"] = "0"
    return environment
