"""bin/flux parse FILE: a PDF as blocks, captions and tables, without a database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.sources.base import ParseError
from corpus.sources.pdf.score_form import parse_form


class Command(FluxCommand):
    """Read a PDF and print what was found, in the form by which parsers are scored."""

    help = "Parse a PDF and print its blocks, captions and tables."
    acts_for_reader = False

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("file")

    def run(self, **options: Any) -> dict[str, Any]:
        """Parse it."""
        if not Path(options["file"]).is_file():
            raise ParseError(f"{options['file']} is not a file: name a PDF.")
        return parse_form(options["file"])
