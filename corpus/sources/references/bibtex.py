"""BibTeX and BibLaTeX entries, as Zotero, JabRef and journals export them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Final

from bibtexparser.exceptions import ParserStateException
from bibtexparser.model import Block, Entry, ParsingFailedBlock, String
from bibtexparser.splitter import Splitter

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.dates import iso_date, loose_date
from corpus.sources.references.files import bibtex_files
from corpus.sources.references.idtext import known, without_ids
from corpus.sources.references.latex import latex_text
from corpus.sources.references.people import turned
from corpus.sources.references.shape import Reference

# The splitter tells each broken entry to the log; here it is told to the curator.
logging.getLogger("bibtexparser.splitter").setLevel(logging.CRITICAL)

_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS: Final = _MONTH_NAMES.split()
_MAX_STRING: Final = 2_000
_INHERITED: Final = (
    "booktitle", "editor", "publisher", "year", "date", "month", "volume", "series", "isbn",
    "journal", "journaltitle",
)  # fmt: skip
_NOTES: Final = ("note", "annote", "annotation", "comment", "review")
_DETAILS: Final = {
    "volume": ("volume",), "issue": ("number", "issue"), "pages": ("pages",), "isbn": ("isbn",),
    "publisher": ("publisher", "institution", "school", "organization"),
    "series": ("series",), "edition": ("edition",),
}  # fmt: skip
Fields = dict[str, str]


def read_bibtex(text: str, filename: str) -> Iterator[Reference | Broken]:
    """Yield the entries of a .bib file in order; duplicates of keys are entries like others."""
    blocks = _blocks(text, filename)
    if not any(isinstance(block, (Entry, ParsingFailedBlock)) for block in blocks):
        raise NotThisSource(f"{filename} holds no BibTeX entry.")
    strings = _Strings(blocks, len(text))
    entries = [(block, _entry(block, strings)) for block in blocks]
    parents: dict[str, Fields] = {}
    for _, found in entries:
        if found is not None:
            parents.setdefault(found[0].lower(), found[2])
    for block, found in entries:
        line = (block.start_line or 0) + 1
        if found is not None:
            key, kind, fields = found
            yield _reference(line, key, kind, _inherited(fields, parents))
        elif isinstance(block, ParsingFailedBlock):
            yield _broken(block, line)


def _blocks(text: str, filename: str) -> list[Block]:
    try:
        found = Splitter(text).split().blocks
    except ParserStateException as error:
        raise ParseError(f"{filename} is no BibTeX that can be read: export it again.") from error
    # A key or a field given twice is an error to the library; its entry is as good as any.
    return [getattr(block, "ignore_error_block", None) or block for block in found]


def _broken(block: ParsingFailedBlock, line: int) -> Broken:
    head = re.match(r"\s*@\s*\w+\s*[{(]\s*([^,={}\n]{0,80})", block.raw or "")
    key = one_line(head.group(1)) if head else ""
    reason = str(getattr(block.error, "abort_reason", "") or block.error).strip().rstrip(".")
    name = f"line {line}" + (f" ({key})" if key else "")
    said = f" {key}" if key else ""
    return Broken(
        name,
        f"The entry{said} in line {line} is not closed or not well-formed "
        f"({one_line(reason)[:160]}): mend its braces, quotes and commas.",
    )


class _Strings:
    """Abbreviations (@string) and months. They can be made of each other and so grow without bound:
    a file is let to unfold to a few times its length.
    """

    def __init__(self, blocks: list[Block], length: int) -> None:
        self._left = 4 * length + 100_000
        self._known = {month: month for month in _MONTHS}
        for block in blocks:
            if isinstance(block, String):
                self._known[block.key.lower()] = _value(str(block.value), self)[:_MAX_STRING]

    def get(self, name: str) -> str:
        """What a bare name stands for; itself when nothing defines it."""
        found = self._known.get(name.lower(), name)
        if self._left < len(found):
            return name
        self._left -= len(found)
        return found


def _entry(block: Block, strings: _Strings) -> tuple[str, str, Fields] | None:
    if not isinstance(block, Entry):
        return None
    fields: Fields = {}
    for field in block.fields:
        name, value = field.key.lower().strip(), _value(str(field.value), strings)
        if name in fields and name in (*_NOTES, "keywords", "file"):
            fields[name] += f"\n\n{value}" if name in _NOTES else f";{value}"
        elif not fields.get(name):
            fields[name] = value
    return str(block.key), str(block.entry_type).lower(), fields


def _value(raw: str, strings: _Strings) -> str:
    """A field's value: pieces in braces, in quotes or by name, joined by #."""
    return "".join(_pieces(raw.strip(), strings))


def _pieces(raw: str, strings: _Strings) -> Iterator[str]:
    place = 0
    while place < len(raw):
        char = raw[place]
        if char in "#\n\t ":
            place += 1
        elif char in '{"':
            end = _closing(raw, place)
            yield raw[place + 1 : end]
            place = end + 1
        else:
            end = raw.find("#", place)
            end = len(raw) if end < 0 else end
            name = raw[place:end].strip()
            yield strings.get(name)
            place = end


