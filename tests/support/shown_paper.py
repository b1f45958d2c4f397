"""A paper of three pages with a figure in panels, a table, and a sentence over a page turn."""

from __future__ import annotations

from typing import Any, Final

from corpus.sources.pdf.mupdf import mupdf
from tests.support.panelled import PARTS, figure, place

BEFORE: Final = "The thaw of every frozen sample was"
AFTER: Final = "timed by one person and the clock was checked."
TURNED: Final = f"{BEFORE} {AFTER}"
TABLE: Final = (
    ("Compound", "Arm", "Serum level (ng/ml)", "Responders (%)"),
    ("Alvimab", "first", "12.5", "31.0"),
    ("", "second", "14.1", "44.7"),
    ("Bexotinib", "first", "20.3", "52.8"),
    ("", "second", "22.9", "58.6"),
)
_PROSE: Final = (
    "The kinase was active in all samples that were kept at low temperature for two days. "
    "No signal was seen in the control group, which had received the vehicle alone. "
)
_COLUMNS: Final = (70, 180, 290, 430)
_LETTERS: Final = {"A": (8, 8), "B": (208, 8), "C": (8, 138), "D": (208, 138)}


def shown_paper() -> bytes:
    """The file."""
    document = mupdf.open()
    page = document.new_page()
    page.insert_text((60, 70), "How cooling keeps a kinase active", fontsize=17, fontname="hebo")
    _prose(page, 110, 4)
    place(page, figure(_LETTERS), 240)
    _lines(page, 520, f"Figure 1. Growth of cells under cooling. {PARTS}", size=8)
    _prose(page, 560, 6)
    page = document.new_page()
    end = _prose(page, 70, 18)
    _lines(page, end, "Each sample was thawed twice. " * 5 + BEFORE)
    page = document.new_page()
    end = _lines(page, 70, f"{AFTER} {_PROSE * 3}")
    _table(page, end + 20)
    _prose(page, end + 170, 8)
    data: bytes = document.tobytes()
    return data


def _prose(page: Any, y: float, times: int) -> float:
    return _lines(page, y, _PROSE * times)


def _lines(page: Any, y: float, text: str, *, size: float = 10) -> float:
    """Set a text 470 points wide; return the baseline below it."""
    line = ""
    for word in [*text.split(), ""]:
        longer = f"{line} {word}".strip()
        if line and (not word or mupdf.get_text_length(longer, fontsize=size) > 470):
            page.insert_text((60, y), line, fontsize=size)
            longer, y = word, y + 1.2 * size
        line = longer
    return y


def _table(page: Any, y: float) -> None:
    page.insert_text((60, y), "Table 1. Levels and responders in both arms.", fontsize=9)
    for number, row in enumerate(TABLE):
        for x, text in zip(_COLUMNS, row, strict=True):
            page.insert_text((x, y + 24 + 14 * number), text, fontsize=9)
    for rule in (y + 10, y + 29, y + 30 + 14 * len(TABLE)):
        page.draw_line((60, rule), (530, rule), width=0.7)
