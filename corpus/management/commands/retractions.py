"""bin/flux retractions --from FILE"""

from __future__ import annotations

import gzip
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from corpus.services.works import drain_all, note_retracted_pmids
from corpus.services.works.retractions import pmids_of
from flux_site.kernel.errors import InvalidInput, NotAllowed


class Command(FluxCommand):
    """Note papers of a list as retracted, for everyone on the site."""

    help = "Read PMIDs of retracted papers, one a line (or the first column of a table)."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("--from", dest="file", required=True, help="text, CSV or TSV; also .gz")

    def run(self, **options: Any) -> dict[str, Any]:
        """Read and note."""
        actor = self.actor(options)
        if actor is None or not actor.is_superuser:
            raise NotAllowed("Only site admins can say which papers are retracted for everyone.")
        pmids = list(pmids_of(_read(Path(options["file"]))))
        if not pmids:
            raise InvalidInput(f"{options['file']} holds no PMIDs: one a line is read.")
        noted = note_retracted_pmids(pmids, by=actor, origin="command")
        return asdict(noted) | {"settled": drain_all()}


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    return data.decode("utf-8", "replace")
