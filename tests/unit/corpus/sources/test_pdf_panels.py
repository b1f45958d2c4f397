"""Panels whose letters are drawn in the picture of their figure."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from corpus.sources.pdf.components import boxes_of
from corpus.sources.pdf.lettershapes import letters_in
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import FigureDraft
from tests.support.panelled import DPI, PARTS, figure, paper

UPPER_LEFT = {"A": (8, 8), "B": (208, 8), "C": (8, 138), "D": (208, 138)}


def read(picture: Image.Image, parts: str = PARTS) -> list[FigureDraft]:
    """The panels of the one captioned figure."""
    (found,) = parse(paper(picture, f"Figure 2. Growth of cells. {parts}"), "paper.pdf")
    figures = normalize(found).figures
    assert sum(one.parent is None and bool(one.label) for one in figures) == 1
    return [one for one in figures if one.parent is not None]


def corners(panels: list[FigureDraft]) -> list[tuple[float, float]]:
    """Where each panel begins, from the figure's upper left, in points."""
    return [(one.box.x0 - 60, one.box.y0 - 170) for one in panels if one.box is not None]


def flooded(ink: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Boxes of connected areas, found the slow way."""
    left = {(int(y), int(x)) for y, x in zip(*np.nonzero(ink), strict=True)}
    found = []
    while left:
        area, open_ = set(), [left.pop()]
        while open_:
            y, x = open_.pop()
            area.add((y, x))
            near = {(y + dy, x + dx) for dy, dx in product((-1, 0, 1), repeat=2)} & left
            left -= near
            open_ += near
        rows, columns = [y for y, _ in area], [x for _, x in area]
        found.append((min(columns), min(rows), max(columns) + 1, max(rows) + 1))
    return sorted(found)


@given(arrays.arrays(np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 12))))
def test_areas_are_those_that_touch_corners_counted(ink: np.ndarray) -> None:
    assert sorted(map(tuple, boxes_of(ink).tolist())) == flooded(ink)


@pytest.mark.parametrize("dark", [False, True])
def test_letters_alone_are_told_and_those_of_words_are_not(dark: bool) -> None:
    picture = figure(UPPER_LEFT, dark=dark, words={"BAD ABC": (60, 240), "(E)": (300, 245)})
    seen = letters_in(np.asarray(picture.convert("L")), DPI)
    assert sorted(one.letter for one in seen if one.letter != "I") == ["A", "B", "C", "D", "E"]


@pytest.mark.parametrize("dark", [False, True])
def test_panels_are_cut_at_letters_in_the_picture(dark: bool) -> None:
    panels = read(figure(UPPER_LEFT, dark=dark))
    assert [one.label for one in panels] == ["Figure 2A", "Figure 2B", "Figure 2C", "Figure 2D"]
    assert panels[1].caption == "(B) Mutant cells grow fast."
    assert all(one.image for one in panels)
    assert corners(panels) == [
        pytest.approx(place, abs=8) for place in ((0, 0), (206, 0), (0, 136), (206, 136))
    ]


def test_letters_may_stand_at_the_lower_right_of_each_panel() -> None:
    places = {"A": (180, 110), "B": (385, 110), "C": (180, 240), "D": (385, 240)}
    panels = read(figure(places))
    assert corners(panels) == [
        pytest.approx(place, abs=8) for place in ((0, 0), (190, 0), (0, 122), (190, 122))
    ]


def test_small_letters_in_brackets_are_one_size_with_and_without_ascenders() -> None:
    letters = {f"({letter.lower()})": place for letter, place in UPPER_LEFT.items()}
    panels = read(figure(letters), PARTS.lower())
    assert [one.label for one in panels] == ["Figure 2a", "Figure 2b", "Figure 2c", "Figure 2d"]


def test_a_letter_that_is_missing_or_one_too_many_makes_no_panels() -> None:
    fewer = {letter: place for letter, place in UPPER_LEFT.items() if letter != "C"}
    assert read(figure(fewer)) == []
    assert read(figure(UPPER_LEFT), "(A) Wild type. (B) Mutant cells. (C) Rescue.") == []


def test_letters_out_of_order_are_none_of_panels() -> None:
    assert read(figure({"A": (8, 8), "D": (208, 8), "C": (8, 138), "B": (208, 138)})) == []


def test_letters_in_the_middle_of_a_figure_are_none_of_panels() -> None:
    middle = {"A": (150, 90), "B": (190, 90), "C": (150, 120), "D": (190, 120)}
    assert read(figure(middle)) == []
