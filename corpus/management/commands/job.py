"""bin/flux job ID [--pause|--resume|--cancel|--retry|--raise|--lower]"""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.models import IngestJob
from corpus.services import control, progress
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput, NotFound


class Command(FluxCommand):
    """How a job stands, after it was told to do something."""

    help = "Show a job, or pause, resume, cancel, retry it, raise or lower its priority."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("job", metavar="ID")
        action = parser.add_mutually_exclusive_group()
        for name in control.ACTIONS:
            action.add_argument(f"--{name}", dest="action", action="store_const", const=name)

    def run(self, **options: Any) -> dict[str, Any]:
        """Act, then tell."""
        reader = self.reader(options)
        try:
            wanted = uuid.UUID(options["job"])
        except ValueError as error:
            raise InvalidInput("A job is named by its id, as ingest prints it.") from error
        visible = IngestJob.objects.visible_to(reader).select_related("corpus", "fetch")
        job = visible.filter(public_id=wanted).first()
        if job is None:
            raise NotFound(f"There is no job {wanted}.")
        if options["action"]:
            control.act(job, options["action"], by=reader, origin="command")
            dispatch.delay()
            job.refresh_from_db()
        return {"corpus": job.corpus.slug, **progress.summary(job)}

    def show(self, result: dict[str, Any]) -> None:
        """Counts, then each failure with its reason."""
        for line in progress.told(result):
            self.stdout.write(line)
