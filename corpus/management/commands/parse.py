"""What a file holds, without a database.

bin/flux parse FILE                   a PDF as blocks, captions and tables
bin/flux parse FILE --draw DIR        its pages as pictures too, what was found framed in colours
bin/flux parse FILE --report         how each of its pages was read, with notes
bin/flux parse FILE --source SOURCE   the documents that SOURCE reads in it, each as Flux would
                                      store it, and the records that cannot be read
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.services import recognition
from corpus.sources import written
from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.pdf.drawing import draw_pages
from corpus.sources.pdf.ocr.reader import OcrTurn, Recogniser
from corpus.sources.pdf.parser import parse
from corpus.sources.pdf.score_form import parse_form, report_form
from corpus.sources.registry import SOURCES
from flux_site.kernel.errors import FluxError


class Command(FluxCommand):
    """Read a PDF and print what was found, in the form by which parsers are scored; or a file of
    any source, and print its documents.
    """

    help = "Parse a PDF and print its blocks, captions and tables; or a file of --source."
    acts_for_reader = False

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("file")
        parser.add_argument("--source", choices=sorted(SOURCES), help="whose file it is")
        parser.add_argument(
            "--report", action="store_true", help="print how each page was read, and notes"
        )
        parser.add_argument("--draw", metavar="DIR", help="write pages with what was found on them")

    def run(self, **options: Any) -> dict[str, Any]:
        """Parse it."""
        path = Path(options["file"])
        if not path.is_file():
            raise ParseError(f"{path} is not a file: name a PDF.")
        if options["source"]:
            return _documents(path, options["source"])
        recogniser = Recogniser(OcrTurn(recognition.options()))
        if options["report"]:
            return report_form(path, recogniser)
        form = parse_form(path, recogniser)
        if options["draw"]:
            form["drawn"] = _draw(path, Path(options["draw"]))
        return form


def _documents(path: Path, name: str) -> dict[str, Any]:
    """All documents of a file in the form of `sources.written`, and why the others are none."""
    source = SOURCES[name]
    payload, filename = open_payload(path.read_bytes(), path.name)
    if not source.reads(filename):
        raise NotThisSource(f"{source.label} files end in {' or '.join(source.suffixes)}.")
    made: dict[str, list[Any]] = {"documents": [], "broken": []}
    for record in source.parse(payload, filename):
        try:
            if isinstance(record, Broken):
                raise ParseError(record.reason)
            made["documents"].append(written.form(source.normalize(record)))
        except FluxError as why:
            made["broken"].append({"name": getattr(record, "name", ""), "reason": why.message})
    return made


def _draw(file: Path, folder: Path) -> list[str]:
    """Write page-001.png and so on; their paths."""
    data = file.read_bytes()
    (paper,) = parse(data, file.name, images=False)
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for number, picture in draw_pages(data, paper):
        target = folder / f"page-{number:03}.png"
        target.write_bytes(picture)
        drawn.append(str(target))
    return drawn
