"""Roles and scopes, and what they allow."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """A member's role in a team or a grant's on a corpus; each allows what those before it do."""

    READER = "reader"
    RESEARCHER = "researcher"
    CURATOR = "curator"
    OWNER = "owner"


ROLE_ORDER = (Role.READER, Role.RESEARCHER, Role.CURATOR, Role.OWNER)
ROLE_CHOICES = [(role.value, role.value.capitalize()) for role in ROLE_ORDER]


def at_least(role: Role) -> list[str]:
    """The roles that allow what `role` allows."""
    return [r.value for r in ROLE_ORDER[ROLE_ORDER.index(role) :]]


class Scope(StrEnum):
    """What a token may be used for."""

    READ = "read"
    ASK = "ask"
    INGEST = "ingest"
    ADMIN = "admin"


SCOPE_CHOICES = [(scope.value, scope.value) for scope in Scope]
MICRO = 1_000_000  # micro-dollars in a dollar
