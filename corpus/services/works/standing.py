"""How papers stand: retracted, of concern, corrected; and which papers belong together.

Everything here is read from statements, so it does not matter whether a notice or its paper came
first. A work of a narrow scope also stands as the site's records of the same paper say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Q

from corpus.models import SITE, Corpus, Document, Identity, Statement, Work, WorkLink
from corpus.services import changes
from corpus.services.works.grouping import YEARS_APART
from corpus.services.works.identity import ENTRY, Said
from corpus.sources import matching
from corpus.sources.preprints import is_preprint_doi

FLAGS: Final[Mapping[str, str]] = {
    "retracts": "retracted",
    "concerns": "concern",
    "corrects": "corrected",
}


@dataclass(slots=True)
class Paper:
    """A work with what its documents tell."""

    work: Work
    documents: set[int] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)  # of ids
    titles: set[tuple[str, str]] = field(default_factory=set)  # (title key, author key)
    openings: list[tuple[str, frozenset[str]]] = field(default_factory=list)  # without authors
    years: set[int] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)

    @property
    def is_preprint(self) -> bool:
        """Whether its records are a preprint's."""
        return "preprint" in self.kinds and (not self.work.doi or is_preprint_doi(self.work.doi))


def own_flags(said: Iterable[Said]) -> dict[str, bool]:
    """Standing of a document without a work: what its record says of itself."""
    kinds = {statement.kind for statement in said if not statement.outward}
    return {flag: kind in kinds for kind, flag in FLAGS.items()}


def renew(scope: str, works: Collection[int], versions: Collection[tuple[int, int]]) -> None:
    """Bring standing, links and the site's counterpart of these works in line with what is said.

    `versions` are (preprint, published) works of one title. Documents of a work whose standing has
    changed are noted in the change log and their corpora get a new revision.
    """
    papers = _papers(works)
    public = {} if scope == SITE else _public(papers)
    told = _flags(scope, papers, public)
    for pk, paper in papers.items():
        counterpart = min((w.work.pk for w in public.get(pk, ())), default=None)
        _save(paper.work, told[pk], counterpart)
    _tell_documents(papers, told)
    _write_links(scope, papers, set(versions))


def _papers(works: Collection[int]) -> dict[int, Paper]:
    papers = {work.pk: Paper(work) for work in Work.objects.filter(pk__in=works)}
    rows = Identity.objects.filter(document__work__in=papers).select_related("document")
    for row in rows:
        paper = papers[row.document.work_id or 0]
        paper.documents.add(row.document_id)
        paper.kinds.add(row.kind)
        if row.document.year is not None:
            paper.years.add(row.document.year)
        for key in row.keys:
            if not key.startswith("title:"):
                paper.keys.add(key)
            elif row.author:
                paper.titles.add((key, row.author))
            elif row.opening:
                paper.openings.append((key, frozenset(row.opening)))
    return papers


def _public(papers: Mapping[int, Paper]) -> dict[int, list[Paper]]:
    """The site's works of the same papers: by an id, or by title where exactly one fits."""
    keys = sorted({key for paper in papers.values() for key in paper.keys})
    named = sorted({t for p in papers.values() for t, _ in (*p.titles, *p.openings)})
    rows = Identity.objects.filter(scope=SITE, keys__overlap=[*keys, *named])
    site = _papers(set(rows.exclude(document__work=None).values_list("document__work", flat=True)))
    found: dict[int, list[Paper]] = {}
    for pk, paper in papers.items():
        by_id = [other for other in site.values() if other.keys & paper.keys]
        by_title = [other for other in site.values() if _same_title(paper, other)]
        if by_id or len(by_title) == 1:
            found[pk] = by_id or by_title
    return found


def _same_title(one: Paper, two: Paper) -> bool:
    shared = _shared_titles(one, two)
    if not shared or ("notice" in one.kinds) != ("notice" in two.kinds) or _differ(one, two):
        return False
    years = one.years | two.years
    if one.years and two.years:
        return max(years) - min(years) <= YEARS_APART
    return any(matching.is_long(title.removeprefix("title:")) for title in shared)


def _shared_titles(one: Paper, two: Paper) -> set[str]:
    """Titles that both have with one first author, told or named in the other's first words."""
    shared = {title for title, _ in one.titles & two.titles}
    for told, loose in ((one.titles, two.openings), (two.titles, one.openings)):
        for title, opening in loose:
            if any(t == title and matching.is_named(author, opening) for t, author in told):
                shared.add(title)
    return shared


def _differ(one: Paper, two: Paper) -> bool:
    """Whether both have an id of a kind, and not the same."""
    kinds = {key.partition(":")[0] for key in one.keys} & {k.partition(":")[0] for k in two.keys}
    return bool(kinds - {"openalex", ENTRY}) and not one.keys & two.keys


