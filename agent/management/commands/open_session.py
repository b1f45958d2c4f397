"""bin/flux open_session --corpus C --usd 1.00 --runs N"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from agent.services.sessions import open_session
from flux_site.kernel.errors import InvalidInput


class Command(FluxCommand):
    """Open a research session."""

    help = "Grant some research runs and some money over corpora."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("--corpus", action="append", required=True, help="again for several")
        parser.add_argument("--usd", required=True, help="dollars, up to six decimals")
        parser.add_argument("--runs", type=int, required=True)

    def run(self, **options: Any) -> dict[str, Any]:
        """Open it for the reader of --as."""
        try:
            usd = Decimal(options["usd"])
        except InvalidOperation as error:
            raise InvalidInput(f"{options['usd']!r} is no amount of dollars.") from error
        session = open_session(
            self.reader(options),
            options["corpus"],
            usd=usd,
            runs=options["runs"],
            origin="command",
        )
        return {
            "session": str(session.public_id),
            "runs": session.runs_allowed,
            "usd": f"{usd:f}",
            "expires_at": session.expires_at.isoformat(),
        }