def _closing(raw: str, start: int) -> int:
    """Where the piece that opens at `start` closes; the end where it does not."""
    depth, place = 0, start + 1
    while place < len(raw):
        char = raw[place]
        if char == "\\":
            place += 1
        elif char == "{":
            depth += 1
        elif char == "}" and raw[start] == "{" and not depth:
            return place
        elif char == "}":
            depth -= 1
        elif char == '"' and raw[start] == '"' and depth <= 0:
            return place
        place += 1
    return len(raw)


def _inherited(fields: Fields, parents: Mapping[str, Fields]) -> Fields:
    """An entry with what its crossref parent tells for it (one step up)."""
    parent = parents.get(fields.get("crossref", "").strip().lower())
    if not parent or parent is fields:
        return fields
    own = {name: value for name, value in fields.items() if value.strip()}
    given = {name: parent[name] for name in _INHERITED if parent.get(name)}
    if parent.get("title"):
        given.setdefault("booktitle", parent["title"])
    return {**given, **own}


def _reference(line: int, key: str, kind: str, fields: Fields) -> Reference:
    def text(*names: str) -> str:
        return next((latex_text(fields[name]) for name in names if fields.get(name)), "")

    raw_notes = [latex_text(fields[name]) for name in _NOTES if fields.get(name)]
    is_pubmed = fields.get("eprinttype", fields.get("archiveprefix", "")).lower() in (
        "pubmed", "pmid",
    )  # fmt: skip
    found = known(
        doi=_verbatim(fields.get("doi", "")),
        pmid=_verbatim(fields.get("pmid", "") or (fields.get("eprint", "") if is_pubmed else "")),
        pmcid=_verbatim(fields.get("pmcid", "") or fields.get("pmc", "")),
        links=" ".join(_verbatim(fields.get(name, "")) for name in ("url", "ee", "howpublished")),
        notes="\n".join(raw_notes),
    )
    details = {name: text(*sources) for name, sources in _DETAILS.items()}
    details["pages"] = details["pages"].replace("–", "-")
    details["url"] = _verbatim(fields.get("url", ""))
    details["editors"] = "; ".join(_people(fields.get("editor", "")))
    title = text("title")
    if title and (subtitle := text("subtitle")):
        title = f"{title.rstrip(':')}: {subtitle}"
    return Reference(
        line=line,
        key=key,
        entry_type=kind,
        title=title,
        authors=_people(fields.get("author", "")),
        journal=text("journal", "journaltitle", "booktitle"),
        published=_date(fields),
        abstract=text("abstract"),
        notes=tuple(note for raw in raw_notes if (note := without_ids(raw)).strip()),
        keywords=_keywords(text("keywords", "keyword")),
        files=bibtex_files(";".join(filter(None, (fields.get("file"), fields.get("local-url"))))),
        language=text("language", "langid"),
        details={name: value for name, value in details.items() if value},
        **found,
    )


def _verbatim(value: str) -> str:
    """A link or an id: only what LaTeX forces one to escape is taken back."""
    plain = re.sub(r"\\url\s*\{([^{}]*)\}", r"\1", value)
    plain = re.sub(r"\{?\\([_&%#$~])\}?(?:\{\})?", r"\1", plain)
    return one_line(plain.replace("{", "").replace("}", ""))


def _people(value: str) -> tuple[str, ...]:
    """Names joined by 'and'; one in braces is an institution and stays as it is."""
    people = []
    for name in _split_names(value):
        bare = name.strip()
        if bare.startswith("{") and _closing(bare, 0) == len(bare) - 1:
            people.append(one_line(latex_text(bare)))
        elif bare.lower() not in ("", "others"):
            people.append(turned(one_line(latex_text(bare))))
    return tuple(filter(None, people))


def _split_names(value: str) -> Iterator[str]:
    depth, start = 0, 0
    for found in re.finditer(r"\\.|[{}]|\s+and\s+", value, re.IGNORECASE | re.DOTALL):
        mark = found.group()
        if mark in "{}":
            depth = max(depth + (1 if mark == "{" else -1), 0)
        elif not mark.startswith("\\") and not depth:
            yield value[start : found.start()]
            start = found.end()
    yield value[start:]


def _date(fields: Fields) -> str:
    date = fields.get("date", "").strip()
    if found := re.match(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?", date):
        return iso_date(found.group(1), found.group(2) or "", found.group(3) or "")
    year, month = latex_text(fields.get("year", "") or date), latex_text(fields.get("month", ""))
    word = re.search(r"[A-Za-z]{3,}", month)
    numbers = re.findall(r"\d{1,2}", month) + re.findall(r"\d{1,2}", fields.get("day", ""))
    if word:
        return iso_date(year, word.group(), numbers[0] if numbers else "")
    return iso_date(year, *numbers[:2]) or loose_date(year)


def _keywords(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(one_line, re.split(r"[;\n]" if ";" in text else r"[,\n]", text))))
