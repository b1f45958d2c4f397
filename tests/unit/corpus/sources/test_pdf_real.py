"""The reader on real papers: no measure falls below what it has reached."""

from __future__ import annotations

import importlib.util
import json
import random
import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import pdf_boxes
from corpus.chunking import chunk
from corpus.sources.base import ParseError
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.ocr.reader import Recogniser
from corpus.sources.pdf.parser import parse
from corpus.sources.pdf.score_form import parse_form
from corpus.types import Box

pytestmark = [pytest.mark.shared_data, pytest.mark.slow]

# Percent, a little below what the reader scores today.
FLOORS = {
    "sentences found": 99.6,
    "spaces kept": 99.7,
    "abstract sentences": 99.0,
    "adjacent, nothing between": 97.0,
    "adjacent, in order": 99.4,
    "page right": 99.7,
    "bbox holds sentence start": 99.2,
    "section right (leaf)": 95.6,
    "headings recall": 99.2,
    "headings precision": 91.1,
    "figure captions recall": 95.0,
    "figure captions precision": 99.0,
    "figure linked to a box": 95.0,
    "table captions recall": 98.0,
    "tables found (half the cells)": 98.4,
    "tables precision": 97.0,
    "cells equal, in row order": 97.8,
    "cells equal, same column and spans": 96.7,
    "rows with all cells in order": 89.2,
}


def scorer(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("pdf_score", folder / "tools" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).lower()
    return "".join(char for char in folded if char.isalnum())


def test_no_measure_falls_below_its_floor(shared_data: Path) -> None:
    score = scorer(shared_data / "pdf")
    total: Counter[str] = Counter()
    for path in sorted((shared_data / "pdf" / "pairs").glob("*.pdf")):
        key = json.loads((shared_data / "pdf" / "keys" / f"{path.stem}.json").read_text())
        counts, _ = score.score(key, json.loads(json.dumps(parse_form(path))))
        total.update(counts)
    rates = score.rates(total)
    fallen = {name: rates[name] for name, floor in FLOORS.items() if 100 * rates[name] < floor}
    assert not fallen


def test_every_hard_file_ends_as_its_case_says(shared_data: Path) -> None:
    folder = shared_data / "pdf" / "varied"
    cases = hard_cases(folder)
    wrong = {
        case["file"]: fault
        for case in cases
        if (fault := check(case, case["file"], (folder / case["file"]).read_bytes()))
    }
    assert len(cases) == 45
    assert not wrong


def test_no_hard_file_is_known_by_its_name_or_its_bytes(shared_data: Path) -> None:
    folder = shared_data / "pdf" / "varied"
    chance = random.Random(11)
    wrong: dict[str, str] = {}
    for case in hard_cases(folder):
        data = (folder / case["file"]).read_bytes()
        name = f"{chance.randrange(10**9)}.pdf"
        tail = f"\n% {chance.randbytes(12).hex()}\n".encode()
        if fault := check(case, name, data + tail if data else data):
            wrong[case["file"]] = fault
    assert not wrong


def hard_cases(folder: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((folder / "cases.json").read_text())["cases"]
    return cases


def check(case: dict[str, Any], name: str, data: bytes) -> str:
    """What is wrong with a file's end. Without an engine, scans are done with a note."""
    recogniser = Recogniser()
    try:
        (paper,) = parse(data, name, images=False, recogniser=recogniser)
    except ParseError as error:
        return "" if "failed" in case["expect"] else error.message
    if "done" not in case["expect"]:
        return "was read"
    document = normalize(paper)
    if not document.blocks and not document.note:
        return "no text and no note"
    text = letters(" ".join([document.title, *(block.text for block in document.blocks)]))
    unwanted = [part for part in case["must_not_find"] if letters(part) in text]
    wrong = 0.15 if case["ocr"] else 0.0
    missing = [part for part in case["must_find"] if not holds(text, letters(part), wrong)]
    if case["ocr"] and recogniser.engine is None and document.note:
        missing = []
    return "; ".join(f"{part[:30]}…" for part in (*missing, *unwanted))


def holds(text: str, part: str, wrong: float) -> bool:
    """Whether a text holds a part with at most this share of its letters wrong.

    Edit distance to the best place in the text: the first row costs nothing.
    """
    if part in text or not wrong:
        return part in text
    row = [0] * (len(text) + 1)
    for number, letter in enumerate(part, start=1):
        above, row = row, [number]
        for place, other in enumerate(text):
            step = above[place] + (letter != other)
            row.append(min(step, above[place + 1] + 1, row[-1] + 1))
    return min(row) <= wrong * len(part)


def test_the_text_under_its_boxes_is_the_text(shared_data: Path) -> None:
    """Read by another library, for sentences and cells drawn by lot from five papers."""
    names = ("frontiers-fmicb", "plos-one", "tums-ijph", "springer-bes", "bentham-todj")
    files, sentences, cells = pdf_boxes.load(shared_data / "pdf", names)
    chance = random.Random(5)
    drawn = [*chance.sample(sentences, 120), *chance.sample(cells, 120)]
    placed, right, wrong = pdf_boxes.judge(drawn, files)
    assert placed >= (1 - pdf_boxes.ALLOWED_UNPLACED) * len(drawn)
    assert right >= 0.98 * placed, wrong
    moved = [replace(said, boxes=tuple(map(beside, said.boxes))) for said in drawn]
    assert pdf_boxes.judge(moved, files)[1] <= 0.1 * placed


def beside(box: Box) -> Box:
    """Another place: two lines further down."""
    return replace(box, y0=box.y0 + 26, y1=box.y1 + 26)


def test_real_papers_make_passages_within_pages_and_sections(shared_data: Path) -> None:
    for name in ("hindawi-jt", "mdpi-microorganisms"):
        data = (shared_data / "pdf" / "pairs" / f"{name}.pdf").read_bytes()
        (paper,) = parse(data, name, images=False)
        chunks = chunk(normalize(paper))
        assert len(chunks) > 30
        assert all(len(c.text) < 4000 for c in chunks)
        for c in chunks:
            pages = {line.box.page for line in c.lines}
            assert pages
            assert (c.page_start, c.page_end) == (min(pages), max(pages))
            assert len(pages) <= 2
