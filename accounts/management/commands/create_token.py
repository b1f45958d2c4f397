"""bin/flux create_token EMAIL --scopes read,ask,ingest,admin"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from accounts.services import tokens


class Command(FluxCommand):
    """Make an API token; its secret is printed now and never again."""

    help = "Make an API token for a user."
    acts_for_reader = False

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("email")
        parser.add_argument("--scopes", default="read,ask")
        parser.add_argument("--name", default="made by command")

    def run(self, **options: Any) -> dict[str, Any]:
        """Make it."""
        user = self.reader({"acting": options["email"]})
        scopes = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
        _, secret = tokens.create(user, scopes, name=options["name"], origin="command")
        return {"token": secret}
