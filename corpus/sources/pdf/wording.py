"""Pages named in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def verb(numbers: Sequence[int]) -> str:
    """What pages do."""
    return "hold" if len(numbers) > 1 else "holds"


def on_pages(numbers: Sequence[int], first: str = "P") -> str:
    """ "Page 3", "Pages 1, 2"; at most eight numbers."""
    shown = ", ".join(map(str, numbers[:8]))
    shown += f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
    return f"{first}age{'s' if len(numbers) > 1 else ''} {shown}"
