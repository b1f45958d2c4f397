"""What stages hand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from retrieval.legs.dense import DenseQuery
from retrieval.lexical.analyser import Term
from retrieval.types import Hit, LegResult, Query, Ranked, StageTrace


def no_scores() -> Mapping[int, float]:
    """The cosines before there are any."""
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SearchState:
    """A search between two stages. `reader` is a user; `documents` the ids a filter names."""

    query: Query
    reader: Any
    terms: tuple[Term, ...] = ()
    documents: tuple[int, ...] | None = None
    dense_query: DenseQuery | None = None
    legs: tuple[LegResult, ...] = ()
    cosines: Mapping[int, float] = field(
        default_factory=no_scores
    )  # of every candidate that has a vector
    ranked: tuple[Ranked, ...] = ()
    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = ()
    trace: tuple[StageTrace, ...] = ()

    @property
    def count(self) -> int:
        """Passages that are left, for the trace."""
        if self.hits:
            return len(self.hits)
        return len(self.ranked) or len({c.chunk for leg in self.legs for c in leg.candidates})
