"""What a record says of its paper: keys to find it by, and statements about it and others. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from corpus.sources import ids
from corpus.sources.matching import (
    OPENING_CHARS,
    author_key,
    is_notice,
    opening_keys,
    title_key,
)
from corpus.sources.preprints import is_preprint_doi, unversioned
from corpus.types import NormalizedDocument

NAMES: Final = ("doi", "pmid", "pmcid", "openalex")
# Not an id of the paper, but of an entry without ids in a reference list, and of its attached PDF.
ENTRY: Final = "entry"
# Types that are papers; of others, the same title says nothing.
_TITLED: Final = frozenset({"article", "book"})
# predicate of a relation -> (kind, outward): "outward" acts on the object, otherwise the object
# acts on the record.
_STATEMENTS: Final[Mapping[str, tuple[str, bool]]] = {
    "retracts": ("retracts", True),
    "retracted_by": ("retracts", False),
    "partly_retracts": ("concerns", True),
    "partly_retracted_by": ("concerns", False),
    "corrects": ("corrects", True),
    "corrected_by": ("corrects", False),
    "concern_about": ("concerns", True),
    "concern_by": ("concerns", False),
    "preprint_of": ("preprint_of", True),
    "has_preprint": ("preprint_of", False),
    "updates": ("updates", True),
    "updated_by": ("updates", False),
}
PREDICATES: Final = tuple(_STATEMENTS)
_UNNAMED: Final = frozenset({"retracts", "corrects", "concerns"})  # standing needs no notice's id


@dataclass(frozen=True, slots=True)
class Said:
    """One statement of a record; `other` is a key, empty where the source names no notice."""

    kind: str
    outward: bool
    other: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """All that a record tells of its paper; `keys` is empty when it tells no paper."""

    keys: tuple[str, ...]
    kind: str
    author: str
    said: tuple[Said, ...]
    opening: tuple[str, ...] = ()  # of a record that names no authors: hashes of its first words


def of_record(document: NormalizedDocument) -> Told:
    """What a record tells as it is read."""
    named = {name: getattr(document.identifiers, name) for name in NAMES}
    said = [(r.predicate, r.object) for r in document.relations if r.predicate in _STATEMENTS]
    return tell(
        type_=document.type,
        title=document.title,
        identifiers=named,
        authors=document.authors,
        entry=entry_of(document.source, document.external_id, document.metadata),
        metadata=document.metadata,
        relations=said,
        retracted=document.retracted,
        opening=_opening(document),
    )


def entry_of(source: str, external_id: str, metadata: Mapping[str, Any]) -> str:
    """The entry without ids that a record is, or that has it attached; mostly empty."""
    is_one = source == "references" and external_id.startswith("reference:")
    return external_id if is_one else str(metadata.get("entry", "")) if source == "pdf" else ""


def _opening(document: NormalizedDocument) -> str:
    parts, length = [], 0
    for block in document.blocks:
        parts.append(block.text)
        length += len(block.text)
        if length > OPENING_CHARS:
            break
    return "\n".join(parts)


def tell(
    *,
    type_: str,
    title: str,
    identifiers: Mapping[str, str],
    authors: Iterable[str],
    entry: str,
    metadata: Mapping[str, Any],
    relations: Iterable[tuple[str, str]],
    retracted: bool,
    opening: str,
) -> Told:
    """The same from its parts; `relations` are (predicate, object), `opening` is its first text."""
    keys = [key(name, identifiers[name]) for name in NAMES if identifiers.get(name)]
    keys += [key(ENTRY, entry)] if entry else []
    title_ = title_key(title) if type_ in _TITLED else ""
    first = author_key(list(authors)[:1])
    words = opening_keys(opening) if title_ and not first else []
    if title_ and (first or words or keys):
        keys.append(f"title:{title_}")
    doi = identifiers.get("doi", "")
    return Told(
        keys=tuple(keys),
        kind=_kind(title, doi, metadata),
        author=first,
        said=tuple(dict.fromkeys(_said(relations, metadata, retracted=retracted))),
        opening=tuple(words),
    )


def _kind(title: str, doi: str, metadata: Mapping[str, Any]) -> str:
    types = [str(kind).lower() for kind in metadata.get("publication_types") or ()]
    if metadata.get("is_notice") or is_notice(title):
        return "notice"
    if is_preprint_doi(doi) or "preprint" in types or metadata.get("is_preprint"):
        return "preprint"
    return "paper"


def _said(
    relations: Iterable[tuple[str, str]], metadata: Mapping[str, Any], *, retracted: bool
) -> Iterator[Said]:
    for predicate, target in relations:
        kind, outward = _STATEMENTS[predicate]
        key = as_key(target)
        if key:
            yield Said(kind, outward, key)
    # PubMed names some notices by citation only: the paper's standing is told all the same.
    for link in metadata.get("links") or ():
        kind, outward = _STATEMENTS.get(str(link.get("kind", "")), ("", True))
        if kind in _UNNAMED and not outward and not link.get("pmid"):
            yield Said(kind, False)
    if retracted:
        yield Said("retracts", False)


def as_key(curie: str) -> str:
    """A paper's key of a CURIE such as `pmid:123` or `doi:10.5555/x`; empty for anything else."""
    prefix, _, value = curie.partition(":")
    form = {"doi": ids.doi, "pmid": ids.pmid, "pmcid": ids.pmcid, "openalex": ids.openalex}
    known = form[prefix](value) if prefix in form else ""
    return key(prefix, known) if known else ""


def key(name: str, value: str) -> str:
    """The key of an id: versions of a preprint have one."""
    return f"{name}:{unversioned(value) if name == 'doi' else value}"
