"""bin/flux propositions on|off --corpus C [--no-wait]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.management.commands.ingest import follow
from corpus.services import corpora, progress, propositions
from corpus.tasks import dispatch


class Command(FluxCommand):
    """Say whether a corpus's passages are also found by their single statements."""

    help = "Split the passages of a corpus into statements that have vectors of their own, or not."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which corpus, and what of it."""
        parser.add_argument("state", choices=["on", "off"])
        parser.add_argument("--corpus", required=True, help="NAME, TEAM/NAME or id")
        parser.add_argument("--no-wait", action="store_true", help="print the job's id at once")

    def run(self, **options: Any) -> dict[str, Any]:
        """Make the job, and wait for it unless told not to."""
        reader = self.reader(options)
        corpus = corpora.find(options["corpus"], reader)
        wanted = options["state"] == "on"
        job = propositions.switch(corpus, wanted, by=reader, origin="command")
        dispatch.delay()
        if options["no_wait"]:
            return {"job": str(job.public_id)}
        follow(job, quiet=self.as_json)
        return progress.summary(job, items=False)

    def show(self, result: dict[str, Any]) -> None:
        """Counts of the job's documents."""
        for line in progress.told(result) if "state" in result else [f"Job {result['job']}"]:
            self.stdout.write(line)
