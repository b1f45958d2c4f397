"""bin/flux ingest SOURCE --corpus C --from PATH… [--no-wait]"""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandParser
from django.db import connection
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from accounts.management.base import FluxCommand
from corpus.models import IngestJob
from corpus.services import corpora, jobs, progress, uploads
from corpus.sources.registry import SOURCES
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput

POLL_SECONDS = 0.2


class Command(FluxCommand):
    """Bring files of one source into a corpus and wait for the workers to be done with them."""

    help = "Ingest files or folders of a source into a corpus."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("source", metavar="SOURCE", help=", ".join(SOURCES))
        parser.add_argument("--corpus", required=True)
        parser.add_argument("--from", dest="paths", nargs="+", required=True, metavar="PATH")
        parser.add_argument("--no-wait", action="store_true", help="print the job and return")

    def run(self, **options: Any) -> dict[str, Any]:
        """Accept the files, let the workers at them, follow."""
        if options["source"] not in SOURCES:
            raise InvalidInput(f"SOURCE is one of {', '.join(SOURCES)}.")
        reader = self.reader(options)
        corpus = corpora.find(options["corpus"], reader)
        files = uploads.walk(options["paths"])
        job = uploads.accept(corpus, options["source"], files, by=reader, origin="command")
        dispatch.delay()
        if options["no_wait"]:
            return {"job": str(job.public_id)}
        follow(job, quiet=self.as_json)
        result = progress.summary(job)
        self.exit_code = 1 if result["failed"] else 0
        return result

    def show(self, result: dict[str, Any]) -> None:
        """Counts, then each failure with its reason."""
        counts = ("done", "unchanged", "skipped", "failed")
        if "items" not in result:
            self.stdout.write(f"Job {result['job']} is queued.")
            return
        self.stdout.write(", ".join(f"{result[name]} {name}" for name in counts))
        for item in result["items"]:
            if item["state"] == "failed":
                self.stdout.write(f"  {item['file']}: {item['reason']}")


def follow(job: IngestJob, *, quiet: bool) -> None:
    """Show a job's progress until it is over."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), disable=quiet
    ) as bar:
        task = bar.add_task(f"{job.source} → {job.corpus.slug}", total=None)
        while not jobs.settled(job):
            state = progress.summary(job, items=False)
            ended = sum(state[name] for name in ("done", "failed", "unchanged", "skipped"))
            total = None if state["files_left"] else ended + state["running"]
            bar.update(task, completed=ended, total=total)
            connection.close()  # nothing is held while waiting, and a restarted server is no matter
            time.sleep(POLL_SECONDS)
