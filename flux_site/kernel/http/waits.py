"""How long to wait: what an upstream asks for, and what we choose."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from flux_site.kernel.http.policy import Policy, QuotaHeaders

_EPOCH_LIKE: Final = 1_000_000_000  # a larger number of "seconds to go" is a Unix time


def retry_after_s(value: str, *, now: datetime) -> float | None:
    """The seconds that Retry-After asks for: a number, or an HTTP date. None when it is neither."""
    seconds = _number(value)
    if seconds is not None:
        return max(0.0, seconds)
    try:
        when = parsedate_to_datetime(value.strip())
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


def exhausted_s(
    headers: Mapping[str, str], names: QuotaHeaders | None, *, now: datetime
) -> float | None:
    """Seconds until a used-up quota renews, None when the refusal was not for that.

    Without a usable reset header it renews at midnight UTC, as daily quotas do.
    """
    left = _number(headers.get(names.left, "")) if names else None
    if names is None or left is None:
        return None
    if left > 0 and left >= (_number(headers.get(names.needed, "")) or 0.0):
        return None
    reset = _number(headers.get(names.reset, ""))
    if reset is None or reset <= 0:
        midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight - now).total_seconds()
    return reset - now.timestamp() if reset > _EPOCH_LIKE else reset


def pause_s(policy: Policy, attempt: int, chance: float) -> float:
    """Seconds before try `attempt` + 1, attempt from 1.

    Exponential with full jitter: anything between nothing and the doubled pause, so that workers
    that failed together do not come back together. Source: Marc Brooker, "Exponential Backoff And
    Jitter", AWS Architecture Blog, 2015.
    """
    return chance * min(policy.most_pause_s, policy.first_pause_s * 2.0 ** (attempt - 1))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) < 1e12 else None
