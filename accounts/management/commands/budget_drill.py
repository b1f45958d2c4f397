"""bin/flux budget_drill --callers 100 --cap 0.05"""

from __future__ import annotations

import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import CommandParser
from django.db import connections

from accounts.management.base import FluxCommand
from accounts.models import Budget
from accounts.services import budgets
from accounts.services.budgets import Payer
from accounts.types import MICRO
from flux_site.kernel.errors import BudgetExhausted, InvalidInput

HOLD_S = 0.12
CONNECTIONS = 16  # callers take turns at the database, which serves others too
WORST = 1_000  # micro-dollars of an average call's worst case


class Command(FluxCommand):
    """Let many callers spend one small budget at once."""

    help = "Reserve and settle from many threads against one cap, through the real code."
    acts_for_reader = False

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("--callers", type=int, default=100)
        parser.add_argument("--cap", default="0.05", help="dollars, up to six decimals")

    def run(self, **options: Any) -> dict[str, Any]:
        """Make the budget, let the callers go, name those that were refused."""
        callers = options["callers"]
        if not 1 <= callers <= 2_000:
            raise InvalidInput("Between 1 and 2,000 callers.")
        budget = Budget.objects.create(kind="drill", period="total", cap_microusd=_cap(options))
        drill = _Drill(Payer(budgets=(budget.pk,), shared=False), callers)
        with ThreadPoolExecutor(callers) as pool:
            refused = [call for call in pool.map(drill.call, range(callers)) if call]
        return {"budget": str(budget.public_id), "refused": refused}


def _cap(options: dict[str, Any]) -> int:
    try:
        cap = Decimal(options["cap"]) * MICRO
    except InvalidOperation as error:
        raise InvalidInput(f"{options['cap']!r} is no amount of dollars.") from error
    if not cap.is_finite() or cap < 0 or cap != int(cap):
        raise InvalidInput("The cap is an amount of dollars with at most six decimals.")
    return int(cap)


class _Drill:
    def __init__(self, payer: Payer, callers: int) -> None:
        self._payer = payer
        self._start = threading.Barrier(callers)
        self._turns = threading.BoundedSemaphore(CONNECTIONS)

    def call(self, number: int) -> str | None:
        """One caller; returns its id when it was refused."""
        call = uuid.uuid4()
        worst = WORST * 7 // 10 + (number * 37) % (WORST * 6 // 10)
        self._start.wait()
        if not self._at_database(lambda: self._reserve(call, worst)):
            return str(call)
        time.sleep(HOLD_S)
        self._at_database(lambda: bool(budgets.settle(call, worst * 6 // 10)))
        return None

    def _reserve(self, call: uuid.UUID, worst: int) -> bool:
        try:
            budgets.reserve(
                self._payer, worst, model="drill", purpose="drill", expires_in_s=60, call=call
            )
        except BudgetExhausted:
            return False
        return True

    def _at_database(self, work: Any) -> bool:
        with self._turns:
            try:
                return bool(work())
            finally:
                connections.close_all()
