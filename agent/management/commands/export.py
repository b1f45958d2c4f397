"""bin/flux export ledger --budget ID"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from accounts.services import budgets
from flux_site.kernel.ids import as_uuid


class Command(FluxCommand):
    """Hand out what is kept."""

    help = "Export a ledger."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("what", choices=["ledger"])
        parser.add_argument("--budget", required=True, help="public id of a budget")

    def run(self, **options: Any) -> dict[str, Any]:
        """The entries in commit order; a settle replaces its reservation."""
        entries = budgets.ledger(as_uuid(options["budget"]), self.reader(options))
        return {
            "entries": [
                {
                    "seq": seq,
                    "call": str(entry.call),
                    "kind": entry.kind,
                    "micro_usd": entry.micro_usd,
                    "assumed": entry.assumed,
                }
                for seq, entry in enumerate(entries, start=1)
            ]
        }

    def show(self, result: dict[str, Any]) -> None:
        """A line for each entry."""
        for entry in result["entries"]:
            self.stdout.write("{seq:>6} {kind:<8} {micro_usd:>10} µ$ {call}".format(**entry))