def _flags(
    scope: str, papers: Mapping[int, Paper], public: Mapping[int, Sequence[Paper]]
) -> dict[int, dict[str, bool]]:
    """What is said of each work: by its own records, by others of the scope, by the site's."""
    whole = {
        pk: (
            paper.documents.union(*(other.documents for other in public.get(pk, ()))),
            paper.keys.union(*(other.keys for other in public.get(pk, ()))),
        )
        for pk, paper in papers.items()
    }
    documents = {document for documents, _ in whole.values() for document in documents}
    keys = {key for _, keys in whole.values() for key in keys}
    own = Statement.objects.filter(document__in=documents, outward=False)
    named = Statement.objects.filter(scope__in={scope, SITE}, outward=True, other__in=keys)
    by_document, by_key = defaultdict(set), defaultdict(set)
    for document, kind in own.values_list("document", "kind"):
        by_document[document].add(kind)
    for key, kind in named.values_list("other", "kind"):
        by_key[key].add(kind)
    return {
        pk: {
            flag: any(kind in by_document[d] for d in documents)
            or any(kind in by_key[key] for key in keys)
            for kind, flag in FLAGS.items()
        }
        for pk, (documents, keys) in whole.items()
    }


def _save(work: Work, flags: Mapping[str, bool], public: int | None) -> None:
    wanted: dict[str, bool | int | None] = {**flags, "public_work_id": public}
    if any(getattr(work, name) != value for name, value in wanted.items()):
        Work.objects.filter(pk=work.pk).update(**wanted)


def _tell_documents(papers: Mapping[int, Paper], told: Mapping[int, Mapping[str, bool]]) -> None:
    names = tuple(FLAGS.values())
    changed: dict[int, list[int]] = defaultdict(list)  # corpus -> documents
    by_flags: dict[tuple[bool, ...], list[int]] = defaultdict(list)
    rows = Document.objects.filter(work__in=papers).order_by("pk")
    for pk, corpus, work, *flags in rows.values_list("pk", "corpus", "work", *names):
        wanted = tuple(told[work][name] for name in names)
        if tuple(flags) != wanted:
            changed[corpus].append(pk)
            by_flags[wanted].append(pk)
    for wanted, pks in by_flags.items():
        Document.objects.filter(pk__in=pks).update(**dict(zip(names, wanted, strict=True)))
    for corpus_row in Corpus.objects.filter(pk__in=changed).order_by("pk"):
        for document in changed[corpus_row.pk]:
            changes.note(corpus_row, kind="document", key=document, op="upsert")
        changes.bump(corpus_row)


def _write_links(scope: str, papers: Mapping[int, Paper], versions: set[tuple[int, int]]) -> None:
    wanted = {(early, late, "preprint_of") for early, late in versions}
    wanted |= _said_links(scope, papers)
    ours = Q(source__in=papers) | Q(target__in=papers)
    stored = WorkLink.objects.filter(ours)
    if scope == SITE:  # a narrower scope's own links stay its own
        stored = stored.filter(source__scope=SITE, target__scope=SITE)
    known = {(link.source_id, link.target_id, link.kind): link.pk for link in stored}
    WorkLink.objects.filter(pk__in=[pk for k, pk in known.items() if k not in wanted]).delete()
    WorkLink.objects.bulk_create(
        (
            WorkLink(source_id=source, target_id=target, kind=kind)
            for source, target, kind in sorted(wanted - set(known))
        ),
        ignore_conflicts=True,
    )


def _said_links(scope: str, papers: Mapping[int, Paper]) -> set[tuple[int, int, str]]:
    """Links that records of the scope state, where both papers are known."""
    keys = {key for paper in papers.values() for key in paper.keys}
    documents = {document for paper in papers.values() for document in paper.documents}
    said = Statement.objects.filter(scope=scope, document__work__isnull=False).exclude(other="")
    rows = said.filter(Q(document__in=documents) | Q(other__in=keys))
    statements = list(rows.values_list("document__work", "kind", "outward", "other"))
    holders = _holders(scope, {other for *_, other in statements})
    known = dict(papers)
    known |= _papers({pk for found in holders.values() for pk in found} - set(known))
    known |= _papers({work for work, *_ in statements} - set(known))
    links: set[tuple[int, int, str]] = set()
    for work, kind, outward, other in statements:
        for holder in holders.get(other, ()):
            source, target = (work, holder) if outward else (holder, work)
            if source != target and {source, target} & set(papers):
                links.add(_link(known[source], known[target], kind))
    return links


def _link(source: Paper, target: Paper, kind: str) -> tuple[int, int, str]:
    """A newer version of a preprint is its published paper."""
    if kind == "updates" and target.is_preprint and not source.is_preprint:
        return target.work.pk, source.work.pk, "preprint_of"
    return source.work.pk, target.work.pk, kind


def _holders(scope: str, keys: Collection[str]) -> dict[str, set[int]]:
    """Works that have a key: the scope's own, else the site's."""
    found: dict[str, set[int]] = {}
    for place in dict.fromkeys((scope, SITE)):
        here: dict[str, set[int]] = defaultdict(set)
        rows = Identity.objects.filter(scope=place, keys__overlap=sorted(keys))
        for held, work in rows.values_list("keys", "document__work"):
            for key in set(held) & set(keys):
                if work:
                    here[key].add(work)
        found = dict(here) | found
    return found
