"""bin/flux jobs [--corpus C] [--open]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.models import IngestJob
from corpus.services import corpora, progress, turns

SHOWN = 50


class Command(FluxCommand):
    """The newest jobs of corpora that the reader curates."""

    help = "List jobs, newest first."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("--corpus", default="")
        parser.add_argument("--open", action="store_true", help="only what is not over")

    def run(self, **options: Any) -> dict[str, Any]:
        """Summaries without items."""
        reader = self.reader(options)
        jobs = IngestJob.objects.visible_to(reader).select_related("corpus", "fetch")
        if options["corpus"]:
            jobs = jobs.filter(corpus=corpora.find(options["corpus"], reader))
        if options["open"]:
            jobs = jobs.filter(state__in=[*turns.OPEN_STATES, "paused"])
        shown = list(jobs[:SHOWN])
        told = progress.summaries(shown)
        return {"jobs": [{"corpus": job.corpus.slug, **told[job.pk]} for job in shown]}

    def show(self, result: dict[str, Any]) -> None:
        """A line a job."""
        for job in result["jobs"]:
            line = next(iter(progress.told(job)))
            self.stdout.write(f"{job['job']}  {job['source']} into {job['corpus']}  {line}")
