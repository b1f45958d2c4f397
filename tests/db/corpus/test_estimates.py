"""How fast a job goes, and when it will be over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpus.services import jobs, progress, uploads
from tests.db.corpus.test_jobs import SOCS3
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, lines

pytestmark = pytest.mark.django_db

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)
MORE = 24


def test_the_rate_is_that_of_what_ended_in_the_last_minute_however_old_the_rows_are():
    corpus = CorpusFactory()
    records = [SOCS3 | {"id": str(n)} for n in range(jobs.ITEMS + MORE)]
    files = [("a.jsonl", lines(records))]
    with time_machine.travel(BEGIN, tick=False) as clock:
        job = uploads.accept(corpus, "jsonl", files, by=curator_of(corpus))
        (read,) = jobs.lease()
        jobs.perform(read)
        assert told(job) == (None, None), "nothing to go by"

        clock.shift(timedelta(minutes=10))
        first, *_ = jobs.lease()
        jobs.perform(first)

        rate = jobs.ITEMS / 60
        assert told(job) == (round(rate, 2), round(MORE / rate))
        clock.shift(timedelta(minutes=2))
        overall = jobs.ITEMS / (12 * 60)
        assert told(job) == (round(overall, 2), round(MORE / overall)), "of the whole time then"


def told(job) -> tuple[float | None, int | None]:
    """Rate and time left, alike in the job's own view and in lists."""
    job.refresh_from_db()
    whole, line = progress.summary(job), progress.overview([job])[job.pk]
    found = whole["per_second"], whole["eta_seconds"]
    assert (line["per_second"], line["eta_seconds"]) == found
    return found
