"""Which engine reads pages on this machine."""

from __future__ import annotations

from typing import Final

from corpus.sources.pdf.ocr import rapid, tesseract
from corpus.sources.pdf.ocr.model import Engine, OcrOptions

TO_INSTALL: Final = (
    "install tesseract (on Debian tesseract-ocr) or requirements/ocr.txt, then read the file again"
)


def choose(options: OcrOptions) -> Engine | None:
    """The engine that the options ask for, where the machine has it; by itself tesseract first,
    which is quicker.
    """
    if options.engine in ("auto", "tesseract"):
        found = _tesseract(options)
        if found is not None:
            return found
    if options.engine in ("auto", "rapidocr") and rapid.is_installed():
        return rapid.Rapid()
    return None


def _tesseract(options: OcrOptions) -> Engine | None:
    binary = tesseract.find_binary()
    if binary is None:
        return None
    there = tesseract.languages_of(binary)
    languages = [name for name in options.languages if name in there]
    if not languages:
        return None
    return tesseract.Tesseract(binary, languages, options.dpi, options.page_timeout_s)


def why_none(options: OcrOptions) -> str:
    """What to tell a curator whose pages were not recognised."""
    if options.engine == "off":
        return "text recognition is switched off (OCR_ENGINE)"
    languages = "+".join(options.languages)
    if options.engine != "rapidocr" and tesseract.find_binary():
        return f"tesseract has no data for {languages}: install tesseract-ocr-{languages}"
    return f"text recognition has not run: {TO_INSTALL}"
