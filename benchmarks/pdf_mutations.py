"""A thousand damaged PDFs: no crash, no hang. `bin/bench pdf_mutations [COUNT] [SEED] [FOLDER]`

Takes small PDFs made here, and small ones of a folder if it is named, and damages them with a
printed seed: bytes flipped, cut and moved, also inside unpacked streams; keys of objects set to
other kinds; objects dropped or made to name themselves. All are read in one child with the
product's limits; a file that ends that child is read again as the product does, which must give a
reason.
"""

from __future__ import annotations

import multiprocessing
import pickle
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from benchmarks.installation import table
from benchmarks.mutations import damaged
from corpus.sources.base import ParseError
from corpus.sources.pdf.child import set_limits
from corpus.sources.pdf.isolated import DEFAULT_MEMORY_BYTES, parse_isolated
from corpus.sources.pdf.mupdf import mupdf
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.parser import parse

LONGEST_S = 60.0
MOST_BYTES = 400_000  # of the files beside the repository: small ones are damaged where it matters
TEXT = "The kinase was active in all samples that were kept at low temperature for two days. "
ODD_VALUES = (
    *("null", "-1", "0", "99999999999", "1e300", "/Odd", "(text)", "<</A 1>>", "[]", "[1 0 R]"),
    *("1 0 R", "7777 0 R", "[-1e9 -1e9 1e9 1e9]", "[0 0 0 0]", "true"),
)
KEYS = (
    *("Type", "Kids", "Count", "Parent", "MediaBox", "CropBox", "Rotate", "Contents", "Resources"),
    *("Font", "XObject", "Length", "Filter", "Width", "Height", "BitsPerComponent", "ColorSpace"),
    *("Encoding", "ToUnicode", "DescendantFonts", "W", "FontFile2", "FirstChar", "Widths", "Root"),
)


def bases(folder: Path | None = None) -> list[bytes]:
    """Undamaged PDFs of several makes, and small ones of `folder`."""
    made = [_columns(), _columns(turn=90), _table(), _picture(), _columns(pages=4)]
    if folder is not None:
        files = (path.read_bytes() for path in sorted(folder.glob("*.pdf")))
        made += [data for data in files if 0 < len(data) < MOST_BYTES]
    return made


def _columns(pages: int = 2, turn: int = 0) -> bytes:
    document = mupdf.open()
    for number in range(pages):
        page = document.new_page()
        page.insert_text((60, 40), f"Running head {number}", fontsize=8)
        for x in (50, 315):
            for row in range(40):
                page.insert_text((x, 90 + 13 * row), TEXT[:48], fontsize=10)
        page.set_rotation(turn)
    return bytes(document.tobytes())


def _table() -> bytes:
    document = mupdf.open()
    page = document.new_page()
    page.insert_text((60, 90), "Table 1. What was seen in the groups.", fontsize=10)
    for row in range(8):
        page.draw_line((60, 100 + 15 * row), (420, 100 + 15 * row))
        for column in range(4):
            page.insert_text((64 + 90 * column, 111 + 15 * row), f"{row}.{column}", fontsize=9)
    return bytes(document.tobytes())


def _picture() -> bytes:
    document = mupdf.open()
    page = document.new_page()
    noise = random.Random(1).randbytes(160 * 160 * 3)
    pixels = mupdf.Pixmap(mupdf.csRGB, 160, 160, noise, False)
    page.insert_image(mupdf.Rect(60, 60, 300, 300), pixmap=pixels)
    page.insert_text((60, 320), "Figure 1. Course of the signal over two days.", fontsize=9)
    page.insert_text((60, 400), TEXT, fontsize=10)
    return bytes(document.tobytes(deflate=True))


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A damaged copy: its bytes, its unpacked bytes, or its objects."""
    kind = chance.randrange(4)
    if kind == 0:
        return damaged(data, chance)
    if kind == 1:
        return data[: chance.randrange(1, len(data))]
    try:
        document = mupdf.open(stream=data, filetype="pdf")
        if kind == 2:
            return damaged(bytes(document.tobytes(expand=255, garbage=0)), chance)
        for _ in range(chance.randint(1, 5)):
            _change(document, chance)
        return bytes(document.tobytes())
    except Exception:  # it is damaged too far to be unpacked or changed
        return damaged(data, chance)


def _change(document: Any, chance: random.Random) -> None:
    number = chance.randrange(1, max(document.xref_length(), 2))
    if chance.random() < 0.15:
        document.update_object(number, chance.choice(ODD_VALUES))
    else:
        value = chance.choice((*ODD_VALUES, f"{number} 0 R"))
        document.xref_set_key(number, chance.choice(KEYS), value)


def outcome(data: bytes) -> str:
    """`read` or `refused`. Raises whatever else happens, which is a fault."""
    try:
        (paper,) = parse(data, "mutated.pdf")
        document = normalize(paper)
    except ParseError as refusal:
        return "refused" if len(refusal.message) > 20 else "silent"
    except MemoryError:
        return "refused"
    whole = pickle.loads(pickle.dumps(document)) == document
    return "read" if whole and (document.blocks or document.note) else "silent"


def as_product(data: bytes) -> str:
    """How the product ends with a file that ends its reader."""
    try:
        parse_isolated(data, "mutated.pdf", timeout_s=LONGEST_S)
    except ParseError:
        return "child ended, reason given"
    return "child ended once"


def run(count: int, seed: int, folder: Path | None = None) -> Counter[str]:
    """How `count` damaged files end; `slow` and `crash` are faults."""
    chance = random.Random(seed)
    files = bases(folder)
    ends: Counter[str] = Counter()
    pool = _pool()
    for number in range(count):
        data = mutated(chance.choice(files), chance)
        began = time.monotonic()
        try:
            ends[pool.submit(outcome, data).result(timeout=LONGEST_S)] += 1
        except BrokenProcessPool:
            ends[as_product(data)] += 1
            pool = _pool()
        except TimeoutError:
            ends["slow"] += 1
            for process in multiprocessing.active_children():
                process.kill()
            pool = _pool()
        except Exception as error:  # what the benchmark looks for
            ends["crash"] += 1
            print(f"CRASH file {number}: {type(error).__name__}: {error}")
        if time.monotonic() - began > LONGEST_S / 4:
            print(f"file {number} took {time.monotonic() - began:.0f} s")
    pool.shutdown()
    return ends


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        1,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=set_limits,
        initargs=(DEFAULT_MEMORY_BYTES, 100_000),
    )


def main() -> None:
    """One row an end."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261130
    folder = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    print(f"seed {seed}")
    ends = run(count, seed, folder)
    table(["end", "files"], sorted(ends.items()))


if __name__ == "__main__":
    main()
