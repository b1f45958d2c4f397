"""Which records are of one paper. Pure, and the same whatever the order of the records.

1. Curators' rulings come first. 2. Records that share an id are one paper, unless other ids of
theirs of the same kind differ. 3. Groups that share title and first author, a year apart at most,
are one paper if nothing speaks against it and no third group could be meant as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from corpus.services.works.identity import ENTRY, NAMES
from corpus.sources.matching import is_long, is_named
from corpus.sources.preprints import is_preprint_doi, unversioned

TELLING: Final = ("doi", "pmid", "pmcid")  # two of a kind mean two papers; OpenAlex has doubles
YEARS_APART = 1
PREPRINT_YEARS = 4  # at most so long before its published version


@dataclass(frozen=True, slots=True)
class Record:
    """A document as far as its paper goes. `order` sorts records whatever the order of arrival."""

    pk: int
    order: tuple[str, ...]
    ids: Mapping[str, str]  # doi, pmid, pmcid, openalex, entry: those that it has
    title: str = ""  # a key
    author: str = ""  # a key
    year: int | None = None
    kind: str = "paper"
    opening: frozenset[str] = frozenset()  # of one without authors: keys of its first words


@dataclass(slots=True)
class Group:
    """Records of one paper."""

    records: list[Record]
    ids: dict[str, set[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.records.sort(key=lambda record: record.order)
        self.ids = {
            name: {record.ids[name] for record in self.records if record.ids.get(name)}
            for name in NAMES
        }

    @property
    def order(self) -> tuple[str, ...]:
        """Where the group stands among others."""
        return self.records[0].order

    @property
    def years(self) -> set[int]:
        """Years that its records give."""
        return {record.year for record in self.records if record.year is not None}

    @property
    def titles(self) -> set[str]:
        """Keys of its titles."""
        return {record.title for record in self.records if record.title}

    @property
    def is_named(self) -> bool:
        """Whether it has an id that tells papers apart."""
        return any(self.ids[name] for name in TELLING)

    @property
    def kind(self) -> str:
        """Notice, preprint or paper: a preprint's DOI or a record's own word decides."""
        kinds = {record.kind for record in self.records}
        if "notice" in kinds:
            return "notice"
        if "preprint" not in kinds:
            return "paper"
        published = any(not is_preprint_doi(doi) for doi in self.ids["doi"])
        return "paper" if published else "preprint"


@dataclass(frozen=True, slots=True)
class Grouped:
    """Groups in their order, pairs of them to compare, and (preprint, published) pairs."""

    groups: list[Group]
    conflicts: set[tuple[int, int, str]]  # positions, the lower first, and the reason
    versions: set[tuple[int, int]]


def group(records: Iterable[Record], rulings: Mapping[frozenset[int], bool]) -> Grouped:
    """Put records of one paper together. `rulings` say of pairs of pks whether they are one."""
    known = _with_authors(sorted(records, key=lambda record: record.order))
    board = _Board(known, rulings)
    board.rule()
    board.join_by_id()
    board.join_by_title()
    return board.result()


def _with_authors(records: Sequence[Record]) -> list[Record]:
    """Records without authors get the one of the same title's whom they name, if it is one only;
    those that name none are alike where their first words are the same.
    """
    authors: dict[str, set[str]] = defaultdict(set)
    for record in records:
        if record.title and record.author:
            authors[record.title].add(record.author)
    return [
        replace(record, author=_named(record.opening, authors[record.title]))
        if record.title and record.opening and not record.author
        else record
        for record in records
    ]


def _named(opening: frozenset[str], authors: Collection[str]) -> str:
    named = [author for author in authors if is_named(author, opening)]
    if len(named) == 1:
        return named[0]
    return "" if named else "opening " + " ".join(sorted(opening))


class _Board:
    def __init__(self, records: Sequence[Record], rulings: Mapping[frozenset[int], bool]) -> None:
        self._records = records
        self._of = {record.pk: Group([record]) for record in records}
        self._same = {pair for pair, same in rulings.items() if same}
        self._apart = {pair for pair, same in rulings.items() if not same}
        self._doubtful: set[tuple[int, int, str]] = set()  # pks of records of different groups

    def rule(self) -> None:
        """Join what curators said is one."""
        for pair in sorted(self._same, key=sorted):
            groups = [self._of[pk] for pk in sorted(pair) if pk in self._of]
            if len(groups) == 2 and groups[0] is not groups[1]:
                self._join(*groups)

    def join_by_id(self) -> None:
        """Join records that share an id, the most telling ids first."""
        for name in (*NAMES, ENTRY):
            holders: dict[str, list[Record]] = defaultdict(list)
            for record in self._records:
                if record.ids.get(name):
                    holders[unversioned(record.ids[name])].append(record)
            for value in sorted(holders):
                self._join_holders(holders[value])

    def _join_holders(self, holders: Sequence[Record]) -> None:
        for number, record in enumerate(holders):
            for earlier in holders[:number]:
                one, two = self._of[earlier.pk], self._of[record.pk]
                if one is two:
                    break
                if self._may_join(one, two):
                    self._join(one, two)
                    break
                if not _are_versions(one, two) and not self._ruled_apart(one, two):
                    self._doubtful.add((earlier.pk, record.pk, "ids"))

    def join_by_title(self) -> None:
        """Join groups of one title and first author where no other is meant."""
        for bucket in self._buckets():
            later = [group for group in bucket if group.kind == "preprint"]
            first = [group for group in bucket if group.kind == "paper"]
            notices = [group for group in bucket if group.kind == "notice"]
            if not any(group.is_named for group in first):
                first, later = first + later, []
            for part in (first, later, notices):
                self._join_agreeing(sorted(part, key=lambda group: group.order))

    def _buckets(self) -> list[list[Group]]:
        buckets: dict[tuple[str, str], dict[int, Group]] = defaultdict(dict)
        for record in self._records:
            if record.title and record.author:
                found = self._of[record.pk]
                buckets[record.title, record.author][id(found)] = found
        return [list(found.values()) for _, found in sorted(buckets.items()) if len(found) > 1]

    def _join_agreeing(self, groups: Sequence[Group]) -> None:
        """Join what agrees, cluster by cluster; a cluster in which some disagree stays apart."""
        # An earlier bucket may have joined some already.
        groups = list({id(found): found for g in groups if (found := self._now(g))}.values())
        for cluster in self._clusters(groups):
            pairs = list(combinations(cluster, 2))
            if all(self._agree(*pair) for pair in pairs):
                self._join_all(cluster)
                continue
            unnamed = [found for found in cluster if not found.is_named]
            for one, two in pairs:
                if self._agree(one, two):
                    self._doubtful.add((one.records[0].pk, two.records[0].pk, "title"))
            if all(self._agree(*pair) for pair in combinations(unnamed, 2)):
                self._join_all(unnamed)

    def _now(self, found: Group) -> Group:
        return self._of[found.records[0].pk]

    def _clusters(self, groups: Sequence[Group]) -> list[list[Group]]:
        clusters: list[list[Group]] = []
        for found in groups:
            near = [c for c in clusters if any(self._agree(found, other) for other in c)]
            clusters = [c for c in clusters if c not in near]
            clusters.append([*(member for c in near for member in c), found])
        return clusters

    def _agree(self, one: Group, two: Group) -> bool:
        return self._may_join(one, two) and _years_agree(one, two)

    def _join_all(self, groups: Sequence[Group]) -> None:
        for other in groups[1:]:
            self._join(self._now(groups[0]), self._now(other))

    def _may_join(self, one: Group, two: Group) -> bool:
        return not self._ruled_apart(one, two) and _ids_agree(one, two)

    def _ruled_apart(self, one: Group, two: Group) -> bool:
        return bool(self._apart) and any(
            frozenset((a.pk, b.pk)) in self._apart for a in one.records for b in two.records
        )

    def _join(self, one: Group, two: Group) -> None:
        joined = Group([*one.records, *two.records])
        for record in joined.records:
            self._of[record.pk] = joined

    def result(self) -> Grouped:
        """What it came to."""
        unique = {id(found): found for found in self._of.values()}
        groups = sorted(unique.values(), key=lambda found: found.order)
        at = {record.pk: n for n, found in enumerate(groups) for record in found.records}
        conflicts = {
            (min(at[a], at[b]), max(at[a], at[b]), reason)
            for a, b, reason in self._doubtful
            if at[a] != at[b]
        }
        versions = _versions(groups)
        linked = {frozenset(pair) for pair in versions}
        conflicts |= {
            pair
            for pair in _same_titles(groups)
            if frozenset(pair[:2]) not in linked
            and not self._ruled_apart(groups[pair[0]], groups[pair[1]])
        }
        return Grouped(groups, conflicts, versions)


def _ids_agree(one: Group, two: Group) -> bool:
    for name in TELLING:
        a = {unversioned(value) for value in one.ids[name]}
        b = {unversioned(value) for value in two.ids[name]}
        if a and b and not a & b:
            return False
    return True


def _are_versions(one: Group, two: Group) -> bool:
    return {one.kind, two.kind} == {"preprint", "paper"}


def _years_agree(one: Group, two: Group) -> bool:
    years = one.years | two.years
    if one.years and two.years:
        return max(years) - min(years) <= YEARS_APART
    return any(is_long(title) for title in one.titles & two.titles)


def _versions(groups: Sequence[Group]) -> set[tuple[int, int]]:
    """(preprint, published) positions: one title and first author, the preprint not later."""
    found: set[tuple[int, int]] = set()
    for pair in _pairs_of_a_title(groups):
        for early, late in (pair, pair[::-1]):
            one, two = groups[early], groups[late]
            if (one.kind, two.kind) == ("preprint", "paper") and _in_time(one, two):
                found.add((early, late))
    return found


def _in_time(preprint: Group, published: Group) -> bool:
    if not preprint.years or not published.years:
        return True
    return -YEARS_APART <= min(published.years) - min(preprint.years) <= PREPRINT_YEARS


def _same_titles(groups: Sequence[Group]) -> set[tuple[int, int, str]]:
    """Pairs of papers of one kind and one title that stayed two."""
    return {
        (min(pair), max(pair), "title")
        for pair in _pairs_of_a_title(groups)
        if groups[pair[0]].kind == groups[pair[1]].kind and _near(groups[pair[0]], groups[pair[1]])
    }


def _near(one: Group, two: Group) -> bool:
    years = one.years | two.years
    return not (one.years and two.years) or max(years) - min(years) <= YEARS_APART


def _pairs_of_a_title(groups: Sequence[Group]) -> set[tuple[int, int]]:
    holders: dict[tuple[str, str], set[int]] = defaultdict(set)
    for number, found in enumerate(groups):
        for record in found.records:
            if record.title and record.author:
                holders[record.title, record.author].add(number)
    return {pair for numbers in holders.values() for pair in combinations(sorted(numbers), 2)}
