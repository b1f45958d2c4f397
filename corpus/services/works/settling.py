"""Making works of documents: the same end whatever the order in which records come and go.

Works are a function of the identities of a scope's documents. When some of these change, all that
hangs together with them is grouped anew, and rows are changed where the outcome differs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import structlog
from django.db.models import Q

from corpus.models import (
    SITE,
    Document,
    Identity,
    Ruling,
    Statement,
    Unsettled,
    Work,
    WorkConflict,
)
from corpus.services.works import standing
from corpus.services.works.grouping import Group, Grouped, Record, group
from corpus.services.works.identity import (
    ENTRY,
    NAMES,
    PREDICATES,
    Told,
    entry_of,
    of_record,
    tell,
)
from corpus.types import NormalizedDocument

log = structlog.get_logger(__name__)

OPENING_PASSAGES = 5
MANY = 2000  # documents that hang together: more are not followed


@dataclass(slots=True)
class Touched:
    """What has changed in a scope: documents, and keys of papers that statements name."""

    documents: set[int] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    works: set[int] = field(default_factory=set)

    def add(self, other: Touched) -> None:
        """Join another change of the same scope."""
        self.documents |= other.documents
        self.keys |= other.keys
        self.works |= other.works


def describe(
    document: Document, draft: NormalizedDocument, scope: str, *, is_new: bool = False
) -> Touched:
    """Write down what a record tells of its paper, under the scope's lock; what that touches."""
    told = of_record(draft)
    if is_new and not told.keys and not any(standing.own_flags(told.said).values()):
        return Touched()  # it tells nothing, and nothing was told of it before
    return _write(document, told, scope)


def describe_stored(document: Document, scope: str) -> Touched:
    """The same of a document that was stored before identities were."""
    relations = document.relations.filter(predicate__in=PREDICATES)
    told = tell(
        type_=document.type,
        title=document.title,
        identifiers=document.identifiers,
        authors=document.authors,
        entry=entry_of(document.source, document.external_id, document.metadata),
        metadata=document.metadata,
        relations=relations.order_by("position").values_list("predicate", "object"),
        retracted=document.retracted,
        opening="\n".join(
            document.chunks.filter(parent=None)
            .order_by("char_start")
            .values_list("text", flat=True)[:OPENING_PASSAGES]
        ),
    )
    return _write(document, told, scope)


def _write(document: Document, told: Told, scope: str) -> Touched:
    is_known = Identity.objects.filter(document=document).exists()
    touched = leaving([document.pk]) if is_known else Touched()
    if not told.keys:
        _forget(document, told)
        return touched
    values = {
        "scope": scope,
        "keys": list(told.keys),
        "kind": told.kind,
        "author": told.author,
        "opening": list(told.opening),
    }
    if is_known:
        Identity.objects.filter(document=document).update(**values)
        Statement.objects.filter(document=document).delete()
    else:
        Identity.objects.create(document=document, **values)
    Statement.objects.bulk_create(
        Statement(
            document=document, scope=scope, kind=said.kind, outward=said.outward, other=said.other
        )
        for said in told.said
    )
    touched.documents.add(document.pk)
    touched.keys |= set(told.keys) | {said.other for said in told.said if said.other}
    return touched


def _forget(document: Document, told: Told) -> None:
    """A record that tells of no paper stands as it says itself."""
    Identity.objects.filter(document=document).delete()
    Statement.objects.filter(document=document).delete()
    flags = standing.own_flags(told.said)
    Document.objects.filter(pk=document.pk).update(work=None, **flags)


def leaving(documents: Collection[int]) -> Touched:
    """What hangs on documents as they are now: settle it when they have changed or are gone."""
    touched = Touched()
    identities = Identity.objects.filter(document__in=documents)
    for keys, work in identities.values_list("keys", "document__work"):
        touched.keys |= set(keys)
        touched.works |= {work} if work else set()
    said = Statement.objects.filter(document__in=documents).exclude(other="")
    touched.keys |= set(said.values_list("other", flat=True))
    neighbours = Identity.objects.filter(document__work__in=touched.works)
    touched.documents |= set(neighbours.values_list("document", flat=True)) - set(documents)
    return touched


