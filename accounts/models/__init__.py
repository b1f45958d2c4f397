"""People, teams, tokens, money, audit."""

from accounts.models.audit import AuditEvent
from accounts.models.budget import Budget, BudgetWindow, LedgerEntry, ModelCall, ModelPrice
from accounts.models.session import ResearchSession
from accounts.models.team import Membership, Team
from accounts.models.token import ApiToken
from accounts.models.user import User

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Budget",
    "BudgetWindow",
    "LedgerEntry",
    "Membership",
    "ModelCall",
    "ModelPrice",
    "ResearchSession",
    "Team",
    "User",
]
