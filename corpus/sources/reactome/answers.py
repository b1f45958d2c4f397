"""One Content Service event, its references to objects seen before resolved.

An object is written in full once. Later it is its bare dbId in plain answers, or {"@ref": n} for
the object with "@id": n in enhanced ones; repetition tells stoichiometry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

PATHWAYS: Final = frozenset({"Pathway", "TopLevelPathway", "CellLineagePath"})
REACTIONS: Final = frozenset(
    {
        "Reaction",
        "BlackBoxEvent",
        "FailedReaction",
        "Polymerisation",
        "Depolymerisation",
        "CellDevelopmentStep",
    }
)
EVENTS: Final = PATHWAYS | REACTIONS

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Named:
    """A thing of Reactome by name; `st_id` where it has one, `count` its stoichiometry."""

    name: str
    st_id: str = ""
    kind: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited work."""

    title: str
    pmid: str = ""
    journal: str = ""
    year: str = ""


@dataclass(frozen=True, slots=True)
class ReactomeEvent:
    """A pathway or reaction as Reactome tells it; summaries still hold HTML."""

    st_id: str
    name: str
    kind: str
    species: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    compartments: tuple[str, ...] = ()
    contained: tuple[Named, ...] = ()
    parents: tuple[Named, ...] = ()
    preceding: tuple[Named, ...] = ()
    inputs: tuple[Named, ...] = ()
    outputs: tuple[Named, ...] = ()
    catalysts: tuple[Named, ...] = ()
    regulators: tuple[Named, ...] = ()
    diseases: tuple[Named, ...] = ()
    go: tuple[Named, ...] = ()
    references: tuple[Reference, ...] = ()
    normal_pathway: str = ""
    release_date: str = ""
    doi: str = ""
    inferred: bool = False
    saved: bool = False


def event_from_answer(answer: Json) -> ReactomeEvent:
    """Read one event. Fields of an unexpected shape are taken as absent."""
    seen = _Seen(answer)
    return ReactomeEvent(
        st_id=_text(answer, "stId"),
        name=_text(answer, "displayName"),
        kind=_text(answer, "schemaClass"),
        species=_names(seen.many(answer, "species")) or _present(_text(answer, "speciesName")),
        summaries=tuple(
            text for item in seen.many(answer, "summation") if (text := _text(item, "text"))
        ),
        compartments=_names(
            (*seen.many(answer, "compartment"), *seen.members(answer, "hasCompartment"))
        ),
        contained=_counted((*seen.many(answer, "hasEvent"), *seen.members(answer, "events"))),
        parents=_counted((*seen.many(answer, "eventOf"), *seen.members(answer, "eventOfPathways"))),
        preceding=_counted(seen.many(answer, "precedingEvent")),
        inputs=_counted(seen.participants(answer, "input")),
        outputs=_counted(seen.participants(answer, "output")),
        catalysts=tuple(_catalyst(seen, item) for item in seen.many(answer, "catalystActivity")),
        regulators=tuple(_regulator(seen, item) for item in seen.many(answer, "regulatedBy")),
        diseases=tuple(_term(item, "identifier") for item in seen.many(answer, "disease")),
        go=tuple(_term(item, "accession") for item in seen.many(answer, "goBiologicalProcess")),
        references=tuple(_reference(item) for item in seen.many(answer, "literatureReference")),
        normal_pathway=next(iter(_names(seen.many(answer, "normalPathway"))), ""),
        release_date=_text(answer, "releaseDate"),
        doi=_text(answer, "doi"),
        inferred=answer.get("isInferred") is True or answer.get("inferred") is True,
    )


class _Seen:
    """Every object of an answer by dbId and by @id."""

    def __init__(self, answer: Json) -> None:
        self._by_db_id: dict[int, Json] = {}
        self._by_ref: dict[str, Json] = {}
        stack: list[Any] = [answer]
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                stack.extend(item)
            elif isinstance(item, dict):
                self._keep(item)
                stack.extend(item.values())

    def many(self, owner: Json, key: str) -> tuple[Json, ...]:
        """The objects of a field that is a list, one object, or absent; unknown references drop."""
        value = owner.get(key)
        items = value if isinstance(value, list) else [value]
        return tuple(found for item in items if (found := self._resolve(item)))

    def members(self, owner: Json, key: str) -> tuple[Json, ...]:
        """The same for the enhanced form, {"stoichiometry": n, "element": {…}}."""
        return tuple(self._unwrapped(self.many(owner, key)))

    def participants(self, owner: Json, key: str) -> tuple[Json, ...]:
        """Inputs or outputs, in plain form, wrapped, or as parts of `composedOf` by their type."""
        direct = self.many(owner, key)
        if direct:
            return tuple(self._unwrapped(direct))
        parts = [part for part in self.many(owner, "composedOf") if part.get("type") == key]
        return tuple(self._unwrapped(parts))

    def _unwrapped(self, items: Any) -> Iterator[Json]:
        for item in items:
            element = self._resolve(item.get("element")) if "element" in item else item
            if element:
                count = item.get("stoichiometry")
                repeat = count if isinstance(count, int) and 1 <= count <= 1000 else 1
                yield from [element] * repeat

    def _keep(self, item: Json) -> None:
        if isinstance(item.get("dbId"), int):
            self._by_db_id.setdefault(item["dbId"], item)
        if isinstance(item.get("@id"), str):
            self._by_ref.setdefault(item["@id"], item)

    def _resolve(self, item: Any) -> Json | None:
        if isinstance(item, bool):
            return None
        if isinstance(item, int):
            return self._by_db_id.get(item)
        if isinstance(item, dict):
            reference = item.get("@ref")
            return self._by_ref.get(reference) if isinstance(reference, str) else item
        return None


def _text(item: Json, key: str) -> str:
    value = item.get(key)
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    return str(value).strip()


def _present(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _names(items: tuple[Json, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for item in items if (name := _text(item, "displayName"))))


def _counted(items: tuple[Json, ...]) -> tuple[Named, ...]:
    counts = Counter(id(item) for item in items)
    unique = {id(item): item for item in items}
    return tuple(
        Named(name, _text(item, "stId"), _text(item, "schemaClass"), counts[key])
        for key, item in unique.items()
        if (name := _text(item, "displayName"))
    )


def _catalyst(seen: _Seen, item: Json) -> Named:
    """The enzyme where it is told; otherwise the activity, whose name holds the enzyme's."""
    entity = next(iter(seen.many(item, "physicalEntity")), None)
    activity = _text(item, "displayName")
    if entity is None:
        return Named(activity, kind="CatalystActivity")
    return Named(_text(entity, "displayName") or activity, _text(entity, "stId"), activity)


def _regulator(seen: _Seen, item: Json) -> Named:
    entity = next(iter(seen.many(item, "regulator")), item)
    return Named(_text(entity, "displayName"), _text(entity, "stId"), _text(item, "schemaClass"))


def _term(item: Json, key: str) -> Named:
    """An ontology term with its CURIE; Reactome leaves the prefix to databaseName."""
    prefix, accession = _text(item, "databaseName"), _text(item, key)
    return Named(_text(item, "displayName"), f"{prefix}:{accession}" if accession else "")


def _reference(item: Json) -> Reference:
    return Reference(
        _text(item, "title") or _text(item, "displayName"),
        _text(item, "pubMedIdentifier"),
        _text(item, "journal"),
        _text(item, "year"),
    )
