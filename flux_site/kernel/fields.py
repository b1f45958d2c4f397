"""Column types of PostgreSQL that Django lacks."""

from __future__ import annotations

from typing import Any

from django.db import models


class Xid8Field(models.BigIntegerField):
    """A full transaction id (xid8), filled by the database with the inserting transaction's own."""

    description = "Transaction id"

    def db_type(self, connection: Any) -> str:
        """The column type."""
        return "xid8"

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """As text: xid8 has neither a cast from bigint nor a comparison with it."""
        if value is None or hasattr(value, "as_sql"):
            return value
        return str(value)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> int | None:
        """psycopg gives xid8 as text."""
        return None if value is None else int(value)


class CurrentXact(models.Func):
    """pg_current_xact_id(): the id of this transaction."""

    function = "pg_current_xact_id"
    template = "%(function)s()"
    output_field = Xid8Field()