def settle(scope: str, touched: Touched) -> None:
    """Make the works of what was touched, and tell its documents how their papers stand.

    Call it under the scope's lock. Documents of narrower scopes that a change of the site's
    concerns are noted for `drain`.
    """
    if not (touched.documents or touched.keys or touched.works):
        return  # nothing here is a paper
    named = Identity.objects.filter(scope=scope, keys__overlap=sorted(touched.keys))
    component = _component(scope, touched.documents | set(named.values_list("document", flat=True)))
    before = touched.works | _works_of(component)
    if component:
        _regroup(scope, component)
    Work.objects.filter(pk__in=before, documents=None).delete()
    if scope == SITE:
        _note_narrower(component, touched.keys)


def _regroup(scope: str, component: Sequence[int]) -> None:
    grouped = group(_records(component), _rulings(component))
    now = dict(Document.objects.filter(pk__in=component).values_list("pk", "work"))
    rows = _rows(scope, grouped.groups, now)
    _write_ids(rows, grouped.groups)
    _write_members(rows, grouped.groups, now)
    _write_conflicts(rows, grouped)
    versions = {(rows[early].pk, rows[late].pk) for early, late in grouped.versions}
    standing.renew(scope, {work.pk for work in rows}, versions)


def _component(scope: str, seeds: Iterable[int]) -> list[int]:
    """Documents of the scope that share keys, works or rulings with the seeds, however far."""
    of_scope = Identity.objects.filter(scope=scope)
    found = set(of_scope.filter(document__in=list(seeds)).values_list("document", flat=True))
    fresh = set(found)
    most = len(found) + MANY
    while fresh and len(found) < most:
        keys: set[str] = set()
        works: set[int] = set()
        rows = of_scope.filter(document__in=fresh).values_list("keys", "document__work")
        for row_keys, work in rows:
            keys |= set(row_keys)
            works |= {work} if work else set()
        ruled = Ruling.objects.filter(Q(one__in=fresh) | Q(two__in=fresh))
        pairs = {pk for pair in ruled.values_list("one", "two") for pk in pair}
        near = of_scope.filter(
            Q(keys__overlap=sorted(keys)) | Q(document__work__in=works) | Q(document__in=pairs)
        )
        fresh = set(near.values_list("document", flat=True)) - found
        found |= fresh
    if len(found) >= most:
        log.warning("works.component_too_large", scope=scope, documents=len(found))
    return sorted(found)


def _works_of(documents: Collection[int]) -> set[int]:
    rows = Document.objects.filter(pk__in=documents, work__isnull=False)
    return set(rows.values_list("work", flat=True))


def _records(component: Sequence[int]) -> list[Record]:
    rows = Identity.objects.filter(document__in=component).select_related("document__corpus")
    return [_record(row) for row in rows.order_by("pk")]


def _record(row: Identity) -> Record:
    document = row.document
    ids = {name: document.identifiers.get(name, "") for name in NAMES}
    named = sum(bool(value) for value in ids.values())
    entry, title = (
        next((key.removeprefix(kind) for key in row.keys if key.startswith(kind)), "")
        for kind in (f"{ENTRY}:", "title:")
    )
    return Record(
        pk=document.pk,
        order=(
            str(9 - named),
            document.source,
            document.external_id,
            str(document.corpus.public_id),
        ),
        ids=ids | {ENTRY: entry},
        title=title,
        author=row.author,
        year=document.year,
        kind=row.kind,
        opening=frozenset(row.opening),
    )


def _rulings(component: Sequence[int]) -> dict[frozenset[int], bool]:
    rows = Ruling.objects.filter(one__in=component, two__in=component)
    return {
        frozenset((one, two)): same for one, two, same in rows.values_list("one", "two", "is_same")
    }


