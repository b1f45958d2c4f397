"""bin/flux create_user EMAIL --password PW --team TEAM --role ROLE [--site-admin]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from accounts.services.members import create_user
from accounts.types import ROLE_ORDER, Role


class Command(FluxCommand):
    """Make a person, and a membership in a team, which is made where it is missing."""

    help = "Make a user with a role in a team."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("email")
        parser.add_argument("--password", required=True)
        parser.add_argument("--team", default="")
        parser.add_argument("--role", choices=[r.value for r in ROLE_ORDER], default="reader")
        parser.add_argument("--name", default="")
        parser.add_argument("--site-admin", action="store_true")

    def run(self, **options: Any) -> dict[str, Any]:
        """Make them."""
        user = create_user(
            options["email"],
            options["password"],
            team=options["team"],
            role=Role(options["role"]),
            site_admin=options["site_admin"],
            name=options["name"],
            by=self.actor(options),
        )
        return {"user": user.email, "team": options["team"], "role": options["role"]}
