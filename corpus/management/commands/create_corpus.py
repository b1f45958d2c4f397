"""bin/flux create_corpus NAME --team TEAM --visibility private|team|site"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from accounts.services.members import team_by_name
from corpus.services import corpora


class Command(FluxCommand):
    """Make an empty corpus."""

    help = "Make a corpus that a team owns."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("name")
        parser.add_argument("--team", required=True)
        parser.add_argument("--visibility", choices=corpora.VISIBILITIES, default="private")

    def run(self, **options: Any) -> dict[str, Any]:
        """Make it."""
        corpus = corpora.create(
            options["name"],
            team_by_name(options["team"]),
            visibility=options["visibility"],
            by=self.actor(options),
            origin="command",
        )
        return {"corpus": corpus.slug, "id": str(corpus.public_id), "team": corpus.team.slug}