def _rows(scope: str, groups: Sequence[Group], now: dict[int, int | None]) -> list[Work]:
    """A work for each group: the oldest of its documents', if no other group has taken it."""
    known = {work for work in now.values() if work}
    works = {work.pk: work for work in Work.objects.filter(pk__in=known, scope=scope)}
    votes: list[tuple[int, int, int]] = []  # (work, documents that leave it or never were, group)
    for number, found in enumerate(groups):
        held = [now[record.pk] for record in found.records]
        votes += [(pk, -held.count(pk), number) for pk in set(held) if pk in works]
    taken: dict[int, Work] = {}
    used: set[int] = set()
    for pk, _, number in sorted(votes):
        if number not in taken and pk not in used:
            taken[number] = works[pk]
            used.add(pk)
    missing = [number for number in range(len(groups)) if number not in taken]
    made = Work.objects.bulk_create(Work(scope=scope) for _ in missing)
    taken |= dict(zip(missing, made, strict=True))
    return [taken[number] for number in range(len(groups))]


def _write_ids(rows: Sequence[Work], groups: Sequence[Group]) -> None:
    """Each id to the first group that has it: an id is one work's only."""
    given: set[tuple[str, str]] = set()
    changed: list[Work] = []
    for work, found in zip(rows, groups, strict=True):
        values = {name: _first(found, name, given) for name in NAMES}
        values["title_key"] = min(found.titles, default="")
        if any(getattr(work, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(work, name, value)
            changed.append(work)
    if changed:
        # Emptied first: an id may pass from one row to another.
        pks = [work.pk for work in changed]
        Work.objects.filter(pk__in=pks).update(**dict.fromkeys(NAMES, ""))
        others = Work.objects.filter(scope=rows[0].scope).exclude(pk__in=[w.pk for w in rows])
        others.filter(_any_id(changed)).update(**dict.fromkeys(NAMES, ""))
        Work.objects.bulk_update(changed, [*NAMES, "title_key"])


def _write_members(
    rows: Sequence[Work], groups: Sequence[Group], now: dict[int, int | None]
) -> None:
    moved = [
        Document(pk=record.pk, work=work)
        for work, found in zip(rows, groups, strict=True)
        for record in found.records
        if now[record.pk] != work.pk
    ]
    Document.objects.bulk_update(moved, ["work"])


def _first(found: Group, name: str, given: set[tuple[str, str]]) -> str:
    for record in found.records:
        value = record.ids.get(name, "")
        if value and (name, value) not in given:
            given.add((name, value))
            return value
    return ""


def _any_id(works: Iterable[Work]) -> Q:
    query = Q(pk__in=[])
    for name in NAMES:
        values = [value for work in works if (value := getattr(work, name))]
        query |= Q(**{f"{name}__in": values})
    return query


def _write_conflicts(rows: Sequence[Work], grouped: Grouped) -> None:
    pks = [work.pk for work in rows]
    wanted = {(pks[a], pks[b], reason) for a, b, reason in grouped.conflicts}
    wanted = {(min(a, b), max(a, b), reason) for a, b, reason in wanted}
    stored = WorkConflict.objects.filter(Q(one__in=pks) | Q(two__in=pks))
    known = {(c.one_id, c.two_id, c.reason): c.pk for c in stored}
    WorkConflict.objects.filter(pk__in=[pk for k, pk in known.items() if k not in wanted]).delete()
    WorkConflict.objects.bulk_create(
        WorkConflict(one_id=one, two_id=two, reason=reason)
        for one, two, reason in sorted(wanted - set(known))
    )


def _note_narrower(component: Sequence[int], keys: Collection[str]) -> None:
    """Documents of narrower scopes that share a key with what changed on the site."""
    own = Identity.objects.filter(document__in=component).values_list("keys", flat=True)
    named = sorted(set(keys).union(*own))
    narrower = Identity.objects.exclude(scope=SITE).filter(keys__overlap=named)
    said = Statement.objects.exclude(scope=SITE).filter(other__in=named, document__isnull=False)
    documents = set(narrower.values_list("document", flat=True))
    note(documents | set(said.values_list("document", flat=True)))


def note(documents: Collection[int]) -> None:
    """Have documents settled by the next `drain`."""
    Unsettled.objects.bulk_create(
        (Unsettled(document_id=pk) for pk in sorted(documents)), ignore_conflicts=True
    )
