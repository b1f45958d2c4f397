"""The grounding check: a passage says what the claim says, and the quote stands in it."""

from agent.answers.grounding.check import Verdict, check

__all__ = ["Verdict", "check"]
