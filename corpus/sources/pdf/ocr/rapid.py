"""RapidOCR: small models that come in a wheel, for machines without tesseract."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Final

import numpy as np
from PIL import Image

from corpus.sources.pdf.ocr.model import RecognitionFailed, SeenLine, SeenWord

PACKAGE: Final = "rapidocr"
MAX_SIDE: Final = 1700  # pixels; the models gain nothing above, and memory grows with the area


def is_installed() -> bool:
    """Whether the package can be imported."""
    return find_spec(PACKAGE) is not None


@cache
def _model() -> Any:
    from rapidocr import RapidOCR

    threads = {
        f"EngineConfig.onnxruntime.{name}": value
        for name, value in (
            ("intra_op_num_threads", 1),
            ("inter_op_num_threads", 1),
            ("enable_cpu_mem_arena", False),
        )
    }
    # Its own turning of single lines would make a page that stands on its head look half right.
    rest = {"Global.log_level": "error", "Global.use_cls": False}
    return RapidOCR(params=threads | rest)


class Rapid:
    """An engine around the models; they are loaded at the first image."""

    name = "rapidocr"

    def recognise(self, image: Image.Image) -> list[SeenLine]:
        """As Engine."""
        scale = min(1.0, MAX_SIDE / max(image.size))
        size = (max(round(image.width * scale), 1), max(round(image.height * scale), 1))
        pixels = np.asarray(image.convert("RGB").resize(size), dtype=np.uint8)
        try:
            found = _model()(pixels, return_word_box=True)
        except Exception as error:  # models and their runtime raise many kinds
            raise RecognitionFailed(f"{PACKAGE}: {type(error).__name__}") from error
        lines = [[_word(word, scale) for word in line] for line in found.word_results or ()]
        return _columned([line for line in lines if line])


def _word(word: tuple[str, float, list[list[float]]], scale: float) -> SeenWord:
    text, score, corners = word
    xs, ys = [x / scale for x, _ in corners], [y / scale for _, y in corners]
    return SeenWord(text, (min(xs), min(ys), max(xs), max(ys)), float(score))


def _columned(lines: list[list[SeenWord]]) -> list[SeenLine]:
    """The models give lines row by row over the page; words of a row far apart are two lines."""
    parted: list[SeenLine] = []
    for line in lines:
        height = max(word.box[3] - word.box[1] for word in line)
        run = [line[0]]
        for before, word in pairwise(line):
            if word.box[0] - before.box[2] > 2 * height:
                parted.append(run)
                run = []
            run.append(word)
        parted.append(run)
    return parted
