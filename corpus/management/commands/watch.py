"""bin/flux watch add PATH --corpus C [--source SOURCE] | list [--corpus C] |
pause|resume|remove|scan ID

Files of a watched folder come into its corpus as they appear; one that is still being written
waits. Folders lie below one of WATCH_ROOTS. A live source can be watched, too: it is asked again
each day, as `bin/flux ingest` would ask it, for what is new.

    bin/flux watch add --corpus C --source pubmed --query "STAT3 AND psoriasis" [--limit N]
        [--since DATE]

`--limit` is a number of records each time. `scan` looks, or asks, at once.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.base import FluxCommand
from accounts.models import User
from corpus.models import Watched
from corpus.services import corpora, feeding, scanning, watching
from corpus.sources.registry import SOURCES
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput, NotFound
from flux_site.kernel.ids import as_uuid


class Command(FluxCommand):
    """Folders and live sources whose records come into a corpus by themselves."""

    help = "Have a folder of this machine, or a query of a live source, watched for a corpus."

    def add_arguments(self, parser: CommandParser) -> None:
        """One positional for what is done, one for the folder."""
        parser.add_argument("action", choices=["add", "list", "scan", *watching.ACTIONS])
        parser.add_argument("folder", nargs="?", default="", metavar="PATH|ID")
        parser.add_argument("--corpus", default="")
        parser.add_argument("--source", default="", help=f"where several fit: {', '.join(SOURCES)}")
        parser.add_argument("--query", default="", help="what the source is asked each day")
        parser.add_argument("--since", default="", metavar="DATE", help="only from this day on")
        parser.add_argument("--limit", type=int, help="at most so many records each time")

    def run(self, **options: Any) -> dict[str, Any]:
        """Act, then tell of what is watched; of all without one."""
        reader = self.reader(options)
        action = options["action"]
        if action == "list":
            return {"watched": [watching.summary(row) for row in _listed(options, reader)]}
        if action == "add":
            if not options["corpus"]:
                raise InvalidInput("Name the corpus with --corpus.")
            corpus = corpora.find(options["corpus"], reader)
            asked = {name: options[name] for name in ("source", "query", "since", "limit")}
            row = watching.add(corpus, options["folder"], **asked, by=reader, origin="command")
            return watching.summary(row)
        row = _named(options["folder"], reader)
        if action == "scan":
            result = _scanned(row)
            self.exit_code = 1 if result["error"] else 0
            return result
        result = watching.summary(row)
        watching.act(row, action, by=reader, origin="command")
        return result | ({"removed": True} if action == "remove" else {"paused": row.paused})

    def show(self, result: dict[str, Any]) -> None:
        """A line each."""
        for row in result.get("watched", [result]):
            state = row["error"] or ("paused" if row["paused"] else "watched")
            self.stdout.write(
                f"{row['id']}  {_name(row)} into {row['corpus']}: {row['taken']} taken, "
                f"{row['waiting']} waiting, {row['refused']} refused. {state}"
            )


def _name(row: dict[str, Any]) -> str:
    return row["path"] or f"{row['source']}: {row['query']}"


def _listed(options: dict[str, Any], reader: User) -> list[Watched]:
    rows = Watched.objects.visible_to(reader).select_related("corpus")
    if options["corpus"]:
        rows = rows.filter(corpus=corpora.find(options["corpus"], reader))
    return list(rows)


def _named(name: str, reader: User) -> Watched:
    visible = Watched.objects.visible_to(reader).select_related("corpus")
    found: Watched | None = visible.filter(public_id=as_uuid(name)).first()
    if found is None:
        raise NotFound(f"Nothing watched has the id {name!r}: `watch list` shows their ids.")
    return found


def _scanned(row: Watched) -> dict[str, Any]:
    """What a scan made now comes to; files that have just appeared wait for the next, and a feed is
    asked unless it is being asked.
    """
    if row.is_feed:
        asking = feeding.ask(row.pk, early=True)
        jobs = [asking] if asking else []
    else:
        jobs = scanning.scan(row.pk)
    if jobs:
        dispatch.delay()
    row.refresh_from_db()
    return watching.summary(row) | {"jobs": [str(job.public_id) for job in jobs]}
