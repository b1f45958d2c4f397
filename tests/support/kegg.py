"""Reading KEGG in one step, and a writer of its flat form to ask whether reading gives it back."""

from __future__ import annotations

from corpus.sources.base import Broken
from corpus.sources.kegg.entries import END, KEY_WIDTH, Field, FlatEntry
from corpus.sources.kegg.normalizer import normalize
from corpus.sources.kegg.parser import parse
from corpus.types import NormalizedDocument, Relation


def write_entry(entry: FlatEntry) -> str:
    """The entry as KEGG prints it: keys in columns 1-12, nested ones indented by two."""
    return "".join(_field(field, "") for field in entry.fields) + f"{END}\n"


def _field(field: Field, indent: str) -> str:
    key = f"{indent}{field.name}".ljust(KEY_WIDTH)
    first, *others = field.lines
    lines = [key + first, *(" " * KEY_WIDTH + line for line in others)]
    own = "".join(f"{line.rstrip()}\n" for line in lines)
    return own + "".join(_field(inner, "  ") for inner in field.nested)


def read(data: bytes, name: str = "answer.txt") -> list[NormalizedDocument]:
    """The documents of a file; broken records are left out."""
    return [normalize(item) for item in parse(data, name) if not isinstance(item, Broken)]


def keys(relations: tuple[Relation, ...]) -> set[tuple[str, str, int]]:
    """(predicate, object, sign) of relations."""
    return {(relation.predicate, relation.object, relation.sign) for relation in relations}
