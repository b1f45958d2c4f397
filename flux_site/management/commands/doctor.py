"""bin/flux doctor [--orphans]"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser
from django.db import DatabaseError

from accounts.management.base import FluxCommand
from flux_site.kernel.errors import Unavailable
from flux_site.management.doctor import orphans, parts


class Command(FluxCommand):
    """Look at every part; with --orphans also for whatever points nowhere. Changes nothing."""

    help = "Check each part and say how to mend it; --orphans counts what points nowhere."
    acts_for_reader = False

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("--orphans", action="store_true")

    def run(self, **options: Any) -> dict[str, Any]:
        """Exit 1 when something is wrong."""
        looked = parts.look()
        result: dict[str, Any] = {"parts": [asdict(part) for part in looked], "orphans": {}}
        if options["orphans"]:
            result["orphans"] = self._orphans()
        ok = all(part.ok for part in looked) and not any(result["orphans"].values())
        self.exit_code = 0 if ok else 1
        return {"ok": ok} | result

    def _orphans(self) -> dict[str, int]:
        try:
            return orphans.count()
        except DatabaseError as error:
            raise Unavailable(f"The database could not be searched: {error}") from error

    def show(self, result: dict[str, Any]) -> None:
        """One line a part; orphans where there are any."""
        for part in result["parts"]:
            good = part["state"] == "ok"
            state = part["detail"] if good else self.style.ERROR(part["state"])
            self.stdout.write(f"{part['name']:<16} {state}")
            if part["mend"]:
                self.stdout.write(f"{'':<16} {part['mend']}")
        found = {kind: n for kind, n in result["orphans"].items() if n}
        for kind, number in found.items():
            self.stdout.write(self.style.ERROR(f"{kind.replace('_', ' ')}: {number}"))
        if result["orphans"] and not found:
            self.stdout.write("Nothing points nowhere.")
