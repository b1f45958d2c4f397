"""A writer of KEGG's flat form, to ask whether reading gives back what was written."""

from __future__ import annotations

from corpus.sources.kegg.entries import END, KEY_WIDTH, Field, FlatEntry


def write_entry(entry: FlatEntry) -> str:
    """The entry as KEGG prints it: keys in columns 1-12, nested ones indented by two."""
    return "".join(_field(field, "") for field in entry.fields) + f"{END}\n"


def _field(field: Field, indent: str) -> str:
    key = f"{indent}{field.name}".ljust(KEY_WIDTH)
    first, *others = field.lines
    lines = [key + first, *(" " * KEY_WIDTH + line for line in others)]
    own = "".join(f"{line.rstrip()}\n" for line in lines)
    return own + "".join(_field(inner, "  ") for inner in field.nested)
