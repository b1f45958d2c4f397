"""Ontologies: OBO text, and reductions of OBO kept as a JSON list (id, name, synonyms, …)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from corpus.sources.base import Broken
from corpus.sources.cleaning import one_line
from corpus.sources.curies import curie, from_pair
from corpus.sources.vocabularies.shape import BadEntry, names_of
from corpus.types import Term, TermKind

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*([A-Z]*)')
_KINDS: Final[Mapping[str, TermKind]] = {
    "doid": "disease",
    "mondo": "disease",
    "orphanet": "disease",
    "chebi": "chemical",
    "go": "process",
    "uberon": "anatomy",
    "cl": "anatomy",
    "bto": "anatomy",
    "ncbitaxon": "organism",
    "hgnc": "gene",
    "pr": "protein",
    "fplx": "family",
}
_CHEBI_ROLE: Final = "chebi:50906"
# Broader and narrower names are not names of the term: they would ground text wrongly.
_OTHER_THINGS: Final = frozenset({"BROAD", "NARROW"})
Tags = dict[str, list[str]]


def is_obo(text: str) -> bool:
    """Whether a text is an OBO file."""
    return text.lstrip().startswith("format-version:") or "\n[Term]" in text[:20_000]


def obo_terms(text: str) -> Iterator[Term | Broken]:
    """Yield the terms of an OBO file; other stanzas (Typedef) are passed over."""
    for line, tags in _stanzas(text):
        try:
            yield _obo_term(tags)
        except BadEntry as fault:
            yield Broken(f"term in line {line}", f"The term in line {line} {fault}.")


def _stanzas(text: str) -> Iterator[tuple[int, Tags]]:
    tags: Tags | None = None
    start = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if line.startswith("["):
            if tags is not None:
                yield start, tags
            tags, start = ({} if line == "[Term]" else None), number
        elif tags is not None and ": " in line:
            key, _, value = line.partition(": ")
            tags.setdefault(key, []).append(value)
    if tags is not None:
        yield start, tags


def _value(text: str) -> str:
    """A value without its trailing comment ("MONDO:1 ! disease") and qualifiers."""
    return text.partition(" ! ")[0].partition(" {")[0].strip()


def _obo_term(tags: Tags) -> Term:
    own = from_pair(_value(tags.get("id", [""])[0]))
    label = one_line(tags.get("name", [""])[0])
    if not own:
        raise BadEntry("has no id with a prefix")
    obsolete = tags.get("is_obsolete", [""])[0].strip().startswith("true")
    if not label and not obsolete:
        raise BadEntry("has no name")
    synonyms = [
        found.group(1).replace('\\"', '"')
        for text in tags.get("synonym", [])
        if (found := _QUOTED.match(text)) and found.group(2) not in _OTHER_THINGS
    ]
    xrefs = [
        from_pair(_bare_xref(text)) for key in ("xref", "alt_id") for text in tags.get(key, [])
    ]
    return Term(
        curie=own,
        label=label or own,
        kind=_kind(own, tags),
        names=names_of((label,), synonyms),
        xrefs=tuple(dict.fromkeys(filter(None, xrefs))),
        parents=_pairs(tags.get("is_a", [])),
        roles=_pairs(
            text.removeprefix("has_role ")
            for text in tags.get("relationship", [])
            if text.startswith("has_role ")
        ),
        withdrawn=obsolete,
        replaced_by=_pairs(tags.get("replaced_by", [])),
    )


def _bare_xref(text: str) -> str:
    """An xref without its description; quotes around a local id with blanks go."""
    if ':"' in text:
        return text.replace('"', "")
    return _value(text).partition(' "')[0]


def _pairs(texts: Any) -> tuple[str, ...]:
    found = (from_pair(_value(text)) for text in texts)
    return tuple(dict.fromkeys(filter(None, found)))


def _kind(own: str, tags: Tags) -> TermKind:
    kind = _KINDS.get(own.partition(":")[0], "other")
    if kind == "family" and tags.get("has_part") and not tags.get("inverse_is_a"):
        return "complex"
    if own.startswith("go:") and tags.get("namespace", [""])[0] == "cellular_component":
        return "other"
    return kind


def is_term_list(value: Any) -> bool:
    """Whether a JSON list holds terms with id, name and name space."""
    first = next((item for item in value[:20] if isinstance(item, dict)), {})
    return {"id", "name", "namespace"} <= set(first)


def json_terms(values: Sequence[Any]) -> Iterator[Term | Broken]:
    """Yield the terms of a JSON list; ids may lack their prefix, then the name space gives it."""
    for number, value in enumerate(values, start=1):
        try:
            yield _json_term(value)
        except BadEntry as fault:
            yield Broken(f"record {number}", f"Record {number} {fault}.")


def _json_term(value: Any) -> Term:
    if not isinstance(value, dict):
        raise BadEntry("is not a JSON object")
    namespace = _text(value.get("namespace"))
    own, label = _own(value.get("id"), namespace), _text(value.get("name"))
    if not (own and label):
        raise BadEntry("lacks the id or the name")
    relations = value.get("relations")
    relations = relations if isinstance(relations, dict) else {}
    obsolete = value.get("obsolete") is True or value.get("is_obsolete") is True
    return Term(
        curie=own,
        label=label,
        kind=_KINDS.get(own.partition(":")[0], "other"),
        names=names_of((label,), list(map(_text, _list(value.get("synonyms"))))),
        xrefs=tuple(dict.fromkeys(filter(None, _json_xrefs(value, namespace)))),
        parents=_owns(relations.get("is_a"), namespace),
        roles=_owns(relations.get("has_role"), namespace),
        withdrawn=obsolete,
        replaced_by=_owns(value.get("replaced_by"), namespace),
    )


def _json_xrefs(value: Mapping[str, Any], namespace: str) -> Iterator[str]:
    for entry in _list(value.get("xrefs")):
        if isinstance(entry, dict):
            yield curie(_text(entry.get("namespace")), _text(entry.get("id")))
        elif isinstance(entry, str):
            yield from_pair(entry)
    for old in _list(value.get("alt_ids")):
        yield _own(old, namespace)


def _own(value: Any, namespace: str) -> str:
    text = _text(value)
    return from_pair(text) if ":" in text else curie(namespace, text)


def _owns(value: Any, namespace: str) -> tuple[str, ...]:
    return tuple(filter(None, (_own(item, namespace) for item in _list(value))))


def _list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [value] if isinstance(value, str) else []


def _text(value: Any) -> str:
    if isinstance(value, dict):  # synonyms of other reductions: {"name": …} or {"val": …}
        value = value.get("name") or value.get("val")
    return one_line(value) if isinstance(value, str) else ""


def apart_from_roles(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms, ChEBI's roles ("antihypertensive agent") no longer called chemicals.

    A role is what has ChEBI's root of roles among its ancestors, or what a term of the file has as
    its role (a subset may lack the root).
    """
    parents = {term.curie: term.parents for term in terms if term.curie.startswith("chebi:")}
    if not parents:
        return tuple(terms)
    roles = {role for term in terms for role in term.roles} | {_CHEBI_ROLE}
    known: dict[str, bool] = dict.fromkeys(roles, True)
    return tuple(
        replace(term, kind="other")
        if term.curie in parents and _is_role(term.curie, parents, known)
        else term
        for term in terms
    )


def _is_role(start: str, parents: Mapping[str, tuple[str, ...]], known: dict[str, bool]) -> bool:
    """Whether a role is above a term; walks without recursion, a ring ends it."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if known.get(here):
            known[start] = True
            return True
        if here not in seen:
            seen.add(here)
            waiting.extend(parents.get(here, ()))
    return False
