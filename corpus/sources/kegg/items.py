"""What one line of a flat field names: an id, its name, the ids in brackets behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.cleaning import one_line

_BRACKET = re.compile(r"\[(?P<db>[A-Za-z][A-Za-z_-]{0,9}):\s?(?P<ids>[^\][]{1,4000})\]")
_LEADING = re.compile(
    r"(?P<id>(?:[a-z]{2,8}|[a-z]{3,4}_M|RC|DG|[CDGHKMNRT])\d{5}|\d{1,2}(?:\.(?:n?\d+|-)){3})"
    r"(?:\(.{1,4000}?\))?(?=\s|$)"
)
_JOINED = re.compile(r"[A-Z]\d{5}(?:[,+][A-Z]\d{5})+(?=\s|$)")
_ONLY_IDS = re.compile(r"(?:[A-Z]{1,2}\d{5}|\d{1,2}(?:\.(?:n?\d+|-)){3})")
_SUBTYPE = re.compile(r"\((?P<subtype>[^()]{1,200})\)\s+(?=\S)")
_NUMBERED = re.compile(r"(?P<id>[A-Za-z0-9_.:-]+)\s{2,}(?P<rest>\S.*)")
_GENES_LINE = re.compile(r"(?P<organism>[A-Z]{2,5}):\s*(?P<genes>.*)")
_GENE = re.compile(r"(?P<id>[^\s()]+)(?:\((?P<name>[^()]*)\))?")
_PMID = re.compile(r"PMID:?\s*(\d{1,9})")
_DOI = re.compile(r"DOI:?\s*(10\.\d{4,9}/\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """One named thing. `brackets` are the ids behind it by database: {"HSA": ("2184",)}."""

    id: str
    name: str
    symbol: str = ""
    subtype: str = ""
    brackets: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def as_fields(self) -> dict[str, object]:
        """The item for a record's fields, without what is empty."""
        found: dict[str, object] = {
            "id": self.id,
            "symbol": self.symbol,
            "name": self.name,
            "subtype": self.subtype,
        }
        found |= {database: list(ids) for database, ids in self.brackets.items()}
        return {key: value for key, value in found.items() if value}


def listed(lines: Sequence[str]) -> Iterator[Item]:
    """Items of a field whose lines open with an id (COMPOUND, PATHWAY, MODULE, ORTHOLOGY), hold
    nothing but ids (REACTION, ENZYME), or open with a name that has its id in brackets (SUBSTRATE).
    """
    for line in lines:
        words = line.split()
        if len(words) > 1 and all(_ONLY_IDS.fullmatch(word) for word in words):
            yield from (Item(word, "") for word in words)
            continue
        text, brackets = _brackets(line)
        text = re.sub(r"^PATH:\s*MAP(?=\d{5})", "map", text)
        if joined := _JOINED.match(text):
            name = one_line(text[joined.end() :])
            yield from (Item(part, name) for part in re.split("[,+]", joined.group()))
            continue
        found = _LEADING.match(text)
        rest = text[found.end() :] if found else text
        yield Item(found["id"] if found else "", one_line(rest).rstrip("; "), brackets=brackets)


def genes(lines: Sequence[str]) -> Iterator[Item]:
    """Items of a GENE field: '3101  HK3; hexokinase 3 [KO:K00844]' of a pathway, or '(Type I) FAH;
    fumarylacetoacetase [HSA:2184]' of a disease.
    """
    for line in _unwrapped(lines):
        text, brackets = _brackets(line)
        numbered = _NUMBERED.match(text)
        identifier = numbered["id"] if numbered else ""
        rest = numbered["rest"] if numbered else text
        subtype = _SUBTYPE.match(rest)
        if subtype:
            rest = rest[subtype.end() :]
        symbol, semicolon, name = rest.partition(";")
        if not semicolon and (numbered or " " in rest.strip()):
            symbol, name = "", rest
        yield Item(
            identifier,
            one_line(name),
            one_line(symbol),
            one_line(subtype["subtype"]) if subtype else "",
            brackets,
        )


def _unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """Among numbered lines, one without a number goes on with the line before."""
    if not lines or not _NUMBERED.match(lines[0]):
        yield from lines
        return
    whole = lines[0]
    for line in lines[1:]:
        if _NUMBERED.match(line):
            yield whole
            whole = line
        else:
            whole = f"{whole} {line}"
    yield whole


def organism_genes(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """(organism code, gene id, gene name) of a GENES field: 'HSA: 7299(TYR) 94856'; a line without
    organism belongs to the one before.
    """
    organism = ""
    for line in lines:
        found = _GENES_LINE.match(line)
        if found:
            organism = found["organism"].lower()
        if organism:
            for match in _GENE.finditer(found["genes"] if found else line):
                yield organism, match["id"], match["name"] or ""


def pmids(lines: Sequence[str]) -> tuple[str, ...]:
    """Every PubMed id a reference names, in order."""
    return tuple(dict.fromkeys(hit.lstrip("0") for line in lines for hit in _PMID.findall(line)))


def doi_in(lines: Sequence[str]) -> str:
    """The first DOI among the lines of a reference, '' without one."""
    return next((found[1] for line in lines if (found := _DOI.search(line))), "")


def names(lines: Sequence[str]) -> tuple[str, ...]:
    """The names of a NAME field; each but the last ends with a semicolon, in older files none
    does.
    """
    found = (one_line(line).rstrip(";").strip() for line in lines)
    return tuple(dict.fromkeys(filter(None, found)))


def running(lines: Sequence[str]) -> str:
    """Lines as one text. A line that ends in a hyphen was broken inside a chemical name."""
    text = ""
    for line in lines:
        part = one_line(line)
        inside = re.search(r"\S-$", text) is not None
        text = f"{text}{'' if inside or not text else ' '}{part}"
    return text


def _brackets(line: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    found = {hit["db"].upper(): tuple(hit["ids"].split()) for hit in _BRACKET.finditer(line)}
    return _BRACKET.sub("", line).strip() if found else line.strip(), found


# The database of a bracket, as `names.classify` wants it; any other is an organism's code.
BRACKETS: Final = {
    "CPD": "cpd", "DR": "dr", "GL": "gl", "RN": "rn", "KO": "ko", "DS": "ds", "PATH": "path",
    "MD": "md", "EC": "ec", "RC": "rc", "NE": "ne", "N": "ne", "NT": "ne", "DG": "dg", "VG": "vg",
    "TAX": "tax", "GN": "gn", "BR": "br", "HSA_VAR": "hsa_var",
}  # fmt: skip
