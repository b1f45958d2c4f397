"""What can go wrong with an upstream, by what the caller can do about it.

Messages are sentences for a curator. They never hold a query string: keys travel there.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from flux_site.kernel.errors import FluxError


class SourceUnavailable(FluxError):
    """It does not answer now, or asks to wait; the same request may succeed after `wait_s`
    seconds.
    """

    code: ClassVar[str] = "source_unavailable"
    status: ClassVar[int] = 503
    retryable: ClassVar[bool] = True

    def __init__(self, message: str, *, wait_s: float = 0.0, **detail: object) -> None:
        super().__init__(message, **detail)
        self.wait_s = wait_s


class SourceExhausted(FluxError):
    """Its quota is used up: no request before `until` can succeed, so none is made."""

    code: ClassVar[str] = "source_exhausted"
    status: ClassVar[int] = 503

    def __init__(self, message: str, *, until: datetime, **detail: object) -> None:
        super().__init__(message, **detail)
        self.until = until


class SourceRefused(FluxError):
    """It will not answer this request however often it is made; `answered` is its status."""

    code: ClassVar[str] = "source_refused"
    status: ClassVar[int] = 422

    def __init__(self, message: str, *, answered: int = 0, **detail: object) -> None:
        super().__init__(message, **detail)
        self.answered = answered


class BadAnswer(FluxError):
    """It answered something else than was agreed: its form has changed, or it shows an error
    page.
    """

    code: ClassVar[str] = "bad_answer"
    status: ClassVar[int] = 502


class TooLarge(FluxError):
    """Its answer passes the limit of size; it was not read to the end."""

    code: ClassVar[str] = "answer_too_large"
    status: ClassVar[int] = 502


class Blocked(FluxError):
    """The request would leave the hosts of its source, or reach an address that is not public."""

    code: ClassVar[str] = "blocked_address"
    status: ClassVar[int] = 502
