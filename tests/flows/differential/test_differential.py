"""The differential test of the product's one promise on permissions.

A reader asks every read path twice: in a world without the hidden team, and in the same world with
it. The answers are the same byte for byte. What names one hidden thing is answered like what names
nothing. And each path answers those who are allowed with the thing itself, so that no case passes
by failing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from accounts.querysets import OwnQuerySet, TeamQuerySet
from agent.models import Run
from agent.querysets import CitationQuerySet, ClaimQuerySet, OfRunQuerySet, RunQuerySet
from agent.services.runs import wait_for_end
from agent.tasks import run_ask
from corpus import querysets
from corpus.models import IngestJob
from flux_site.celery import app
from tests.flows.differential import streams
from tests.flows.differential.paths import (
    CASES,
    EXEMPT,
    Case,
    absent_ids,
    routes,
)
from tests.flows.differential.world import Side, make_side

pytestmark = pytest.mark.django_db(transaction=True)
NOW = "2026-11-30T09:00:00+00:00"
UPLOAD = b'{"id": "u", "title": "Uploaded", "text": "JAK1 binds gp130."}\n'
# What differs between any two requests, and says nothing.
MASKS = (
    (re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"'), b"csrf"),
    (re.compile(rb'"?(?:[a-z_]+_)?ms"?\s*:\s*[\d.]+'), b"ms"),
    (re.compile(rb"[\d.]+(?:&nbsp;|\s)m?s\b"), b"duration"),
    (re.compile(rb'name="key" value="[^"]+"'), b"key"),
    (re.compile(rb'"job":\s*"[0-9a-f-]{36}"'), b"job"),
)
# An ETag is the hash of the body, durations in it included: the masked body says the same and more.
HEADERS = ("Content-Type", "Location", "Cache-Control", "Allow", "Link", "Retry-After")


@pytest.fixture
def frozen() -> Iterator[None]:
    """One moment for all: ages and dates are the same. Tasks are done where they are sent."""
    app.conf.task_always_eager = True
    over = threading.Event()
    worker = threading.Thread(target=answer_questions, args=(over,), daemon=True)
    with time_machine.travel(NOW, tick=False):
        worker.start()
        yield
        over.set()
        worker.join()
    app.conf.task_always_eager = False


def answer_questions(over: threading.Event) -> None:
    """A worker for runs, in a thread of this process."""
    try:
        while not over.wait(0.02):
            for run in Run.objects.filter(status="queued").values_list("pk", flat=True):
                run_ask(run)
    finally:
        connection.close()


@pytest.fixture
def reader_side(frozen: None) -> Side:
    """What the reader may see, with a run of theirs over it."""
    return make_side("heron", shade=10)


def make_hidden() -> Side:
    """What others keep; its marker sorts before the reader's."""
    return make_side("adder", shade=200, slanders=True)


def answer(case: Case, asker: Side, about: Side) -> tuple[int, dict[str, str], bytes]:
    """Status, telling headers and body of the case asked by one side's person about a side."""
    cache.clear()  # rates are counted anew: how often someone asked is no part of the answer
    client = Client(raise_request_exception=True)
    headers = {}
    if case.by_token:
        headers["Authorization"] = f"Bearer {asker.secret}"
    else:
        client.force_login(asker.person)
    body: dict[str, Any] = dict(case.body(about))
    for name in {"file", "files"} & set(body):
        body[name] = SimpleUploadedFile("u.jsonl", UPLOAD)
    jobs = set(IngestJob.objects.values_list("pk", flat=True))
    runs = set(Run.objects.values_list("pk", flat=True))
    as_json = case.by_token and ("question" in body or case.method == "patch")
    more = {"content_type": "application/json"} if as_json else {}
    response = getattr(client, case.method)(case.path(about), body or None, headers=headers, **more)
    content = response.content if not response.streaming else b"".join(response.streaming_content)
    # The next request finds the same world.
    IngestJob.objects.exclude(pk__in=jobs).delete()
    for run in Run.objects.exclude(pk__in=runs):
        wait_for_end(run, timeout_s=60).delete()
        content = content.replace(str(run.public_id).encode(), b"new run")
    for pattern, mask in MASKS:
        content = pattern.sub(mask, content)
    return response.status_code, {h: response.headers.get(h, "") for h in HEADERS}, content


def about_nothing(case: Case, asker: Side, about: Side) -> tuple[int, dict[str, str], bytes]:
    """The same request about ids that nothing has; both are masked in the answer."""
    ids = absent_ids(about)

    def swapped(text: str) -> str:
        for old, new in ids.items():
            text = text.replace(old, new)
        return text

    other = replace(
        case,
        path=lambda side: swapped(case.path(side)),
        body=lambda side: {
            key: swapped(value) if isinstance(value, str) else value
            for key, value in case.body(side).items()
        },
    )
    status, headers, content = answer(other, asker, about)
    return status, headers, masked_ids(content, ids)


