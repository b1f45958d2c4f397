"""What all commands share: JSON on request, a reader to act as, errors in one shape."""

from __future__ import annotations

import json
import sys
from abc import abstractmethod
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

from accounts.models import User
from accounts.services.members import first_admin
from flux_site.kernel.errors import FluxError, InvalidInput, NotFound

BAD_INPUT = (InvalidInput, NotFound)


class FluxCommand(BaseCommand):
    """A command that gives one JSON object with --json; exit 0 done, 1 failed, 2 bad input.

    Subclasses write `run(**options) -> dict` and may set `exit_code` on themselves; `show` prints
    the result for people.
    """

    requires_system_checks: list[str] = []
    # They still work; help is for what the command itself takes.
    suppressed_base_arguments: set[str] = {
        *("--version", "--verbosity", "--settings", "--pythonpath"),
        *("--traceback", "--no-color", "--force-color", "--skip-checks"),
    }
    acts_for_reader = True

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Every command takes --json; those that read or make something for a reader also --as."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.error = self._misused  # type: ignore[method-assign]
        if self.acts_for_reader:
            parser.add_argument("--as", dest="acting", default="", help="act as this person")
        return parser

    def handle(self, *args: Any, **options: Any) -> None:
        """Run and print; errors as `{"error": {"code", "message"}}`."""
        self.exit_code = 0
        self.as_json = bool(options["json"])
        try:
            result = self.run(**options)
        except FluxError as error:
            self._fail(error.code, error.message, 2 if isinstance(error, BAD_INPUT) else 1)
        if self.as_json:
            self.stdout.write(json.dumps(result, ensure_ascii=False, default=str))
        else:
            self.show(result)
        if self.exit_code:
            sys.exit(self.exit_code)

    @abstractmethod
    def run(self, **options: Any) -> dict[str, Any]:
        """The work; raises FluxError."""

    def show(self, result: dict[str, Any]) -> None:
        """Print the result for a person to read."""
        for key, value in result.items():
            self.stdout.write(f"{key}: {value}")

    def reader(self, options: dict[str, Any]) -> User:
        """The person of --as, by default the first site admin. Raises InvalidInput when there is
        none.
        """
        email = options["acting"].strip().lower()
        if email:
            user = User.objects.filter(email=email, is_active=True).first()
            if user is None:
                raise InvalidInput(f"There is no user {email}.")
            return user
        admin = first_admin()
        if admin is None:
            raise InvalidInput("There is no site admin yet: name a reader with --as EMAIL.")
        return admin

    def actor(self, options: dict[str, Any]) -> User | None:
        """Who makes something: the person of --as, else the first site admin, else the system."""
        return self.reader(options) if options["acting"] else first_admin()

    def _misused(self, message: str) -> NoReturn:
        """Arguments that do not fit, in the shape of every other error."""
        self.as_json = "--json" in sys.argv
        self._fail("usage", f"{message}. See --help.", 2)

    def _fail(self, code: str, message: str, status: int) -> NoReturn:
        if self.as_json:
            self.stdout.write(json.dumps({"error": {"code": code, "message": message}}))
        else:
            self.stderr.write(self.style.ERROR(message))
        sys.exit(status)
