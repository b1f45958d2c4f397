"""bin/flux ask Q --corpus C [--mode M]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from agent.answers.render import with_citations
from agent.answers.schema import FinalAnswer
from agent.services import runs

TIMEOUT_S = 600.0


class Command(FluxCommand):
    """Ask a question and wait for the cited answer."""

    help = "Answer a question from corpora, with citations."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("question")
        parser.add_argument(
            "--corpus", action="append", help="corpus to ask (again for several); default all"
        )
        parser.add_argument("--mode", default="analyze")

    def run(self, **options: Any) -> dict[str, Any]:
        """Start the run, wait for a worker to end it."""
        reader = self.reader(options)
        run = runs.start_run(
            reader, options["question"], corpora=options["corpus"], mode=options["mode"]
        )
        run = runs.wait_for_end(run, timeout_s=TIMEOUT_S)
        self.exit_code = 1 if run.status in {"failed", "queued", "running"} else 0
        return runs.result_for(run, reader)

    def show(self, result: dict[str, Any]) -> None:
        """The answer with its sources."""
        final = result["final"]
        if final is None:
            self.stderr.write(self.style.ERROR(f"{result['status']}: {result['reason']}"))
            return
        answer = FinalAnswer.model_validate(final)
        self.stdout.write(with_citations(answer))
        for warning in answer.warnings:
            self.stderr.write(self.style.WARNING(warning))
