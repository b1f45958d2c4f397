"""Pages whose text layer is missing or wrong: recognised, or named in a note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from corpus.sources.pdf.model import PageContent, Rect, Word
from corpus.sources.pdf.ocr import engines
from corpus.sources.pdf.ocr.model import OcrOptions, Recognised
from corpus.sources.pdf.ocr.reader import Recogniser
from corpus.sources.pdf.ocr.typeset import page_of
from corpus.sources.pdf.ocr.upright import is_read
from corpus.sources.pdf.quality import doubtful_words, set_garbled_aside
from corpus.sources.pdf.rewording import mend
from corpus.sources.pdf.wording import on_pages, verb

SCAN_SHARE: Final = 0.4  # of the page's area that pictures of text cover at least
STAMP_LETTERS: Final = 120  # a scan may bear a stamp of whoever sent it
LOW_CONFIDENCE: Final = 0.7
SURE_INSIDE: Final = 0.6  # of a figure, curves and marks give doubtful words
_MANY_SHAPES: Final = 300  # of a page without text: its letters are drawn as outlines


class PageDoctor:
    """Mends what needs recognition, page by page, and keeps what a curator should know."""

    def __init__(self, document: Any, recogniser: Recogniser | None) -> None:
        self._document = document
        self._recogniser = recogniser
        self._used = 0
        self._pages: dict[str, list[int]] = {}
        self._failures: list[str] = []

    def mended(self, content: PageContent) -> PageContent:
        """The page with its text, recognised where it must be."""
        if set_garbled_aside(content):
            self._note("garbled", content)
            return self._whole(content)
        if is_scan(content):
            return self._whole(content)
        if doubtful := doubtful_words(content):
            self._note("doubtful", content)
            self._parts(content, doubtful)
        return content

    def _whole(self, content: PageContent) -> PageContent:
        found = self._recognised(content)
        if found is None or not is_read(found):
            if found is not None and not content.lines:
                self._note("nothing", content)
            return content
        page = page_of(found, content.number)
        page.hidden, page.outside = content.hidden, content.outside
        page.confidence, page.engine = found.confidence, found.engine
        self._note("low" if found.confidence < LOW_CONFIDENCE else "read", content)
        return page

    def _parts(self, content: PageContent, doubtful: Sequence[Word]) -> None:
        found = self._recognised(content)
        if mend(content, doubtful, found) and found is not None:
            content.engine, content.confidence = found.engine, found.confidence
            self._note("mended", content)

    def _recognised(self, content: PageContent) -> Recognised | None:
        """What the engine reads of a page, None with a note when it may not or cannot."""
        reader = self._recogniser
        if reader is None or reader.engine is None:
            self._note("unread", content)
            self._note("picture" if is_scan(content) else "waiting", content)
            return None
        if self._used >= reader.options.max_pages:
            self._note("over", content)
            return None
        self._used += 1
        found = reader.page(self._document[content.number - 1])
        if found.failed:
            self._failures.append(f"on page {content.number} ({found.failed})")
            return None
        return found

    def words_inside(self, number: int, rect: Rect) -> str:
        """Words inside a figure, if the options ask for them: axis labels, names of panels."""
        reader = self._recogniser
        if reader is None or reader.engine is None or not reader.options.figures:
            return ""
        found = reader.region(self._document[number - 1], rect)
        sure = (word for word in found.words() if word.confidence >= SURE_INSIDE)
        return " ".join(word.text for word in sure if any(map(str.isalnum, word.text)))

    def _note(self, what: str, content: PageContent) -> None:
        self._pages.setdefault(what, []).append(content.number)

    def pages(self, what: str) -> list[int]:
        """Numbers of the pages with this note."""
        return self._pages.get(what, [])

    def notes(self) -> list[str]:
        """Sentences for the curator."""
        options = self._recogniser.options if self._recogniser else OcrOptions("off")
        said = {
            "garbled": "The text layer of {on} is garbled and was left out.",
            "doubtful": "A part of the text layer of {on} is garbled.",
            "picture": f"{{On}} {{verb}} only a picture of text; {engines.why_none(options)}.",
            "waiting": f"{{On}} {{need}} text recognition; {engines.why_none(options)}.",
            "over": f"{{On}} {{verb}} only pictures of text and were not read: no more than "
            f"{options.max_pages} pages of a file are recognised (OCR_MAX_PAGES).",
            "nothing": "{On} {verb} a picture in which no text was recognised.",
            "read": "{On} {was} read by text recognition.",
            "mended": "Words on {on} were read by text recognition.",
            "low": "{On} {was} read by text recognition with low confidence: compare the text "
            "with the page's picture.",
        }
        notes = [_said(form, self.pages(what)) for what, form in said.items() if self.pages(what)]
        if self._failures:
            shown = "; ".join(self._failures[:3])
            more = f" and {len(self._failures) - 3} more" if len(self._failures) > 3 else ""
            notes.append(f"Text recognition failed {shown}{more}.")
        return notes


def is_scan(content: PageContent) -> bool:
    """Whether a page is a picture of text: no text of its own but a stamp, and much picture.

    A page that names a figure is a plate.
    """
    text = " ".join(line.text for run in _runs(content) for line in run)
    area = content.width * content.height
    covered = sum(picture.rect.area for picture in content.pictures)
    if not text:
        return covered > SCAN_SHARE * area or len(content.shapes) > _MANY_SHAPES
    return (
        not content.ocr_layer
        and len(text) < STAMP_LETTERS
        and covered > 0.8 * area
        and ("fig" not in text.lower())
    )


def _runs(content: PageContent) -> list[Any]:
    return [content.lines, *content.turned.values()]


def _said(form: str, numbers: Sequence[int]) -> str:
    return form.format(
        On=on_pages(numbers),
        on=on_pages(numbers, "p"),
        verb=verb(numbers),
        need="need" if len(numbers) > 1 else "needs",
        was="were" if len(numbers) > 1 else "was",
    )