def masked_ids(content: bytes, ids: dict[str, str]) -> bytes:
    """Without the ids that the asker has given."""
    for number, (old, new) in enumerate(ids.items()):
        for text in (old, new):
            content = content.replace(text.encode(), f"id{number}".encode())
    return content


def differences(reader: Side) -> list[str]:
    """Cases in which the hidden side shows; makes the hidden side on its way."""
    lists = [case for case in CASES if not case.names_one]
    before = {case: answer(case, reader, reader) for case in lists}
    streams_before = streams.all_of(reader, reader)
    hidden = make_hidden()
    found = [
        f"{case.method} {case.path(reader)} changed: {first_difference(before[case], now)}"
        for case in lists
        if (now := answer(case, reader, reader)) != before[case]
    ]
    for one, two in zip(streams_before, streams.all_of(reader, reader), strict=True):
        if one != two:
            found.append(f"a stream changed: {first_difference(one, two)}")
    for case in CASES:
        if not case.names_one:
            continue
        status, headers, content = answer(case, reader, hidden)
        named = (status, headers, masked_ids(content, absent_ids(hidden)))
        nothing = about_nothing(case, reader, hidden)
        if named != nothing:
            told = first_difference(nothing, named)
            found.append(f"{case.method} {case.path(hidden)} tells that it exists: {told}")
    found += streams.tells(reader, hidden)
    return found


def first_difference(one: object, two: object) -> str:
    """The surroundings of the first place where two answers part."""
    a, b = (str(x[2] if isinstance(x, tuple) else x) for x in (one, two))
    if a == b:
        return f"{one!r:.300} / {two!r:.300}"
    at = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    return f"{a[max(0, at - 80) : at + 120]!r} / {b[max(0, at - 80) : at + 120]!r}"


def test_every_route_has_a_case():
    covered = {case.route for case in CASES} | set(EXEMPT) | set(streams.ROUTES)

    assert set(routes()) - covered == set()
    assert covered - set(routes()) == set(), "cases of routes that are gone"


def test_nothing_hidden_shows(reader_side: Side):
    found = differences(reader_side)

    assert not found, "\n".join(found)


def test_who_may_see_a_thing_gets_it(reader_side: Side):
    failures = []
    for case in CASES:
        status, _, content = answer(case, reader_side, reader_side)
        if status != case.status and not (status == 302 and case.method == "post"):
            failures.append(f"{case.path(reader_side)}: {status}")
        elif case.shows(reader_side).encode() not in content:
            failures.append(f"{case.path(reader_side)} lacks {case.shows(reader_side)!r}")
    failures += streams.lacks(reader_side)

    assert not failures, "\n".join(failures)


# Each place where a reader's scope is decided, and what its removal must be noticed by.
SCOPES = [
    (querysets.CorpusQuerySet, "with_role"),
    (querysets.DocumentQuerySet, "visible_to"),
    (querysets.ChunkQuerySet, "visible_to"),
    (querysets.PageQuerySet, "visible_to"),
    (querysets.FigureQuerySet, "visible_to"),
    (querysets.TableQuerySet, "visible_to"),
    (querysets.JobQuerySet, "visible_to"),
    (querysets.DeletionQuerySet, "visible_to"),
    (querysets.WatchedQuerySet, "visible_to"),
    (RunQuerySet, "visible_to"),
]
# Their rows are read by no path yet; the graph and research bring them. Works are read on the way
# to documents, which have a scope of their own; rulings on names are read in the admin alone.
NOT_READ_YET = {
    querysets.MentionQuerySet,
    querysets.EvidenceQuerySet,
    querysets.SupportQuerySet,
    querysets.RowQuerySet,
    querysets.RulingQuerySet,
    querysets.WorkQuerySet,
    querysets.EdgeQuerySet,
    querysets.NodeQuerySet,
}


@pytest.mark.slow
@pytest.mark.parametrize(("queryset", "method"), SCOPES, ids=lambda v: getattr(v, "__name__", v))
def test_removing_a_scope_turns_it_red(
    queryset: type, method: str, reader_side: Side, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(queryset, method, lambda self, *_: self.all())

    assert differences(reader_side) != []


def test_every_scope_is_named_above():
    base = {querysets.VisibleQuerySet, OfRunQuerySet, OwnQuerySet, TeamQuerySet}
    known = {queryset for queryset, _ in SCOPES} | NOT_READ_YET | base
    all_of_them = {
        value
        for module in (querysets, __import__("agent.querysets", fromlist=["x"]))
        for value in vars(module).values()
        if isinstance(value, type) and hasattr(value, "visible_to")
    }

    assert all_of_them - known == {CitationQuerySet, ClaimQuerySet, querysets.JobItemQuerySet}
