"""Pages of PDF a second of processor, by stage and by length. `bin/bench pdf [FOLDER]`

Runs the stages of corpus.sources.pdf.parser one by one in this process, with pictures as stored,
without text recognition. FOLDER holds the papers (default: the answer-keyed ones beside the
repository); the growth is measured on a paper repeated.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.installation import ROOT, table
from corpus.sources.pdf.assembly import assemble_paper
from corpus.sources.pdf.mupdf import mupdf
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.opening import open_pdf
from corpus.sources.pdf.pages import read_pages
from corpus.sources.pdf.parser import page_content
from corpus.sources.pdf.recognition import PageDoctor

LENGTHS = (10, 50, 150, 300, 600)


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
    with clock.stage("glyphs and graphics"):
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


def repeated(data: bytes, pages: int) -> bytes:
    """A paper's pages over and over, up to so many."""
    source, made = mupdf.open(stream=data, filetype="pdf"), mupdf.open()
    while made.page_count < pages:
        made.insert_pdf(source, to_page=min(source.page_count, pages - made.page_count) - 1)
    return bytes(made.tobytes(garbage=3))


def main() -> None:
    """Stages over all papers, then the growth."""
    folder = ROOT.parent / "shared" / "data" / "pdf" / "pairs"
    files = sorted(Path(sys.argv[1] if len(sys.argv) > 1 else folder).glob("*.pdf"))
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
    print()
    growth: list[tuple[object, ...]] = []
    for length in LENGTHS:
        clock = Clock()
        read(repeated(files[0].read_bytes(), length), clock, images=False)
        growth.append((length, f"{clock.total:.1f}", f"{1000 * clock.total / length:.1f}"))
    table(["pages", "seconds of processor, without pictures", "ms a page"], growth)


if __name__ == "__main__":
    main()
