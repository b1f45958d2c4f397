"""What stages hand on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from retrieval.legs.dense import DenseQuery
from retrieval.lexical.analyser import Term
from retrieval.types import Hit, LegResult, Query, Ranked, Scores, StageTrace


def unknown(chunk: int) -> Scores:
    """The scores of a passage before there are any."""
    return Scores()


@dataclass(frozen=True, slots=True)
class SearchState:
    """A search between two stages. `reader` is a user; `documents` the ids a filter names."""

    query: Query
    reader: Any
    terms: tuple[Term, ...] = ()
    documents: tuple[int, ...] | None = None
    dense_query: DenseQuery | None = None
    legs: tuple[LegResult, ...] = ()
    ranked: tuple[Ranked, ...] = ()
    scores_of: Callable[[int], Scores] = unknown  # asked for the few passages that are shown
    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = ()
    trace: tuple[StageTrace, ...] = ()

    @property
    def count(self) -> int:
        """Passages that are left, for the trace."""
        if self.hits:
            return len(self.hits)
        return len(self.ranked) or len({c.chunk for leg in self.legs for c in leg.candidates})
