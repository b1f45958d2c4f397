"""The order of the stages, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from retrieval.stages.state import SearchState
from retrieval.types import StageTrace

Stage = Callable[[SearchState], SearchState]


def run(state: SearchState, stages: Iterable[tuple[str, Stage]]) -> SearchState:
    """Put a search through named stages; time and count of each end up in its trace."""
    for name, stage in stages:
        started = time.perf_counter()
        state = stage(state)
        took_ms = round((time.perf_counter() - started) * 1000, 2)
        detail = ", ".join(f"{leg.leg}: {leg.method or 'failed'}" for leg in state.legs)
        step = StageTrace(name, took_ms, state.count, detail if name == "search" else "")
        state = replace(state, trace=(*state.trace, step))
    return state
