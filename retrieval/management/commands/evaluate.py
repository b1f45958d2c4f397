"""bin/flux evaluate retrieval --data DIR --set NAME [--rows R,…]"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.models import IngestJob
from corpus.services import jobs, leases
from retrieval.evaluation import gold, runner

POLL_S = 0.2


class Command(FluxCommand):
    """Measure search on questions whose answers are known."""

    help = "Measure retrieval: a table of rows, each pair tested."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("what", choices=["retrieval"])
        parser.add_argument("--data", type=Path, required=True, help="folder of the set's files")
        parser.add_argument("--set", dest="name", required=True, help="the set's name")
        parser.add_argument(
            "--rows", default=",".join(runner.DEFAULT_ROWS), help=f"of {', '.join(runner.ROWS)}"
        )
        parser.add_argument(
            "--propositions", action="store_true", help="also by the single statements of passages"
        )
        parser.add_argument(
            "--split", default="", help="train, dev, …, all; all but train if absent"
        )

    def run(self, **options: Any) -> dict[str, Any]:
        """Load the set, wait for its words, ask."""
        rows = runner.rows_of(name.strip() for name in options["rows"].split(",") if name.strip())
        chosen = gold.read(options["data"], options["name"], split=options["split"])
        reader = self.reader(options) if options["acting"] else runner.account()
        self._say(f"Loading {len(chosen.document_ids):,} documents")
        corpus = runner.load(
            chosen,
            work_off=self._work_off,
            reader=reader,
            with_propositions=options["propositions"],
        )
        runner.wait_for_index(corpus, reader=reader)
        self._say(f"Asking {len(chosen.questions):,} questions")
        return runner.run(chosen, corpus, rows, reader=reader, say=self._say)

    def _work_off(self, job: IngestJob) -> None:
        """Work on it in this process too: with the workers where they run, alone elsewhere."""
        while not jobs.settled(job):
            taken = jobs.lease()
            for work in taken:
                with contextlib.suppress(leases.LeaseLost):  # then another has it
                    jobs.perform(work)
            if not taken:
                time.sleep(POLL_S)

    def _say(self, text: str) -> None:
        if not self.as_json:
            self.stdout.write(text)

    def show(self, result: dict[str, Any]) -> None:
        """The table, then the tests."""
        names = ("ndcg@10", "recall@5", "recall@20", "hit@5", "mrr", "p50_ms", "p95_ms")
        self.stdout.write(f"{result['set']}, n = {result['n']}")
        self.stdout.write("row      " + " ".join(f"{name:>9}" for name in names))
        for row, values in result["rows"].items():
            cells = " ".join(f"{_cell(values[name]):>9}" for name in names)
            self.stdout.write(f"{row:<9}{cells}")
        for test in result["paired"]:
            self.stdout.write(
                f"{test['a']} - {test['b']}: {test['difference']:+.4f} "
                f"[{test['low']:+.4f}, {test['high']:+.4f}] p = {test['p_holm']:.4f} (Holm)"
            )


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}" if value < 1.0 else f"{value:.1f}"
