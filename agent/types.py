"""Small values that several rooms of this app share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from flux_site.kernel.errors import FluxError

MAX_QUESTION_CHARS: Final = 10_000
ANALYZE: Final = "analyze"
MODES: Final = (ANALYZE,)


class LeaseLost(FluxError):
    """Another worker holds the run now; this one must write nothing more."""

    code = "lease_lost"
    status = 409


class RunStopped(FluxError):
    """Someone who may has asked the run to stop."""

    code = "stopped"
    status = 409


@dataclass(frozen=True, slots=True)
class VisibleEvent:
    """A step of a run as one reader may see it."""

    run: UUID
    seq: int
    kind: str
    payload: dict[str, Any]

    @property
    def ends(self) -> bool:
        """Whether nothing comes after it."""
        return self.kind == "done"
