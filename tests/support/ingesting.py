"""Bringing records into a corpus the way the product does, in the test's own process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from accounts.models import User
from accounts.types import Role
from corpus.models import Corpus, IngestJob
from corpus.services import jobs, uploads
from tests.factories import MembershipFactory


def curator_of(corpus: Corpus) -> User:
    """Someone who may fill the corpus."""
    membership = corpus.team.memberships.filter(role=Role.OWNER).first()
    return (membership or MembershipFactory(team=corpus.team, role=Role.OWNER.value)).user


def lines(records: Iterable[dict[str, Any]]) -> bytes:
    """Records as a JSONL file."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def ingest_files(corpus: Corpus, source: str, files: list[tuple[str, bytes]]) -> IngestJob:
    """A job of these files, worked off."""
    job = uploads.accept(corpus, source, files, by=curator_of(corpus))
    return jobs.work_off(job)


def ingest(corpus: Corpus, *records: dict[str, Any], name: str = "records.jsonl") -> IngestJob:
    """A job of one JSONL file, worked off."""
    return ingest_files(corpus, "jsonl", [(name, lines(records))])
