"""bin/flux chunker layout|semantic|sliding --corpus C [--no-wait]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.management.commands.ingest import follow
from corpus.models import Corpus
from corpus.services import corpora, recutting
from corpus.tasks import dispatch


class Command(FluxCommand):
    """Say how documents of a corpus are cut into passages, and cut anew those that are there."""

    help = "Choose how a corpus is cut into passages; documents that are here are read again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which way, for which corpus."""
        parser.add_argument("chunker", choices=[name for name, _ in Corpus.CHUNKERS])
        parser.add_argument("--corpus", required=True, help="NAME, TEAM/NAME or id")
        parser.add_argument("--no-wait", action="store_true", help="print the jobs' ids at once")

    def run(self, **options: Any) -> dict[str, Any]:
        """Make the jobs, and wait for them unless told not to."""
        reader = self.reader(options)
        corpus = corpora.find(options["corpus"], reader)
        made = recutting.switch(corpus, options["chunker"], by=reader, origin="command")
        dispatch.delay()
        if not options["no_wait"]:
            for job in made.jobs:
                follow(job, quiet=self.as_json)
        return {
            "chunker": corpus.chunker,
            "documents": made.documents,
            "without_file": made.without_file,
            "jobs": [str(job.public_id) for job in made.jobs],
        }
