"""bin/flux create_corpus NAME --team TEAM --visibility private|team|site"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from accounts.models import Team, User
from accounts.services.members import team_by_name
from accounts.types import Role, at_least
from corpus.services import corpora
from flux_site.kernel.errors import NotAllowed


class Command(FluxCommand):
    """Make an empty corpus."""

    help = "Make a corpus that a team owns."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("name")
        parser.add_argument("--team", required=True, help="the team that owns it")
        parser.add_argument(
            "--visibility",
            choices=corpora.VISIBILITIES,
            default="private",
            help="private: owners of the team (and whoever makes it); team: its members; "
            "site: everyone signed in (site admins only)",
        )

    def run(self, **options: Any) -> dict[str, Any]:
        """Make it: as somebody named by --as only where that person may."""
        team = team_by_name(options["team"])
        if options["acting"] and not may_make(self.reader(options), team):
            raise NotAllowed(f"Only curators and owners of {team.name} make corpora for it.")
        corpus = corpora.create(
            options["name"],
            team,
            visibility=options["visibility"],
            by=self.actor(options),
            origin="command",
        )
        return {"corpus": corpus.slug, "id": str(corpus.public_id), "team": corpus.team.slug}


def may_make(user: User, team: Team) -> bool:
    """Whether the user is at least curator of the team."""
    return bool(team.memberships.filter(user=user, role__in=at_least(Role.CURATOR)).exists())
