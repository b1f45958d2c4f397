"""A page of a document as its picture, with what is meant marked on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.models import Page
from corpus.web.links import image_url
from corpus.web.marks import Rectangle

SHOWN_WIDTH = 935  # CSS pixels: 110 dpi of A4; the browser scales, the ratio keeps the page still


@dataclass(frozen=True, slots=True)
class Sheet:
    """What partials/sheet.html draws. `width` and `height` are points, the space of the boxes."""

    image_url: str
    width: float
    height: float
    boxes: Sequence[Rectangle]
    label: str
    void: bool = False
    eager: bool = False

    @property
    def pixel_width(self) -> int:
        """Width of the image as laid out."""
        return SHOWN_WIDTH

    @property
    def pixel_height(self) -> int:
        """Height of the image as laid out."""
        return round(SHOWN_WIDTH * self.height / self.width) if self.width else SHOWN_WIDTH


def sheet_of(
    page: Page, boxes: Sequence[Rectangle], *, retracted: bool = False, eager: bool = False
) -> Sheet | None:
    """The page as a sheet; None when it has no picture."""
    if not page.image_sha256:
        return None
    label = f"Page {page.number}."
    if boxes:
        label += " The marked lines are repeated as text."
    if retracted:
        label += " A watermark says that the document is retracted."
    return Sheet(
        image_url(page.image_sha256), page.width, page.height, boxes, label, retracted, eager
    )
