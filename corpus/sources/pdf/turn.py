"""Sideways text read as if the page were turned, and boxes turned back."""

from __future__ import annotations

import math
from dataclasses import dataclass

from corpus.sources.pdf.model import PageContent, Picture, Rect, Rule


@dataclass(frozen=True, slots=True)
class JobTurn:
    """A turn of a page of this size: 90 for text that climbs, 270 for text that falls, 180.

    `skew` leads from a straightened page to the scan as it lies; `to` takes it first.
    """

    degrees: int
    width: float
    height: float
    skew: float = 0.0

    @property
    def moves(self) -> bool:
        """Whether any place changes."""
        return bool(self.degrees or self.skew)

    def to(self, rect: Rect) -> Rect:
        """Where a rectangle of the page stands once the text is upright."""
        rect = self._askew(rect) if self.skew else rect
        if self.degrees == 90:
            return Rect(self.height - rect.y1, rect.x0, self.height - rect.y0, rect.x1)
        if self.degrees == 270:
            return Rect(rect.y0, self.width - rect.x1, rect.y1, self.width - rect.x0)
        return self._flipped(rect) if self.degrees == 180 else rect

    def back(self, rect: Rect) -> Rect:
        """Where a rectangle of the turned page stands on the page as shown."""
        if self.degrees == 90:
            return Rect(rect.y0, self.height - rect.x1, rect.y1, self.height - rect.x0)
        if self.degrees == 270:
            return Rect(self.width - rect.y1, rect.x0, self.width - rect.y0, rect.x1)
        return self._flipped(rect) if self.degrees == 180 else rect

    def _askew(self, rect: Rect) -> Rect:
        """The upright rectangle around one that is turned about the middle of the page."""
        sine, cosine = math.sin(math.radians(self.skew)), math.cos(math.radians(self.skew))
        middle_x, middle_y = self.width / 2, self.height / 2
        x, y = (rect.x0 + rect.x1) / 2 - middle_x, (rect.y0 + rect.y1) / 2 - middle_y
        x, y = middle_x + x * cosine - y * sine, middle_y + x * sine + y * cosine
        half_width = (rect.width * cosine + rect.height * abs(sine)) / 2
        half_height = (rect.height * cosine + rect.width * abs(sine)) / 2
        return Rect(x - half_width, y - half_height, x + half_width, y + half_height)

    def _flipped(self, rect: Rect) -> Rect:
        return Rect(
            self.width - rect.x1, self.height - rect.y1, self.width - rect.x0, self.height - rect.y0
        )


def as_shown(page: PageContent, rotation: int) -> PageContent:
    """A page that was read without its /Rotate entry, with the turn that leads to what is shown.

    Where the entry makes sideways text upright the page is turned; where it turns upright text
    away (a sideways table on a turned page) the text is read upright and only boxes are turned.
    """
    turn = JobTurn(rotation % 360, page.width, page.height)
    sideways = sum(line.letters for line in page.turned.get(turn.degrees, ()))
    if turn.degrees in (90, 270) and sideways > sum(line.letters for line in page.lines):
        upright, _ = turned_page(page, turn.degrees)
        upright.hidden, upright.ocr_layer = page.hidden, page.ocr_layer
        upright.outside = page.outside
        upright.glyphs, upright.unread_glyphs = page.glyphs, page.unread_glyphs
        return upright
    page.rotation = turn.degrees
    return page


def turned_page(page: PageContent, degrees: int) -> tuple[PageContent, JobTurn]:
    """The sideways text of a page as a page of its own, with all its graphics."""
    turn = JobTurn(degrees, page.width, page.height)
    upright = PageContent(page.number, page.height, page.width)
    upright.lines = list(page.turned.get(degrees, ()))
    upright.rules = [Rule(*turn.to(Rect(*rule))) for rule in page.rules]
    upright.shapes = [turn.to(rect) for rect in page.shapes]
    upright.fills = [turn.to(rect) for rect in page.fills]
    upright.pictures = [Picture(turn.to(p.rect), p.xref, p.width, p.height) for p in page.pictures]
    return upright, turn
