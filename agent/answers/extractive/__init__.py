"""An answer without a model: the sentences that answer best, quoted, each its own claim."""

from agent.answers.extractive.compose import extractive

__all__ = ["extractive"]
