"""bin/up calls this before it starts the parts: migrations, weights, the first admin."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from accounts.models import User
from accounts.services.members import create_user
from accounts.types import Role
from corpus.services.embedding import ensure_encoder

MIGRATE_LOCK = 0x6D696772  # several hosts may start at once
ADMIN = "admin@example.org"


class Command(BaseCommand):
    """Bring the database and the weights to what this version needs; prints one line of JSON."""

    help = "Migrate, build the encoder, make the first admin."

    def add_arguments(self, parser: CommandParser) -> None:
        """--empty makes no users."""
        parser.add_argument("--empty", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Under an advisory lock, so that two starts wait for each other."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATE_LOCK])
            try:
                call_command("migrate", interactive=False, verbosity=0)
                ensure_encoder()
                result = self._first_admin() if not options["empty"] else {}
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATE_LOCK])
        self.stdout.write(json.dumps({"admin": None, "password": None} | result))

    def _first_admin(self) -> dict[str, str | None]:
        if User.objects.exists():
            return {}
        password = secrets.token_urlsafe(12)
        user = create_user(
            ADMIN, password, team="demo", role=Role.OWNER, site_admin=True, name="First admin"
        )
        return {"admin": user.email, "password": password}
