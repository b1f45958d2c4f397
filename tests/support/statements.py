"""Dying between two statements: the database is told nothing of what was to come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.db import connection


class Cut(BaseException):
    """The process is thought dead from here on: no handler of ours may catch it."""


@contextmanager
def cut_before(number: int) -> Iterator[None]:
    """Die before the statement of that number (from 1) that the block sends."""
    seen = count(1)

    def dying(execute: Callable[..., Any], *arguments: Any) -> Any:
        if next(seen) == number:
            raise Cut
        return execute(*arguments)

    with connection.execute_wrapper(dying):
        yield


def cut_everywhere(act: Callable[[], Any], whole: Callable[[], None]) -> int:
    """Do `act` again and again, each time dying one statement later, until it goes through; after
    each death `whole` asserts that nothing is half. How often it died.
    """
    for number in count(1):
        try:
            with cut_before(number):
                act()
        except Cut:
            whole()
        else:
            return number - 1
    raise AssertionError
