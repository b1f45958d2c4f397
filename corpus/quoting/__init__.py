"""What stands in a passage: whether a quote does, and the quantities that it states. Pure."""

from __future__ import annotations

from corpus.quoting.numbers import quantities, unstated
from corpus.quoting.verbatim import locate

__all__ = ["supported"]


def supported(passage: str, statement: str, quote: str) -> bool:
    """Whether the quote stands in the passage and every quantity of the statement is stated there.

    The first, cheapest part of what a claim of an answer must pass (agent.answers.grounding.check).
    """
    return locate(passage, quote) is not None and not unstated(quantities(passage), statement)
