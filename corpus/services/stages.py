"""What is done with a stored document, one stage after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from corpus.services import embedding, linking, propositions

Over = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a stage did: the documents it has not finished, and texts sent to an encoder by
    document.
    """

    unfinished: Collection[int] = frozenset()
    sent: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """`run(documents, over)` does the work that is missing for these documents, asking `over` after
    each batch whether to stop. Doing it twice is the same as once. `if_poisoned` tells a curator
    what a document lacks when workers died of it.
    """

    name: str
    run: Callable[[Collection[int], Over], Progress]
    if_poisoned: str


def _link(documents: Collection[int], over: Over) -> Progress:
    return Progress(linking.link(documents, over))


def _propositions(documents: Collection[int], over: Over) -> Progress:
    return Progress(propositions.remake(documents, over))


def _embed(documents: Collection[int], over: Over) -> Progress:
    made = embedding.embed_missing(documents, over=over)
    return Progress(made.unfinished, made.sent)


STAGES = (
    Stage(
        "link",
        _link,
        "Finding the entities it names stopped {n} times. Retry when the cause is known.",
    ),
    Stage(
        "propositions",
        _propositions,
        "Telling its statements apart stopped {n} times. Its passages are found as they are; retry "
        "when the cause is known.",
    ),
    Stage(
        "embed",
        _embed,
        "Making its vectors stopped {n} times. Its text is found by words; retry when the cause "
        "is known.",
    ),
)
NAMES = tuple(stage.name for stage in STAGES)
BY_NAME = {stage.name: stage for stage in STAGES}


def after(name: str) -> str:
    """The stage that follows; `end` after the last."""
    return (*NAMES, "end")[NAMES.index(name) + 1]


def from_on(name: str) -> Sequence[Stage]:
    """A stage and those that follow it."""
    return STAGES[NAMES.index(name) :]
