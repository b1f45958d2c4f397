"""WikiPathways' gene sets (GMT): one pathway a line."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.sources.base import Broken, NotThisSource
from corpus.sources.cleaning import one_line

_NAME = re.compile(
    r"(?P<title>.+)%WikiPathways_(?P<date>\d{8})%(?P<wpid>WP\d{1,6})%(?P<organism>[^%]+)"
)
_REVISION = re.compile(r"WP\d+_r\d+")
MAX_LEADING_BROKEN = 20


@dataclass(frozen=True, slots=True)
class GeneSet:
    """One line; genes are numbers of NCBI Gene."""

    wpid: str
    title: str
    organism: str
    date: str
    url: str
    genes: tuple[str, ...]

    @property
    def revision(self) -> str:
        """The version of the pathway as its address names it: WP5187_r122433."""
        found = _REVISION.search(self.url)
        return found.group() if found else ""


def read_sets(data: bytes, filename: str) -> Iterator[GeneSet | Broken]:
    """Yield the sets of a file. Raises NotThisSource when its lines are not of WikiPathways."""
    bad: list[Broken] = []
    good = False
    for number, line in enumerate(io.BytesIO(data), start=1):
        if not line.strip():
            continue
        found = _set(line, number)
        if good or isinstance(found, GeneSet):
            yield from bad
            bad, good = [], True
            yield found
        else:
            bad.append(found)
        if len(bad) >= MAX_LEADING_BROKEN:
            break
    if not good:
        raise NotThisSource(f"{filename} holds no gene set of WikiPathways.")


def _set(line: bytes, number: int) -> GeneSet | Broken:
    name = f"line {number}"
    try:
        cells = [one_line(cell) for cell in line.decode("utf-8").rstrip("\r\n").split("\t")]
    except UnicodeDecodeError:
        return Broken(name, f"Line {number} is not UTF-8.")
    found = _NAME.fullmatch(cells[0])
    if not found:
        return Broken(name, f"Line {number} does not begin with name%WikiPathways_date%id%species.")
    genes = tuple(dict.fromkeys(cell for cell in cells[2:] if cell.isdigit()))
    if not genes:
        return Broken(found["wpid"], f"Line {number} ({found['wpid']}) names no gene.")
    day = found["date"]
    date = f"{day[:4]}-{day[4:6]}-{day[6:]}"
    return GeneSet(
        found["wpid"], found["title"].strip(), found["organism"].strip(), date, cells[1], genes
    )
