"""Lists of retracted papers: what the site knows without having a notice's record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.db import transaction

from accounts.models import User
from accounts.services.audit import record
from corpus.models import SITE, Document, Statement
from corpus.services.works import scopes, settling
from corpus.services.works.identity import key
from corpus.sources import ids

BATCH = 500
ORIGIN = "list"
_NUMBER = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class Noted:
    """What a list came to."""

    listed: int  # PMIDs read, each once
    new: int  # that the site did not know as listed
    documents: int  # that stand as retracted and have one of the PMIDs


def note_retracted_pmids(
    pmids: Iterable[str], scope: str = SITE, *, by: User | None = None, origin: str = ""
) -> Noted:
    """Note that these papers are retracted, whether there are records of them or not.

    Each batch is a transaction of its own; the same list again changes nothing.
    """
    numbers = list(dict.fromkeys(number for pmid in pmids if (number := ids.pmid(pmid))))
    new = sum(_note(batch, scope) for batch in _batches(numbers))
    with transaction.atomic():
        known = Document.objects.filter(
            identity__keys__overlap=[key("pmid", n) for n in numbers], retracted=True
        )
        noted = Noted(len(numbers), new, known.count() if numbers else 0)
        record(
            by, "works.note_retracted", origin=origin, after={"listed": noted.listed, "new": new}
        )
    return noted


def _batches(numbers: list[str]) -> Iterator[list[str]]:
    rest = iter(numbers)
    while batch := list(islice(rest, BATCH)):
        yield batch


@transaction.atomic
def _note(numbers: list[str], scope: str) -> int:
    scopes.lock(scope)
    keys = {key("pmid", number) for number in numbers}
    listed = Statement.objects.filter(
        document=None, scope=scope, kind="retracts", other__in=keys
    ).values_list("other", flat=True)
    new = sorted(keys - set(listed))
    Statement.objects.bulk_create(
        Statement(scope=scope, kind="retracts", outward=True, other=other, origin=ORIGIN)
        for other in new
    )
    settling.settle(scope, settling.Touched(keys=set(new)))
    return len(new)


def pmids_of(text: str) -> Iterator[str]:
    """PMIDs of a list, one a line: the first column of a table; a heading is passed over."""
    for line in text.splitlines():
        first = re.split(r"[\t,;]", line.strip(), maxsplit=1)[0].strip().strip('"')
        number = first.lower().removeprefix("pmid").lstrip(": ")
        if _NUMBER.fullmatch(number):
            yield number
