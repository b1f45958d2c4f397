"""Tesseract as a program of the machine, called with a time limit; words come as its TSV."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Final

from PIL import Image

from corpus.sources.pdf.ocr.model import RecognitionFailed, SeenLine, SeenWord

BINARY: Final = "tesseract"
_WORD: Final = "5"  # the level of a TSV row
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
_FULL_LAYOUT: Final = "3"  # page segmentation: columns and blocks, no look at orientation


def find_binary() -> str | None:
    """The path of the program, None where the machine has none."""
    return shutil.which(BINARY)


@cache
def languages_of(binary: str) -> frozenset[str]:
    """Languages whose data is installed; none when the program does not run."""
    try:
        done = subprocess.run(
            [binary, "--list-langs"], capture_output=True, timeout=20, check=True, text=True
        )
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(done.stdout.split("\n", 1)[-1].split())


class Tesseract:
    """An engine around the program. Its threads are switched off: pages share the processor."""

    name = "tesseract"

    def __init__(self, binary: str, languages: Sequence[str], dpi: int, timeout_s: float) -> None:
        self._command = [binary, "stdin", "stdout", "-l", "+".join(languages), "--dpi", str(dpi)]
        self._timeout_s = timeout_s

    def recognise(self, image: Image.Image) -> list[SeenLine]:
        """As Engine."""
        picture = io.BytesIO()
        image.convert("L").save(picture, "PNG", compress_level=1)
        try:
            done = subprocess.run(
                [*self._command, "--psm", _FULL_LAYOUT, "tsv"],
                input=picture.getvalue(),
                capture_output=True,
                timeout=self._timeout_s,
                preexec_fn=_end_with_parent,
                env=os.environ | {"OMP_THREAD_LIMIT": "1"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RecognitionFailed(f"it took longer than {self._timeout_s:.0f} s") from None
        except OSError as error:
            raise RecognitionFailed(f"{BINARY} does not start ({error.strerror})") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise RecognitionFailed(f"{BINARY} ended with {done.returncode}: {''.join(said[-1:])}")
        return _lines(done.stdout.decode("utf-8", "replace"))


def _end_with_parent() -> None:
    """On Linux, so that no page is read on when the reader was stopped."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def _lines(tsv: str) -> list[SeenLine]:
    """Rows of words by page, block, paragraph and line."""
    rows = [line.split("\t") for line in tsv.splitlines()[1:]]
    words = [row for row in rows if len(row) == 12 and row[0] == _WORD and row[11].strip()]
    return [[_word(row) for row in group] for _, group in groupby(words, key=lambda row: row[1:5])]


def _word(row: Sequence[str]) -> SeenWord:
    left, top, width, height = (float(value) for value in row[6:10])
    confidence = max(float(row[10]), 0.0) / 100
    return SeenWord(row[11].strip(), (left, top, left + width, top + height), confidence)
