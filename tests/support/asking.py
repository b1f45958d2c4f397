"""A small cytokine library to ask, and a worker in the test's own process."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections

from accounts.models import User
from agent.models import Run
from agent.services import runs
from agent.tasks import run_ask
from corpus.models import Corpus
from tests.db.retrieval.library import add, embed
from tests.factories import CorpusFactory, TeamFactory

QUESTION = "Which protein does SOCS3 inhibit to end IL-6 signalling?"
SOCS3 = (
    "SOCS3 inhibits JAK2 and so ends IL-6 signalling in hepatocytes. The protein binds gp130 near "
    "the kinase. Its loss prolongs the phosphorylation of STAT3 after IL-6."
)
STAT3 = (
    "JAK2 phosphorylates STAT3 on Tyr705 after IL-6 binds its receptor. The dimer moves into the "
    "nucleus and drives transcription of SOCS3, an inhibitor of its own pathway."
)
MUSEUM = "The museum opens at nine on Sundays. Tickets cost five euros for adults."


def library(reader: User, *, slug: str = "cytokines", **corpus: Any) -> Corpus:
    """A corpus of the reader's team with three records, passages embedded."""
    made = CorpusFactory(slug=slug, team=TeamFactory(researchers=[reader]), **corpus)
    hold(made, "socs3", "SOCS3 ends IL-6 signalling", SOCS3)
    hold(made, "stat3", "STAT3 and its feedback", STAT3)
    hold(made, "museum", "Opening hours", MUSEUM)
    embed()
    return made


def hold(corpus: Corpus, name: str, title: str, text: str) -> None:
    """A stored record of one passage; `embed()` it before it is asked."""
    add(corpus, name, text, title=title, year=2020)


def answered(user: User, question: str = QUESTION, **fields: Any) -> Run:
    """Start a run and answer it in this thread."""
    run = runs.start_run(user, question, **fields)
    run_ask(run.pk)
    run.refresh_from_db()
    return run


@contextmanager
def working(run: Run) -> Iterator[threading.Thread]:
    """Answer a run in another thread, as a worker would; joined at the end."""

    def work() -> None:
        try:
            run_ask(run.pk)
        finally:
            connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(30)


def passages_in(body: dict[str, Any]) -> dict[str, str]:
    """The passages that a request to the model holds, by id."""
    text = body["messages"][0]["content"][0]["text"]
    found = re.findall(r'<passage id="([^"]+)"[^>]*>\n(.*?)\n</passage>', text, re.S)
    return dict(found)


def draft(body: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A good answer of a model to a request about SOCS3."""
    given = passages_in(body)
    chunk = next(key for key, text in given.items() if "SOCS3 inhibits JAK2" in text)
    quote = "SOCS3 inhibits JAK2 and so ends IL-6 signalling in hepatocytes."
    whole = {
        "answer": "SOCS3 inhibits JAK2.",
        "citations": [{"id": 1, "chunk_id": chunk, "quote": quote}],
        "claims": [{"text": "SOCS3 inhibits JAK2.", "citations": [1]}],
        "confidence": 0.9,
        "answerable": True,
        "reasoning_summary": "One passage says so.",
    }
    return whole | changes


Writer = Callable[[dict[str, Any]], str]


def as_json(**changes: Any) -> Writer:
    """What a model writes: the good draft with some changes."""
    return lambda body: json.dumps(draft(body, **changes))
