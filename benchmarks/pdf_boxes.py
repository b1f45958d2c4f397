"""Whether the text under a box is the text it stands for: `bin/bench pdf_boxes [SHARED_DATA]`

Draws sentences and cells of the saved papers by lot, and reads what lies under their boxes with
another library (pdfium), which had no part in placing them. A sentence or cell without a box counts
as unplaced.
"""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from benchmarks.installation import ROOT, table
from corpus.chunking.sentences import split
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse
from corpus.types import Box, NormalizedDocument

SENTENCES, CELLS, SEED = 500, 300, 20261130
SHORTEST = 25  # letters of a sentence
ALLOWED_UNPLACED = 0.02


@dataclass(frozen=True)
class Said:
    """A text with the boxes that it is said to stand in."""

    paper: str
    text: str
    boxes: tuple[Box, ...]


def letters(text: str) -> str:
    """Letters and digits in lower case."""
    folded = unicodedata.normalize("NFKD", text).lower()
    return "".join(char for char in folded if char.isalnum())


def sentences_of(paper: str, document: NormalizedDocument) -> Iterator[Said]:
    """Sentences of running text with the boxes of the lines that they stand in."""
    for block in document.blocks:
        if block.kind not in {"paragraph", "list"}:
            continue
        for start, end in split(block.text):
            boxes = tuple(line.box for line in block.lines if line.start < end and start < line.end)
            if len(letters(block.text[start:end])) >= SHORTEST:
                yield Said(paper, block.text[start:end], boxes)


def cells_of(paper: str, document: NormalizedDocument) -> Iterator[Said]:
    """Cells of tables with a text."""
    for found in document.tables:
        for texts, boxes in zip(found.rows, found.cells, strict=True):
            for text, box in zip(texts, boxes, strict=True):
                if letters(text):
                    yield Said(paper, text, (box,) if box is not None else ())


def under(file: pypdfium2.PdfDocument, box: Box) -> str:
    """What pdfium reads in a box."""
    page = file[box.page - 1]
    left, low, _, high = page.get_cropbox()
    text: str = page.get_textpage().get_text_bounded(
        left=left + box.x0 - 1,
        bottom=low + (high - low) - box.y1 - 0.5,
        right=left + box.x1 + 1,
        top=low + (high - low) - box.y0 + 0.5,
    )
    return text


def stands_there(said: Said, file: pypdfium2.PdfDocument) -> bool:
    """Whether nearly all of a text is read under its boxes, in its order.

    Marks of citations and hyphens at the ends of lines are written otherwise than they are printed.
    """
    wanted, read = letters(said.text), read_under(said, file)
    return wanted in read or _in_order(wanted, read) >= 0.95 * len(wanted)


def read_under(said: Said, file: pypdfium2.PdfDocument) -> str:
    """The letters that pdfium reads under the boxes of a text, one box after the other."""
    return letters("".join(under(file, box) for box in said.boxes))


def _in_order(wanted: str, read: str) -> int:
    """How many characters of one text are found in the other, one after the other."""
    at = found = 0
    for char in wanted:
        place = read.find(char, at, at + 200)
        if place >= 0:
            at, found = place + 1, found + 1
    return found


def judge(drawn: Iterable[Said], files: dict[str, bytes]) -> tuple[int, int, list[Said]]:
    """(placed, right, wrong ones)."""
    placed = right = 0
    wrong: list[Said] = []
    for said in drawn:
        if not said.boxes:
            continue
        placed += 1
        if stands_there(said, pypdfium2.PdfDocument(files[said.paper])):
            right += 1
        else:
            wrong.append(said)
    return placed, right, wrong


def load(
    folder: Path, names: Sequence[str] = ()
) -> tuple[dict[str, bytes], list[Said], list[Said]]:
    """Files, sentences and cells of the papers (of some, where named)."""
    files = {
        path.stem: path.read_bytes()
        for path in sorted((folder / "pairs").glob("*.pdf"))
        if not names or path.stem in names
    }
    sentences: list[Said] = []
    cells: list[Said] = []
    for name, data in files.items():
        (paper,) = parse(data, name, images=False)
        document = normalize(paper)
        sentences += sentences_of(name, document)
        cells += cells_of(name, document)
    return files, sentences, cells


def main() -> None:
    """Draw, read, count."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    files, sentences, cells = load(data / "pdf")
    chance = random.Random(SEED)
    rows: list[tuple[object, ...]] = []
    for name, found, count in (("sentences", sentences, SENTENCES), ("cells", cells, CELLS)):
        drawn = chance.sample(found, min(count, len(found)))
        placed, right, wrong = judge(drawn, files)
        rows.append((name, len(drawn), placed, right, f"{100 * (1 - placed / len(drawn)):.1f} %"))
        for said in wrong[:20]:
            print(f"  {said.paper} p. {said.boxes[0].page}: {said.text[:90]}")
    table(["drawn", "count", "placed", "text under the box equals it", "unplaced"], rows)


if __name__ == "__main__":
    main()
