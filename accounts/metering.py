"""The one way to call a model: reserve, call, settle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from uuid import UUID

from django.utils import timezone

from accounts.models import ModelCall
from accounts.services import budgets, prices
from accounts.services.budgets import Payer
from flux_site.kernel.llm.base import (
    Completion,
    Event,
    Finished,
    LanguageModel,
    ModelCallFailed,
    Request,
    TextDelta,
    collect,
    most_input_tokens,
)
from flux_site.kernel.llm.retry import Patience, with_retries

COUNT_TIMEOUT_S = 3.0
CALL_TIMEOUT_S = 45.0


@dataclass(frozen=True, slots=True)
class MeteredModel:
    """A model whose every call is paid for by `payer`. No database connection is used during a
    call.
    """

    model: LanguageModel
    payer: Payer
    purpose: str

    def stream(
        self, request: Request, *, timeout_s: float, cancel: threading.Event | None = None
    ) -> Iterator[Event]:
        """As LanguageModel.stream. Raises BudgetExhausted before anything is sent.

        A failure that surely cost nothing releases the reservation; any other end without the
        endpoint's own count settles it in full.
        """
        call = self._reserve(request, timeout_s)
        ended = False
        try:
            for event in self.model.stream(request, timeout_s=timeout_s, cancel=cancel):
                if isinstance(event, Finished):
                    self._settle(call.call, request.model, event)
                    ended = True
                yield event
        except ModelCallFailed as failed:
            if failed.outcome == "not_happened" and not ended:
                budgets.release(call.call)
                ended = True
            raise
        finally:
            if not ended:
                budgets.settle_in_full(call.call)

    def complete(
        self,
        request: Request,
        *,
        deadline: float,
        cancel: threading.Event | None = None,
        on_text: Callable[[str], None] | None = None,
        patience: Patience | None = None,
    ) -> Completion:
        """The whole answer, tried again inside `deadline` (time.monotonic()) where that can help.

        `on_text` gets the text as it comes; a second try begins anew with an empty string first.
        """

        def once(left_s: float) -> Completion:
            if on_text is not None:
                on_text("")
            events = self.stream(request, timeout_s=min(left_s, CALL_TIMEOUT_S), cancel=cancel)
            return collect(_heard(events, on_text))

        return with_retries(once, deadline=deadline, cancel=cancel, patience=patience)

    def _reserve(self, request: Request, timeout_s: float) -> ModelCall:
        counted = self.model.count_tokens(request, timeout_s=min(COUNT_TIMEOUT_S, timeout_s))
        tokens = most_input_tokens(request) if counted is None else counted
        price = prices.price_of(request.model, timezone.now().date())
        return budgets.reserve(
            self.payer,
            price.worst(tokens, request.max_tokens),
            model=request.model,
            purpose=self.purpose,
            expires_in_s=timeout_s,
        )

    def _settle(self, call: UUID, model: str, event: Finished) -> None:
        price = prices.price_of(model, timezone.now().date())
        budgets.settle(call, price.of(event.usage), usage=asdict(event.usage))


def _heard(events: Iterator[Event], on_text: Callable[[str], None] | None) -> Iterator[Event]:
    for event in events:
        if on_text is not None and isinstance(event, TextDelta):
            on_text(event.text)
        yield event
