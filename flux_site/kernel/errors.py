"""One tree of errors: each kind says what the caller can do about it."""

from __future__ import annotations

from typing import ClassVar


class FluxError(Exception):
    """An error that a person or a client is meant to read.

    `code` is stable, `status` is the HTTP status of the doors, `retryable` tells tasks to try
    again.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class InvalidInput(FluxError):
    """The request cannot be understood; the message says what would be."""

    code = "invalid_input"
    status = 422


class NotFound(FluxError):
    """Absent, or not the reader's: the two are never told apart."""

    code = "not_found"
    status = 404

    def __init__(self, message: str = "Not found.", **detail: object) -> None:
        super().__init__(message, **detail)


class NotAllowed(FluxError):
    """The reader sees the thing but may not do this with it."""

    code = "not_allowed"
    status = 403


class Conflict(FluxError):
    """The thing has changed, or exists already."""

    code = "conflict"
    status = 409


class BudgetExhausted(FluxError):
    """A reservation would pass a cap."""

    code = "budget_exhausted"
    status = 402


class Unavailable(FluxError):
    """A part that is needed does not answer; trying again later may work."""

    code = "unavailable"
    status = 503
    retryable = True


class ModelUnavailable(FluxError):
    """Model weights are missing or damaged; the message names what to put where."""

    code = "model_unavailable"
    status = 503
