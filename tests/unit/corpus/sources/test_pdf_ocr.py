"""Pages that are pictures of text: read by an engine, or named in a note."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from PIL import Image

from corpus.sources.pdf.isolated import parse_isolated
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.ocr import rapid, tesseract
from corpus.sources.pdf.ocr.model import OcrOptions, Recognised
from corpus.sources.pdf.ocr.reader import HalfRead, OcrTurn, Recogniser
from corpus.sources.pdf.ocr.straighten import ink_of, is_sideways, skew_of
from corpus.sources.pdf.parser import parse
from corpus.types import NormalizedDocument
from tests.support.scans import DPI, drawn, scan

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="tesseract is not installed"
)
needs_rapidocr = pytest.mark.skipif(not rapid.is_installed(), reason="rapidocr is not installed")


def read(data: bytes, options: OcrOptions | None = None) -> NormalizedDocument:
    (paper,) = parse(data, "scan.pdf", recogniser=Recogniser(OcrTurn(options or OcrOptions())))
    return normalize(paper)


def body(document: NormalizedDocument) -> str:
    return " ".join(block.text for block in document.blocks)


@pytest.mark.slow
@needs_tesseract
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_scan_is_read_whichever_way_it_lies(turn: int) -> None:
    document = read(scan(drawn().rotate(turn, expand=True)))
    assert "constant light regime before sampling" in body(document)
    assert document.pages[0].method == "ocr"
    assert document.pages[0].report["confidence"] > 80
    assert document.pages[0].report["engine"] == "tesseract"


@pytest.mark.slow
@needs_tesseract
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_box_of_a_recognised_line_lies_on_its_ink(turn: int) -> None:
    picture = drawn().rotate(turn, expand=True)
    document = read(scan(picture))
    line = document.blocks[0].lines[-1]
    box = [value * DPI / 72 for value in (line.box.x0, line.box.y0, line.box.x1, line.box.y1)]
    inside = picture.convert("L").crop((box[0], box[1], box[2], box[3]))
    upright = inside.rotate(-turn, expand=True)
    assert upright.width > 8 * upright.height
    assert sum(value < 128 for value in upright.tobytes()) > 0.05 * upright.width * upright.height


@needs_tesseract
def test_a_scan_that_lies_askew_is_read_and_its_boxes_follow() -> None:
    askew = drawn(width=420, height=220).rotate(-3, expand=False, fillcolor="white")
    document = read(scan(askew))
    assert "was weighed, dried for two days" in body(document)
    first, last = document.blocks[0].lines[0].box, document.blocks[0].lines[-1].box
    assert last.x0 < first.x0 - 1


def test_skew_and_turn_are_told_by_the_ink() -> None:
    straight = drawn()
    assert skew_of(ink_of(straight)) == 0.0
    assert not is_sideways(ink_of(straight))
    assert is_sideways(ink_of(straight.rotate(90, expand=True)))
    askew = straight.rotate(-2, expand=True, fillcolor="white")
    assert abs(skew_of(ink_of(askew)) - 2) < 0.3


@needs_rapidocr
@pytest.mark.slow
def test_the_wheel_reads_lines_with_words_and_boxes() -> None:
    lines = rapid.Rapid().recognise(drawn())
    assert " ".join(word.text for word in lines[1]).startswith("constant light regime")
    boxes = [word.box for word in lines[1]]
    assert boxes == sorted(boxes)
    assert all(0.3 < word.confidence <= 1 for line in lines for word in line)


def test_without_an_engine_the_page_is_done_and_named() -> None:
    document = read(scan(drawn()), OcrOptions("off"))
    assert document.blocks == ()
    assert document.pages[0].method == "empty"
    assert "switched off" in document.note


@pytest.mark.parametrize("engine", ["auto", "tesseract"])
def test_a_machine_without_engines_is_told_what_to_install(
    engine: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(rapid, "PACKAGE", "no_such_package_here")
    document = read(scan(drawn()), OcrOptions(engine))
    assert "install tesseract" in document.note


@needs_tesseract
def test_a_language_without_data_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rapid, "PACKAGE", "no_such_package_here")
    document = read(scan(drawn()), OcrOptions(languages=("xyz",)))
    assert "no data for xyz" in document.note


@needs_tesseract
def test_no_more_pages_are_recognised_than_allowed() -> None:
    document = read(scan(*[drawn()] * 3), OcrOptions(max_pages=1))
    assert [page.method for page in document.pages] == ["ocr", "empty", "empty"]
    assert "Pages 2, 3 hold only pictures of text and were not read" in document.note


@pytest.mark.slow
@needs_tesseract
def test_recognition_goes_on_where_the_last_turn_stopped() -> None:
    data = scan(*[drawn()] * 3)
    known: dict[str, Recognised] = {}
    for turn in range(1, 3):
        with pytest.raises(HalfRead) as half:
            parse_isolated(data, "scan.pdf", ocr=OcrTurn(OcrOptions(), known, 0.0))
        assert len(half.value.found) == 1
        known |= half.value.found
        assert len(known) == turn
    restored = {key: Recognised.from_json(found.as_json()) for key, found in known.items()}
    assert restored == known
    document = parse_isolated(data, "scan.pdf", ocr=OcrTurn(OcrOptions(), restored, 0.0))
    assert document == read(data)


@needs_tesseract
def test_an_engine_that_takes_too_long_fails_for_that_page_only() -> None:
    binary = tesseract.find_binary()
    assert binary is not None
    document = read(scan(drawn()), OcrOptions(page_timeout_s=0.001))
    assert "failed on page 1 (it took longer than 0 s)" in document.note


@pytest.mark.slow
@needs_tesseract
def test_specks_give_no_words() -> None:
    blank = Image.effect_noise((900, 1200), 30).point(lambda value: 255 if value > 60 else 0)
    document = read(scan(blank))
    assert document.blocks == ()
    assert "no text was recognised" in document.note
