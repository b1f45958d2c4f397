"""Finding rows by what a curator types, through indexes only."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import Q
from django.db.models.functions import Left

from corpus.models import Identity
from corpus.models.document import SEARCHED
from corpus.services.works.identity import key
from corpus.sources import ids

MOST_WORDS = 8
MOST_RECORDS = 1_000  # of one id
_PLAIN = re.compile(r"\w+")


def words_of(column: str) -> SearchVector:
    """The words of a text column, as its index has them."""
    return SearchVector(Left(column, SEARCHED), config="simple")


def beginning_with(text: str) -> SearchQuery | None:
    """All words of the text, each as a beginning; None where it has no word."""
    found: SearchQuery | None = None
    for word in text.split()[:MOST_WORDS]:
        if not _PLAIN.search(word):
            continue
        is_plain = _PLAIN.fullmatch(word)
        one = (
            SearchQuery(f"{word}:*", search_type="raw", config="simple")
            if is_plain
            else SearchQuery(word, config="simple")
        )
        found = one if found is None else found & one
    return found


def documents(rows: Any, text: str) -> Any:
    """Documents that have the text as DOI, PMID, PMCID or OpenAlex id, whose id at the source
    begins with it, or whose title has all of its words.
    """
    text = text.replace("\0", "").strip()[:200]
    if not text:
        return rows
    matches = Q(external_id__startswith=text) | Q(pk__in=_of_paper(text))
    query = beginning_with(text)
    if query is not None:
        rows = rows.alias(title_words=words_of("title"))
        matches |= Q(title_words=query)
    return rows.filter(matches)


def _of_paper(text: str) -> list[int]:
    """Rows of documents with that id: a list, so that all ways go through their indexes."""
    value = text.split(":", 1)[1].strip() if re.match(r"(?i)(pmid|doi|pmcid):", text) else text
    names = {name: getattr(ids, name)(value) for name in ("doi", "pmid", "pmcid", "openalex")}
    keys = [key(name, found) for name, found in names.items() if found]
    if not keys:
        return []
    rows = Identity.objects.filter(keys__overlap=keys).order_by("-document")
    return list(rows.values_list("document", flat=True)[:MOST_RECORDS])


def terms(rows: Any, text: str) -> Any:
    """Entities whose label has all of the words, or that have the text as id or whole alias."""
    text = text.replace("\0", "").strip()[:200]
    if not text:
        return rows
    # A list has no index of its elements (an alias may be longer than an index takes): aliases are
    # looked through once, and the rest goes through indexes.
    alias = Q(names__contains=[text]) | Q(symbols__contains=[text])
    named = list(rows.order_by().filter(alias).values_list("pk", flat=True)[:MOST_RECORDS])
    matches = Q(curie=text) | Q(pk__in=named)
    query = beginning_with(text)
    if query is not None:
        rows = rows.alias(label_words=words_of("label"))
        matches |= Q(label_words=query)
    return rows.filter(matches)
