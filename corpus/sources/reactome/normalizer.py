"""A Reactome event as a document: its summary, and its facts as one readable record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus.sources.cleaning import one_line
from corpus.sources.ids import identifiers
from corpus.sources.reactome.answers import REACTIONS, Named, ReactomeEvent
from corpus.sources.webtext import html_paragraphs
from corpus.types import Block, NormalizedDocument, Relation

_LICENCE = "CC0 1.0"  # Reactome's data; https://reactome.org/license
_REGULATION = {
    "PositiveRegulation": ("positively_regulated_by", 1),
    "PositiveGeneExpressionRegulation": ("positively_regulated_by", 1),
    "Requirement": ("requires", 1),
    "NegativeRegulation": ("negatively_regulated_by", -1),
    "NegativeGeneExpressionRegulation": ("negatively_regulated_by", -1),
}


def normalize(event: ReactomeEvent) -> NormalizedDocument:
    """JobTurn an event into a document.

    The record block is left out where it would only repeat the name beside a summary.
    """
    summary = [
        Block(text, ("Summary",)) for raw in event.summaries for text in html_paragraphs(raw)
    ]
    facts = list(_facts(event))
    record = Block(" ".join([_opening(event), *facts]), ("Facts",), "record", fields=_fields(event))
    is_reaction = event.kind in REACTIONS
    return NormalizedDocument(
        type="reaction" if is_reaction else "pathway",
        source="reactome",
        external_id=event.st_id,
        title=one_line(event.name),
        blocks=tuple(summary if summary and not facts else [*summary, record]),
        identifiers=identifiers(doi_=event.doi),
        published=event.release_date[:10],
        licence=_LICENCE,
        language="en",
        tags=tuple(dict.fromkeys((*event.species, *event.compartments))),
        relations=tuple(_relations(event)),
        metadata=_metadata(event),
        note="" if summary else "Reactome gives no summary here: only names and facts are found.",
    )


def _opening(event: ReactomeEvent) -> str:
    what = "reaction" if event.kind in REACTIONS else "pathway"
    if event.kind == "TopLevelPathway":
        what = "top-level pathway"
    if event.kind == "FailedReaction":
        what = "reaction that fails in disease"
    species = f" of {_listed(event.species)}" if event.species else ""
    place = f" in the {_listed(event.compartments)}" if event.compartments else ""
    return f"{one_line(event.name)} is a {what}{species}{place} (Reactome {event.st_id})."


def _facts(event: ReactomeEvent) -> Iterator[str]:
    """Sentences beyond name, kind, species and place."""
    lists = (
        ("Inputs", event.inputs),
        ("Outputs", event.outputs),
        ("Catalysts", event.catalysts),
        ("Regulators", event.regulators),
        ("It contains", event.contained),
        ("It is part of", event.parents),
        ("It follows", event.preceding),
        ("Diseases", event.diseases),
        ("GO terms", event.go if not event.saved or not event.summaries else ()),
    )
    if event.compartments and not event.summaries:
        yield f"Compartments: {_listed(event.compartments)}."
    for heading, things in lists:
        texts = list(dict.fromkeys(filter(None, map(_thing, things))))
        if texts:
            yield f"{heading}: {'; '.join(texts)}."
    if event.normal_pathway:
        yield f"The pathway without the defect is {one_line(event.normal_pathway)}."


def _thing(thing: Named) -> str:
    name = one_line(thing.name)
    if thing.kind in _REGULATION:
        name += " (activates)" if _REGULATION[thing.kind][1] > 0 else " (inhibits)"
    if ":" in thing.st_id:
        return f"{name} ({thing.st_id})" if name else thing.st_id
    return f"{thing.count} {name}" if thing.count > 1 else name


def _listed(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _fields(event: ReactomeEvent) -> dict[str, object]:
    named = {
        "contains": event.contained,
        "part_of": event.parents,
        "follows": event.preceding,
        "inputs": event.inputs,
        "outputs": event.outputs,
        "catalysts": event.catalysts,
        "regulators": event.regulators,
        "diseases": event.diseases,
        "go": event.go,
    }
    fields: dict[str, object] = {
        "stId": event.st_id,
        "name": one_line(event.name),
        "kind": event.kind,
        "species": list(event.species),
        "compartments": list(event.compartments),
    }
    for key, things in named.items():
        fields[key] = [
            {"name": one_line(thing.name), "id": thing.st_id, "count": thing.count}
            for thing in things
        ]
    return {key: value for key, value in fields.items() if value}


def _metadata(event: ReactomeEvent) -> dict[str, object]:
    found: dict[str, object] = {
        "kind": event.kind,
        "species": list(event.species),
        "compartments": list(event.compartments),
        "go": [thing.st_id for thing in event.go],
        "inferred": event.inferred,
        "references": [
            {
                "title": one_line(reference.title),
                "pmid": reference.pmid,
                "journal": one_line(reference.journal),
                "year": reference.year,
            }
            for reference in event.references
        ],
    }
    return {key: value for key, value in found.items() if value}


def _relations(event: ReactomeEvent) -> Iterator[Relation]:
    subject = f"reactome:{event.st_id}"
    label = one_line(event.name)
    kind = "reaction" if event.kind in REACTIONS else "pathway"
    lists: tuple[tuple[str, Sequence[Named], str], ...] = (
        ("contains", event.contained, ""),
        ("part_of", event.parents, "pathway"),
        ("follows", event.preceding, ""),
        ("has_input", event.inputs, "entity"),
        ("has_output", event.outputs, "entity"),
        ("catalyzed_by", event.catalysts, "entity"),
        ("occurs_in_disease", event.diseases, "disease"),
        ("annotated_with", event.go, "process"),
    )
    pmids = tuple(dict.fromkeys(r.pmid for r in event.references if r.pmid))
    for predicate, things, object_kind in lists:
        for thing in things:
            yield _relation((subject, label, kind), predicate, thing, object_kind, pmids)
    for thing in event.regulators:
        predicate, sign = _REGULATION.get(thing.kind, ("regulated_by", 0))
        yield _relation((subject, label, kind), predicate, thing, "entity", pmids, sign)
    for pmid in pmids:
        yield Relation(subject, "cites", f"pmid:{pmid}", 0, label, "", kind, "work", event.st_id)


def _relation(
    subject: tuple[str, str, str],
    predicate: str,
    thing: Named,
    kind: str,
    pmids: tuple[str, ...],
    sign: int = 0,
) -> Relation:
    st_id, name = thing.st_id, one_line(thing.name)
    curie = st_id if ":" in st_id else f"reactome:{st_id}" if st_id else name
    if not kind:
        kind = "reaction" if thing.kind in REACTIONS else "pathway"
    record = subject[0].removeprefix("reactome:")
    return Relation(
        subject[0], predicate, curie, sign, subject[1], name, subject[2], kind, record, pmids
    )
