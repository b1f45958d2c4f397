"""The grounding check: a quote stands in its passage, and the passage says what the claim says."""

from agent.answers.grounding.check import Verdict, check
from agent.answers.grounding.verbatim import locate

__all__ = ["Verdict", "check", "locate"]
