"""How figures, money and times are written on pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils import timezone

from accounts.types import MICRO

MINUTE, HOUR, DAY = 60, 3600, 86400


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a control."""

    value: str
    label: str
    chosen: bool = False
    count: int | None = None


def choices(options: Sequence[tuple[str, str]], chosen: str | Sequence[str]) -> list[Choice]:
    """The options of a select, radio or checkbox group, with what is chosen marked."""
    picked = {chosen} if isinstance(chosen, str) else set(chosen)
    return [Choice(value, label, value in picked) for value, label in options]


def money(microusd: int) -> str:
    """Micro-dollars as dollars: cents from one dollar on, a tenth of a cent below."""
    dollars = microusd / MICRO
    if microusd == 0 or dollars >= 1:
        return f"${dollars:,.2f}"
    return f"${dollars:.3f}" if microusd >= 1000 else "under $0.001"


def counted(n: int, one: str, many: str = "") -> str:
    """`1 document`, `1 204 documents`: thousands are set off by a thin space."""
    return f"{grouped(n)} {one if n == 1 else many or one + 's'}"


def grouped(n: int) -> str:
    """A whole number with thin spaces between its thousands."""
    return f"{n:,}".replace(",", "\u2009")


def percent(part: float, whole: float) -> float:
    """A share in percent with one decimal, in [0, 100]; of nothing, 0."""
    return round(min(max(100.0 * part / whole, 0.0), 100.0), 1) if whole else 0.0


def ago(moment: datetime, now: datetime | None = None) -> str:
    """How long ago, in one or two words; from a week on, the day."""
    now = now or timezone.now()
    seconds = (now - moment).total_seconds()
    if seconds < MINUTE:
        return "now"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)} min"
    if seconds < DAY:
        return f"{int(seconds // HOUR)} h"
    if seconds < 2 * DAY:
        return "yesterday"
    if seconds < 7 * DAY:
        return f"{int(seconds // DAY)} days"
    return day(moment) if moment.year != now.year else f"{moment.day} {moment:%b}"


def day(moment: datetime) -> str:
    """A date as `30 Nov 2026`."""
    return f"{moment.day} {moment:%b %Y}"


def moment(at: datetime) -> str:
    """A date and a time of day in UTC."""
    at = at.astimezone(UTC)
    return f"{day(at)} {at:%H:%M} UTC"


def duration(milliseconds: float) -> str:
    """A time taken: `340 ms`, `2.1 s`, `1:12 min`."""
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    return (
        f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)}:{int(seconds % 60):02d} min"
    )


def initials(name: str) -> str:
    """At most two letters that stand for a person."""
    words = [word for word in name.replace("@", " ").replace(".", " ").split() if word[0].isalnum()]
    if not words:
        return "?"
    return (words[0][0] + (words[-1][0] if len(words) > 1 else "")).upper()


def shortened(text: str, length: int) -> str:
    """The text, cut at a word with an ellipsis when it is longer."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    return text[:length].rsplit(" ", 1)[0].rstrip(",;:.") + "…"
