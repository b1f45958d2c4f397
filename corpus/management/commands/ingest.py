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
    bin/flux ingest pubmed --corpus C --named

`--named` asks PubMed (or OpenAlex) for the papers that reference lists of the corpus name by a PMID
(or by a DOI alone) and of which it holds no text.

`--since` is the first day, as the source tells days; `--limit` a number of records. Whatever the
source leaves out is said in `fetch.notes`; what does not answer is asked again later.
"""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandParser
from django.db import connection
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from accounts.management.base import FluxCommand
from accounts.models import User
from corpus.models import Corpus, IngestJob
from corpus.services import corpora, fetching, jobs, live, progress, uploads, wanted
from corpus.sources.fetching import Request
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
        given = parser.add_mutually_exclusive_group(required=True)
        given.add_argument("--from", dest="paths", nargs="+", metavar="PATH")
        given.add_argument("--query", default="", help="what to ask the live source for")
        given.add_argument("--ids", nargs="+", default=[], metavar="ID", help="records by id")
        given.add_argument("--named", action="store_true", help="papers that reference lists name")
        parser.add_argument("--limit", type=int, help="at most so many records of the live source")
        parser.add_argument("--since", default="", metavar="DATE", help="only from this day on")
        parser.add_argument("--no-wait", action="store_true", help="print the job and return")

    def run(self, **options: Any) -> dict[str, Any]:
        """Accept the files, let the workers at them, follow."""
        if options["source"] not in SOURCES:
            raise InvalidInput(f"SOURCE is one of {', '.join(SOURCES)}.")
        reader = self.reader(options)
        corpus = corpora.find(options["corpus"], reader)
        job = _accepted(corpus, reader, options)
        dispatch.delay()
        if options["no_wait"]:
            return {"job": str(job.public_id)}
        follow(job, quiet=self.as_json)
        result = progress.summary(job)
        self.exit_code = 1 if result["failed"] or result["state"] == "failed" else 0
        return result

    def show(self, result: dict[str, Any]) -> None:
        """Counts, then each failure with its reason."""
        if "items" not in result:
            self.stdout.write(f"Job {result['job']} is queued.")
            return
        for line in progress.told(result):
            self.stdout.write(line)


def _accepted(corpus: Corpus, reader: User, options: dict[str, Any]) -> IngestJob:
    """A job of the files at --from, or of what a live source is asked for."""
    source = options["source"]
    request = wanted.request(corpus, source) if options["named"] else request_of(options)
    if request is None:
        files = uploads.walk(options["paths"])
        return uploads.accept(corpus, source, files, by=reader, origin="command")
    return live.accept(corpus, source, request, by=reader, origin="command")


def request_of(options: dict[str, Any]) -> Request | None:
    """What a live source is asked for; None where files are given. Raises InvalidInput."""
    limit, since = options["limit"], options["since"]
    if not options["paths"]:
        return fetching.request_for(
            ids=" ".join(options["ids"]), query=options["query"], since=since, limit=limit
        )
    if since or limit is not None:
        raise InvalidInput("--limit and --since narrow a --query or --ids, not files.")
    return None


def follow(job: IngestJob, *, quiet: bool) -> None:
    """Show a job's progress until it is over."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), disable=quiet
    ) as bar:
        task = bar.add_task(f"{job.source} → {job.corpus.slug}", total=None)
        while not jobs.settled(job):
            state = progress.summary(job, items=False)
            ended = sum(state[name] for name in progress.END_STATES)
            bar.update(task, completed=ended, total=state["total"] or None)
            connection.close()  # nothing is held while waiting, and a restarted server is no matter
            time.sleep(POLL_SECONDS)
