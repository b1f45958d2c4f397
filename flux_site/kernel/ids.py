"""Public ids as they come from outside."""

from __future__ import annotations

import uuid

NOBODY = uuid.UUID(int=0)  # no row has it


def as_uuid(text: str) -> uuid.UUID:
    """The UUID that a text spells; one that nothing has when it spells none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return NOBODY
