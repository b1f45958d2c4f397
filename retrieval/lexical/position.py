"""How far this host's follower has read the change log, kept beside the indexes."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "position.json"


@dataclass(frozen=True, slots=True)
class Position:
    """Every change up to (xid, change) has been applied. `cluster` names the database it is of:
    transaction ids mean nothing in another one.
    """

    xid: int
    change: int
    cluster: str

    def is_after(self, xid: int, change: int) -> bool:
        """Whether that change has been applied."""
        return (self.xid, self.change) >= (xid, change)


def read(root: Path) -> Position | None:
    """The stored position; None when there is none, or none that can be read."""
    try:
        stored = json.loads((root / FILE).read_text())
        return Position(int(stored["xid"]), int(stored["change"]), str(stored["cluster"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(root: Path, position: Position) -> None:
    """Store it whole and durably, after the indexes have been committed."""
    root.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=root, prefix=f".{FILE}.")
    with os.fdopen(descriptor, "w") as stream:
        json.dump(asdict(position), stream)
        stream.flush()
        os.fsync(stream.fileno())
    Path(name).replace(root / FILE)


def forget(root: Path) -> None:
    """Start from the tables next time."""
    (root / FILE).unlink(missing_ok=True)
