"""What is asked of a live source, and how its answers come: page by page, with a state to go on
from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from flux_site.kernel.http import BadAnswer

T = TypeVar("T")
State = Mapping[str, Any]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Request:
    """Records by their ids, or by a query in the source's own language.

    `since` is an ISO date: only what the source added or changed from then on, as far as it can
    tell. `limit` is a number of records; None takes all.
    """

    ids: tuple[str, ...] = ()
    query: str = ""
    since: str = ""
    limit: int | None = None


class Page(NamedTuple):
    """One answer as a file for the source's parser.

    `state` is plain JSON: a fetch that is given it goes on behind this page.
    """

    name: str
    data: bytes
    state: dict[str, Any]


Fetch = Callable[[Request, State | None, Tell], Iterator[Page]]
"""fetch(request, state, tell): `tell` gets each sentence on what is left out, so nothing is lost in
silence."""


def read_json(data: bytes, label: str) -> Any:
    """The value of a JSON answer. Raises BadAnswer."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise changed(label, "it is no JSON") from error


def changed(label: str, what: str) -> BadAnswer:
    """The error for an answer of another form than was agreed."""
    return BadAnswer(
        f"{label}'s answer cannot be read: {what}. Try again later; if it stays, the source has "
        "changed its form, and saved files are the way in until Flux follows.",
    )


def batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Tuples of `size` items, the last one shorter."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch


def missing_note(label: str, found: int, asked: int) -> str:
    """The sentence on ids that a source does not know."""
    return f"{label} has {found:,} of the {asked:,} records asked for; the other ids are unknown."
