"""bin/flux demo load: the demo corpus, whole, once."""

from __future__ import annotations

import hashlib
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from accounts.services.members import team_by_name
from corpus.management.commands.ingest import follow
from corpus.models import Corpus, JobFile
from corpus.services import corpora, progress, uploads
from corpus.tasks import dispatch
from flux_site import demo

SLUG = "demo"
ABOUT = (
    "Pathways, interactions, records and two sample papers that come with Flux, to try it on. "
    "The facts are real; the texts were written for this demo."
)


class Command(FluxCommand):
    """Load the demo corpus; what is loaded already costs nothing."""

    help = "Load the demo corpus."

    def add_arguments(self, parser: CommandParser) -> None:
        """`load` is the only verb."""
        parser.add_argument("verb", choices=["load"])
        parser.add_argument("--no-wait", action="store_true")

    def run(self, **options: Any) -> dict[str, Any]:
        """One job a source, in the order of the files."""
        reader = self.reader(options)
        team = team_by_name("demo")
        corpus = Corpus.objects.filter(team=team, slug=SLUG).first() or corpora.create(
            "Demo", team, visibility="team", by=reader, is_demo=True, description=ABOUT
        )
        missing = [file for file in demo.files() if not _loaded(corpus, file[2])]
        loaded: dict[str, list[tuple[str, bytes]]] = {}
        for source, name, data in missing:
            loaded.setdefault(source, []).append((name, data))
        jobs = [
            uploads.accept(corpus, source, files, by=reader, origin="demo")
            for source, files in sorted(loaded.items(), reverse=True)  # papers before records
        ]
        dispatch.delay()
        if not options["no_wait"]:
            for job in jobs:
                follow(job, quiet=self.as_json)
        return {
            "corpus": corpus.slug,
            "jobs": [progress.summary(job, items=False) for job in jobs],
        }

    def show(self, result: dict[str, Any]) -> None:
        """One line."""
        done = sum(job["done"] for job in result["jobs"])
        self.stdout.write(f"Demo corpus ready ({done} documents added).")


def _loaded(corpus: Corpus, data: bytes) -> bool:
    sha256 = hashlib.sha256(data).hexdigest()
    return (
        JobFile.objects.filter(job__corpus=corpus, sha256=sha256)
        .exclude(job__state="stopped")
        .exists()
    )
