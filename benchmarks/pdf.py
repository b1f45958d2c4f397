"""Pages of PDF a second of processor, by stage and by length. `bin/bench pdf [FOLDER] [--growth]`

Runs the stages of corpus.sources.pdf.parser one by one in this process, with pictures as stored,
without text recognition. FOLDER holds the papers (default: the answer-keyed ones beside the
repository). `--growth` reads documents of 10 to 600 pages instead, made of the same ten pages over
and over, in this process for the time and in the product's child for the memory.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.installation import ROOT, table
from corpus.sources.pdf.assembly import assemble_paper
from corpus.sources.pdf.isolated import DEFAULT_MEMORY_BYTES, parse_isolated
from corpus.sources.pdf.mupdf import mupdf
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.opening import open_pdf
from corpus.sources.pdf.pages import read_pages
from corpus.sources.pdf.parser import page_content, uncollected
from corpus.sources.pdf.recognition import PageDoctor

LENGTHS = (10, 50, 150, 300, 600)
MIXED = 10  # pages of the documents that grow, each from another paper


class Clock:
    """Seconds of processor by stage."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what the block takes."""
        began = time.process_time()
        yield
        self.seconds[name] += time.process_time() - began

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


def read(data: bytes, clock: Clock, *, images: bool) -> int:
    """Read a file stage by stage; how many pages it has."""
    with clock.stage("open"):
        document = open_pdf(data, "paper.pdf")
    with clock.stage("glyphs and graphics"), uncollected():
        count = document.page_count
        contents = [page_content(document, index, "paper.pdf") for index in range(count)]
    with clock.stage("judge text layers"):
        doctor = PageDoctor(document, None)
        contents = [doctor.mended(content) for content in contents]
    with clock.stage("lines, columns, floats"):
        pages, typography = read_pages(contents)
    with clock.stage("paragraphs, pictures" if images else "paragraphs"):
        paper = assemble_paper(
            document, pages, typography, filename="", sha256="", doctor=doctor, images=images
        )
    with clock.stage("normalise"):
        normalize(paper)
    document.close()
    return count


def mixed(files: Sequence[Path], pages: int) -> bytes:
    """A document of so many pages: the middle pages of the first papers, over and over."""
    sources = [mupdf.open(path) for path in files[:MIXED]]
    made = mupdf.open()
    for number in range(pages):
        source = sources[number % len(sources)]
        middle = source.page_count // 2
        made.insert_pdf(source, from_page=middle, to_page=middle)
    return bytes(made.tobytes(garbage=3))


def stages(files: Sequence[Path]) -> None:
    """Time by stage over all papers, with and without pictures."""
    for images in (True, False):
        clock = Clock()
        pages = sum(read(path.read_bytes(), clock, images=images) for path in files)
        print(f"\n{pages} pages, {'with' if images else 'without'} pictures: "
              f"{pages / clock.total:.1f} pages a second of processor")  # fmt: skip
        rows = [
            (name, f"{1000 * spent / pages:.1f}", f"{spent / clock.total:.0%}")
            for name, spent in clock.seconds.items()
        ]
        table(["stage", "ms a page", "share"], rows)


def growth(files: Sequence[Path]) -> None:
    """Time a page and the child's memory by length, pictures included."""
    rows: list[tuple[object, ...]] = []
    for length in LENGTHS:
        data, clock = mixed(files, length), Clock()
        read(data, clock, images=True)
        parse_isolated(data, "growth.pdf")
        # The largest child so far is the last one, since documents grow.
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        each = f"{1000 * clock.total / length:.1f}"
        rows.append((length, f"{clock.total:.1f}", each, f"{peak:.0f}"))
    limit = f"MB in the child (limit {DEFAULT_MEMORY_BYTES >> 20})"
    table(["pages", "seconds of processor", "ms a page", limit], rows)


def main() -> None:
    """Stages over all papers, or the growth."""
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    shared = Path(os.environ.get("FLUX_SHARED", ROOT.parent / "shared"))
    folder = Path(given[0]) if given else shared / "data" / "pdf" / "pairs"
    files = sorted(folder.glob("*.pdf"))
    if not files:
        raise SystemExit(f"no PDF in {folder}")
    if "--growth" in sys.argv:
        growth(files)
    else:
        stages(files)


if __name__ == "__main__":
    main()
