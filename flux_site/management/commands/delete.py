"""bin/flux delete --corpus C [--document ID …]"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.core.management.base import CommandParser
from django.db import connection

from accounts.management.base import FluxCommand
from accounts.models import User
from corpus.models import Corpus, Deletion, Document
from corpus.services import corpora, deletion, leases, receipts
from flux_site.kernel.errors import InvalidInput, NotFound
from flux_site.kernel.ids import as_uuid

POLL_S = 0.2
FOLLOWERS_S = 60.0  # for the word index of this host to have read the change log


class Command(FluxCommand):
    """Delete documents, or a whole corpus, and print the receipt once nothing is left."""

    help = "Delete documents of a corpus, or without --document the corpus itself."

    def add_arguments(self, parser: CommandParser) -> None:
        """As FORMS."""
        parser.add_argument("--corpus", required=True)
        parser.add_argument(
            "--document",
            dest="documents",
            action="extend",
            nargs="+",
            metavar="ID",
            help="ids of documents, or their ids at the source; all of the corpus by default",
        )

    def run(self, **options: Any) -> dict[str, Any]:
        """Ask for it, work on it beside the workers, look whether anything is left."""
        reader = self.reader(options)
        corpus = corpora.find(options["corpus"], reader)
        named = options["documents"]
        ids = None if named is None else [_document(corpus, name, reader) for name in named]
        row = deletion.request(corpus, ids, by=reader, origin="command")
        self._work_off(row)
        result = self._receipt(row, reader)
        self.exit_code = 1 if any(result["left"].values()) else 0
        return result

    def _work_off(self, row: Deletion) -> None:
        """In this process too: with the workers where they run, alone where they do not."""
        while row.state != "done":
            taken = deletion.lease()
            for erase in taken:
                with suppress(leases.LeaseLost):  # then another has it
                    deletion.work(erase)
            if not taken:
                connection.close()  # nothing is held while waiting
                time.sleep(POLL_S)
            row.refresh_from_db()

    def _receipt(self, row: Deletion, reader: User) -> dict[str, Any]:
        """The receipt, once the word index has followed or will not."""
        deadline = time.monotonic() + FOLLOWERS_S
        while True:
            result = receipts.receipt(row, reader)
            if not any(result["left"].values()) or time.monotonic() > deadline:
                return result
            time.sleep(POLL_S)

    def show(self, result: dict[str, Any]) -> None:
        """What went, and what is left."""
        for kind in receipts.KINDS:
            if result[kind]:
                self.stdout.write(f"{kind.replace('_', ' ')}: {result[kind]}")
        remains = {kind: n for kind, n in result["left"].items() if n}
        if remains:
            self.stdout.write(self.style.ERROR(f"still found: {remains}. See bin/flux doctor."))
        else:
            self.stdout.write("Nothing of it is found any more.")


def _document(corpus: Corpus, name: str, reader: User) -> UUID:
    """The document of that id, or of that id at its source. Raises NotFound."""
    visible = Document.objects.visible_to(reader).filter(corpus=corpus)
    found = visible.filter(public_id=as_uuid(name)).first()
    if found is None:
        same = list(visible.filter(external_id=name).order_by("source"))
        if len(same) > 1:
            shown = ", ".join(f"{row.public_id} ({row.source})" for row in same)
            raise InvalidInput(f"{len(same)} documents are called {name!r}: name one, {shown}.")
        found = same[0] if same else None
    if found is None:
        raise NotFound(f"There is no document {name!r} in {corpus.slug}.")
    return UUID(str(found.public_id))
