"""bin/flux check_claims FILE"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from agent.answers.grounding import check
from flux_site.kernel.errors import InvalidInput


class Command(FluxCommand):
    """Check claims against their passages by rule: no model, no database."""

    help = 'Check claims of a JSONL file: {"passage", "claim"[, "quote"]} a line.'
    acts_for_reader = False

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("file", help="JSONL file")

    def run(self, **options: Any) -> dict[str, Any]:
        """A verdict for each line, in order."""
        try:
            text = Path(options["file"]).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{options['file']} cannot be read: {error}.") from error
        lines = enumerate(text.split("\n"), start=1)
        return {"results": [_verdict(number, line) for number, line in lines if line.strip()]}

    def show(self, result: dict[str, Any]) -> None:
        """One line for each claim."""
        for number, found in enumerate(result["results"], start=1):
            word = "supported" if found["supported"] else "not supported"
            self.stdout.write(f"{number}. {word} {' '.join(found['reasons'])}".rstrip())


def _verdict(number: int, line: str) -> dict[str, Any]:
    try:
        given = json.loads(line)
        passage, claim, quote = given["passage"], given["claim"], given.get("quote")
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f'Line {number} needs an object with "passage" and "claim".') from error
    if not all(isinstance(value, str) for value in (passage, claim, quote or "")):
        raise InvalidInput(f"Line {number}: passage, claim and quote are texts.")
    verdict = check(passage, claim, quote)
    return {"supported": verdict.supported, "reasons": list(verdict.reasons)}
