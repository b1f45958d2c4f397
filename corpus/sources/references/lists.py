"""Lists of ids: one a line, several a line, links, running text, or a table with a header."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Final

from corpus.sources import ids
from corpus.sources.base import Broken, NotThisSource
from corpus.sources.cleaning import one_line
from corpus.sources.references.idtext import dois, pmcids, pmids, trimmed
from corpus.sources.references.shape import Reference

_HEADS: Final = {
    "pmid": "pmid", "pubmed id": "pmid", "pubmed_id": "pmid", "pubmedid": "pmid", "doi": "doi",
    "pmcid": "pmcid", "pmc": "pmcid", "title": "title", "article title": "title",
    "publication year": "year", "year": "year", "journal": "journal", "journal/book": "journal",
}  # fmt: skip
_COMMENT = re.compile(r"\s*(?:#|//)")
_WORDS = re.compile(r"[\s,;|]+")
_LABEL = re.compile(r"(?:pmid|pubmed|doi|pmcid|pmc|id)s?(?=[\s:=#]|$)\s*[:=#]?", re.IGNORECASE)
_DOI_START = re.compile(r"(?:doi:)?10\.\d{4,9}/(?=\S)", re.IGNORECASE)
_MOST_BROKEN: Final = 200
Ids = tuple[str, str, str]  # DOI, PMID, PMCID


def read_list(text: str, filename: str) -> Iterator[Reference | Broken]:
    """Yield a reference for each paper that is named, each paper once.

    Raises NotThisSource when no line names one.
    """
    lines = text.split("\n")
    seen: set[str] = set()
    leading: list[Broken] = []
    for record in _table(lines) or _lines(lines):
        if isinstance(record, Broken):
            if seen:
                yield record
            elif len(leading) < _MOST_BROKEN:
                leading.append(record)
            continue
        name = record.doi or record.pmid or record.pmcid
        if not seen:
            yield from leading
        if name not in seen:
            seen.add(name)
            yield record
    if not seen:
        raise NotThisSource(f"{filename} names no paper by DOI, PMID or PMCID.")


def _lines(lines: list[str]) -> Iterator[Reference | Broken]:
    for number, line in enumerate(lines, start=1):
        plain = one_line(line)
        if not plain or _COMMENT.match(plain) or _LABEL.fullmatch(plain):
            continue
        found = list(_found(plain))
        if not found:
            yield Broken(
                f"line {number}",
                f"Line {number} names no DOI, PMID or PMCID: {plain[:80]!r}. Mend or delete it.",
            )
        for doi, pmid, pmcid in found:
            yield Reference(line=number, entry_type="id", doi=doi, pmid=pmid, pmcid=pmcid)


def _found(line: str) -> Iterator[Ids]:
    """The papers of a line: ids of different kinds are one paper's, of one kind several papers'."""
    whole = _bare(line)
    if whole is not None:
        yield from whole
        return
    found = [list(dict.fromkeys(read(line))) for read in (dois, pmids, pmcids)]
    if all(len(each) < 2 for each in found):
        if any(found):
            yield tuple(each[0] if each else "" for each in found)  # type: ignore[misc]
        return
    for place, each in enumerate(found):
        for name in each:
            yield tuple(name if kind == place else "" for kind in range(3))  # type: ignore[misc]


def _bare(line: str) -> list[Ids] | None:
    """The ids of a line that holds nothing else: bare numbers are PMIDs only there."""
    label = _LABEL.match(line)
    bare = line[label.end() :].strip() if label else line
    if len(_DOI_START.findall(bare)) == 1 and _DOI_START.match(bare) and " " not in bare:
        return [(trimmed(bare), "", "")]  # old DOIs hold brackets, commas and semicolons
    of_pmc = label is not None and label.group().lower().startswith("pmc")
    found: list[Ids] = []
    for word in filter(None, (word.strip("\"'()[]<>") for word in _WORDS.split(bare))):
        if word.isdecimal() and ids.pmid(word):
            found.append(("", "", ids.pmcid(word)) if of_pmc else ("", ids.pmid(word), ""))
        elif re.fullmatch(r"pmc\d{1,9}(?:\.\d+)?", word, re.IGNORECASE):
            found.append(("", "", ids.pmcid(word)))
        elif _DOI_START.match(word):
            found.append((trimmed(word), "", ""))
        else:
            return None
    kinds = {next(place for place, name in enumerate(each) if name) for each in found}
    if 1 < len(found) == len(kinds) and label is not None:
        return None  # 'PMID: 1; PMC2' are ids of one paper
    return found or None


def _table(lines: list[str]) -> Iterator[Reference | Broken] | None:
    """The rows of a table whose first line names a column of ids; None for anything else."""
    head = next((line for line in lines if line.strip()), "")
    mark = "\t" if "\t" in head else ";" if head.count(";") > head.count(",") else ","
    names = [_HEADS.get(one_line(cell).strip("\"'").lower(), "") for cell in head.split(mark)]
    if len(names) < 2 or not {"pmid", "doi", "pmcid"} & set(names):
        return None
    return _rows(lines, mark, names)


def _rows(lines: list[str], mark: str, names: list[str]) -> Iterator[Reference | Broken]:
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=mark)
    try:
        for row in reader:
            if not any(cell.strip() for cell in row) or _is_head(row):
                continue
            yield _row(reader.line_num, row, names)
    except csv.Error as error:
        yield Broken(
            f"line {reader.line_num}",
            f"Line {reader.line_num} and what follows is no table that can be read ({error}): "
            "save it again as CSV.",
        )


def _is_head(row: list[str]) -> bool:
    return sum(_HEADS.get(one_line(cell).lower(), "") != "" for cell in row) > 1


def _row(number: int, row: list[str], names: list[str]) -> Reference | Broken:
    cells: dict[str, str] = {}
    for name, cell in zip(names, row, strict=False):
        if name and cell.strip():
            cells.setdefault(name, one_line(cell))
    found = (
        trimmed(cells.get("doi", "")),
        ids.pmid(cells.get("pmid", "")),
        ids.pmcid(cells.get("pmcid", "")),
    )
    if not any(found):
        return Broken(
            f"line {number}", f"The row in line {number} has no DOI, PMID or PMCID: add one."
        )
    year = cells.get("year", "")
    return Reference(
        line=number,
        entry_type="id",
        title=cells.get("title", ""),
        journal=cells.get("journal", ""),
        published=year if re.fullmatch(r"(?:1[5-9]|20)\d\d", year) else "",
        doi=found[0],
        pmid=found[1],
        pmcid=found[2],
    )
