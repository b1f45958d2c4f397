"""bin/flux search Q --corpus C [--limit N] [--filter k=v …]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from retrieval.services.search import search
from retrieval.types import DEFAULT_LIMIT, FUSIONS, Filters

SHOWN_CHARS = 240


class Command(FluxCommand):
    """Search as a reader would."""

    help = "Passages for a question, best first, each with the reason why it is here."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("query", metavar="Q")
        parser.add_argument(
            "--corpus",
            dest="corpora",
            action="append",
            help="all readable ones by default",
        )
        parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT)
        parser.add_argument(
            "--filter", dest="filters", action="append", default=[], metavar="KEY=VALUE"
        )
        parser.add_argument("--fusion", choices=FUSIONS, help="the site's own by default")

    def run(self, **options: Any) -> dict[str, Any]:
        """Search."""
        result = search(
            options["query"],
            reader=self.reader(options),
            corpora=options["corpora"],
            limit=options["limit"],
            filters=Filters.parse(options["filters"]),
            fusion=options["fusion"],
        )
        return result.as_json()

    def show(self, result: dict[str, Any]) -> None:
        """One passage a paragraph."""
        for note in result["notes"]:
            self.stdout.write(self.style.WARNING(note))
        for hit in result["hits"]:
            place = " · ".join(
                str(part)
                for part in (hit["section"], f"page {hit['page']}" if hit["page"] else "")
                if part
            )
            self.stdout.write(
                f"{hit['rank']}. {hit['title']} ({hit['source']} {hit['external_id']})"
            )
            if place:
                self.stdout.write(f"   {place}")
            self.stdout.write(f"   {hit['text'][:SHOWN_CHARS]}")
            self.stdout.write(f"   {'; '.join(hit['why'])}")
        total = result["timings"]["total_ms"]
        self.stdout.write(f"{len(result['hits'])} passages in {total:.0f} ms")
