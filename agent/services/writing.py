"""Answers written by a model: one draft, one repair, then the checks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.conf import settings

from accounts.metering import MeteredModel
from accounts.services.budgets import Payer
from agent.answers.grounded import Checked, ground
from agent.answers.partial import AnswerText
from agent.answers.schema import RetrievalQuality
from agent.answers.validate import AnswerRejected, validate
from agent.models import Run
from agent.services.evidence import Evidence
from agent.services.versions import PROMPTS
from flux_site.kernel.llm.base import Message, Request, Text
from flux_site.kernel.llm.registry import ANTHROPIC, providers

MAX_TOKENS: Final = 2_000
TIME_S: Final = 90.0  # for the draft and its repair together
PASSAGE_CHARS: Final = 6_000


@dataclass(frozen=True, slots=True)
class Writing:
    """What one run needs to have an answer written."""

    run: Run
    evidence: Evidence
    quality: RetrievalQuality
    cancel: threading.Event
    on_text: Callable[[str], None]

    def write(self) -> Checked:
        """A checked answer.

        Raises AnswerRejected when the second draft does not pass either, ModelCallFailed when the
        endpoint gave none in time, BudgetExhausted, CallCancelled.
        """
        deadline = time.monotonic() + TIME_S
        question = Message("user", (Text(self._asked()),))
        first = self._draft((question,), deadline, self._tell())
        try:
            checked = self._check(first)
            problems = checked.problems
        except AnswerRejected as rejected:
            checked, problems = None, [rejected.message]
        if not problems and checked is not None:
            return checked
        again = (
            question,
            Message("assistant", (Text(first),)),
            Message("user", (Text(prompt("repair").format(problems="\n".join(problems))),)),
        )
        return self._repaired(again, deadline, checked)

    def _repaired(
        self, messages: tuple[Message, ...], deadline: float, first: Checked | None
    ) -> Checked:
        """The second draft's answer, or the first one's where the second is worse."""
        try:
            second = self._check(self._draft(messages, deadline, None))
        except AnswerRejected:
            if first is None:
                raise
            return first
        if first is not None and len(second.problems) > len(first.problems):
            return first
        return second

    def _draft(
        self, messages: tuple[Message, ...], deadline: float, tell: Callable[[str], None] | None
    ) -> str:
        request = Request(
            model=model_name(),
            system=prompt("answer"),
            messages=messages,
            max_tokens=MAX_TOKENS,
        )
        metered = MeteredModel(
            providers.get(ANTHROPIC),
            Payer(self.run.user_id, self.run.team_id, self.run.public_id),
            "answer",
        )
        return metered.complete(request, deadline=deadline, cancel=self.cancel, on_text=tell).text

    def _check(self, raw: str) -> Checked:
        given = frozenset(passage.chunk_id for passage in self.evidence.passages)
        draft = validate(raw, given=given)
        return ground(draft, self.evidence.passages, quality=self.quality)

    def _tell(self) -> Callable[[str], None]:
        """Passes on the letters of the answer; a new try begins a new text."""
        reading = AnswerText()

        def tell(text: str) -> None:
            nonlocal reading
            if not text:
                reading = AnswerText()
                return
            new = reading.feed(text)
            if new:
                self.on_text(new)

        return tell

    def _asked(self) -> str:
        blocks = [
            f'<passage id="{passage.chunk_id}" title="{_attribute(passage.title)}">\n'
            f"{_body(passage.text)}\n</passage>"
            for passage in self.evidence.passages
        ]
        return "\n\n".join([*blocks, f"Question: {self.run.question}"])


def model_name() -> str:
    """The model that answers."""
    return str(settings.MODEL_TIERS["II"])


@lru_cache(maxsize=8)
def prompt(name: str) -> str:
    """A prompt's text."""
    return (PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip()


def _body(text: str) -> str:
    """A passage cannot close its own block."""
    return text[:PASSAGE_CHARS].replace("</passage", "<\u200b/passage")


def _attribute(text: str) -> str:
    return text[:200].replace('"', "'").replace("<", "‹").replace(">", "›").replace("\n", " ")
