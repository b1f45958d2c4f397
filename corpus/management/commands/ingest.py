"""bin/flux ingest SOURCE --corpus C --from PATH… [--no-wait]

Instead of files, a live source (pubmed, openalex, reactome, wikipathways, and kegg where its
licence allows it) can be asked:

    bin/flux ingest pubmed --corpus C --query "STAT3 AND psoriasis" [--limit N] [--since DATE]
    bin/flux ingest pubmed --corpus C --query cited-by:24808625
    bin/flux ingest openalex --corpus C --query filter:concepts.id:C71924100,publication_year:2024
    bin/flux ingest openalex --corpus C --ids 10.1038/nature12373,W2741809807
    bin/flux ingest reactome --corpus C --ids R-HSA-109581
    bin/flux ingest wikipathways --corpus C --query "Homo sapiens" --since 2026-01-01
    bin/flux ingest kegg --corpus C --query pathway/hsa

`--since` is the first day, as the source tells days; `--limit` a number of records. Whatever the
source leaves out is said in `notes`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from django.core.management.base import CommandParser
from django.db import connection
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from accounts.management.base import FluxCommand
from corpus.models import IngestJob
from corpus.services import corpora, fetching, jobs, progress, uploads
from corpus.sources.registry import SOURCES
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput

POLL_SECONDS = 0.2
PATIENCE_S = 600.0  # a source that asks to wait is waited for


class Command(FluxCommand):
    """Bring files of one source into a corpus and wait for the workers to be done with them."""

    help = "Ingest files or folders of a source into a corpus."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("source", metavar="SOURCE", help=", ".join(SOURCES))
        parser.add_argument("--corpus", required=True)
        given = parser.add_mutually_exclusive_group(required=True)
        given.add_argument("--from", dest="paths", nargs="+", metavar="PATH")
        given.add_argument("--query", default="", help="what to ask the live source for")
        given.add_argument("--ids", nargs="+", default=[], metavar="ID", help="records by id")
        parser.add_argument("--limit", type=int, help="at most so many records of the live source")
        parser.add_argument("--since", default="", metavar="DATE", help="only from this day on")
        parser.add_argument("--no-wait", action="store_true", help="print the job and return")

    def run(self, **options: Any) -> dict[str, Any]:
        """Accept the files, let the workers at them, follow."""
        if options["source"] not in SOURCES:
            raise InvalidInput(f"SOURCE is one of {', '.join(SOURCES)}.")
        reader = self.reader(options)
        corpus = corpora.find(options["corpus"], reader)
        notes: list[str] = []
        files = given_files(options, tell=notes.append)
        job = uploads.accept(corpus, options["source"], files, by=reader, origin="command")
        dispatch.delay()
        told = {"notes": notes} if notes else {}
        if options["no_wait"]:
            return {"job": str(job.public_id), **told}
        follow(job, quiet=self.as_json)
        result = progress.summary(job)
        self.exit_code = 1 if result["failed"] else 0
        return {**result, **told}

    def show(self, result: dict[str, Any]) -> None:
        """Counts, then each failure with its reason."""
        counts = ("done", "unchanged", "skipped", "failed")
        for note in result.get("notes", ()):
            self.stdout.write(note)
        if "items" not in result:
            self.stdout.write(f"Job {result['job']} is queued.")
            return
        self.stdout.write(", ".join(f"{result[name]} {name}" for name in counts))
        for item in result["items"]:
            if item["state"] == "failed":
                self.stdout.write(f"  {item['file']}: {item['reason']}")


def given_files(
    options: dict[str, Any], *, tell: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """The files at --from, or those of the live source. Raises InvalidInput."""
    limit, since = options["limit"], options["since"]
    if options["paths"]:
        if since or limit is not None:
            raise InvalidInput("--limit and --since narrow a --query or --ids, not files.")
        return uploads.walk(options["paths"])
    request = fetching.request_for(
        ids=" ".join(options["ids"]), query=options["query"], since=since, limit=limit
    )
    return fetching.fetch_files(options["source"], request, tell=tell, patience_s=PATIENCE_S)


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
