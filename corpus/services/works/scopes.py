"""Who may know of a work: the scope of a corpus, and locks.

A scope holds the corpora that have the same readers: all of the site; those that a team's members
read and nobody else; and each other corpus alone. Works are made within a scope only, so that what
a corpus says never shows, not even by a flag, to someone who may not read it.
"""

from __future__ import annotations

import hashlib

from django.db import connection
from django.db.models import Q

from corpus.models import SITE, Corpus, CorpusGrant


def scope_of(corpus: Corpus) -> str:
    """The scope that a corpus's permissions put it in now."""
    if corpus.visibility == "site":
        return SITE
    outside = CorpusGrant.objects.filter(corpus=corpus).filter(
        Q(team__isnull=True) | ~Q(team_id=corpus.team_id)
    )
    if corpus.visibility == "team" and not outside.exists():
        return f"team:{corpus.team_id}"
    return f"corpus:{corpus.pk}"


def lock(*scopes: str) -> None:
    """Be the only one to make works of these scopes until the transaction ends.

    Narrow scopes come before the site's, and the site's is held shared by those who only read it,
    so nobody waits in a circle, and no record of the site arrives unseen meanwhile. Take it before
    any row is written: rows of a scope are written under it.
    """
    narrow = sorted({scope for scope in scopes if scope != SITE})
    for scope in narrow:
        _take("pg_advisory_xact_lock", scope)
    if SITE in scopes:
        _take("pg_advisory_xact_lock", SITE)
    elif narrow:
        _take("pg_advisory_xact_lock_shared", SITE)


def _take(function: str, scope: str) -> None:
    digest = hashlib.sha256(f"works {scope}".encode()).digest()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [int.from_bytes(digest[:8], "big", signed=True)])
