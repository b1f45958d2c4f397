"""bin/flux lexicon FILE [--vocab PATH …]: names in a text, without a database."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.lexicon.matcher import Lexicon, Match
from corpus.services.vocabularies import read_vocabularies
from flux_site.kernel.errors import InvalidInput


class Command(FluxCommand):
    """Find the names of a text, each with its span, its id and why it counts."""

    help = "Find names of vocabularies in a text file, or in standard input (-)."
    acts_for_reader = False

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("file", metavar="FILE", help="a text in UTF-8, - for standard input")
        parser.add_argument(
            *("--vocab",),
            nargs="+",
            action="extend",
            default=[],
            metavar="PATH",
            help="vocabularies; without them organisms and drug endings alone are known",
        )

    def run(self, **options: Any) -> dict[str, Any]:
        """Read, match."""
        text = _text(options["file"])
        lexicon = Lexicon(read_vocabularies(options["vocab"]) if options["vocab"] else ())
        return {"terms": len(lexicon.terms), "matches": [_row(m) for m in lexicon.match(text)]}

    def show(self, result: dict[str, Any]) -> None:
        """A line a match."""
        for row in result["matches"]:
            self.stdout.write(
                f"{row['start']}-{row['end']}\t{row['text']}\t{row['id']}\t{row['label']}"
                f"\t{row['reason']}"
            )


def _row(match: Match) -> dict[str, Any]:
    row = asdict(match)
    return {"start": row.pop("start"), "end": row.pop("end"), "id": row.pop("curie"), **row}


def _text(file: str) -> str:
    """The text as it is, so that spans count its characters."""
    if file != "-" and not Path(file).is_file():
        raise InvalidInput(f"{file} is not a file: name a text in UTF-8, or - for standard input.")
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file} is not UTF-8: convert it first.") from error
