"""Lists of tagged lines: RIS, MEDLINE (.nbib) and EndNote's Refer (.enw)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rispy import RisParser
from rispy.config import TAG_KEY_MAPPING

from corpus.sources.base import Broken, NotThisSource
from corpus.sources.cleaning import one_line
from corpus.sources.dates import iso_date, loose_date
from corpus.sources.references.files import link_files
from corpus.sources.references.idtext import known, without_ids
from corpus.sources.references.people import turned
from corpus.sources.references.shape import Reference

Tags = Mapping[str, Sequence[str]]
_RIS_LINE = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) {2}-(?: (.*)|\s*)$", re.DOTALL)
_RIS_START = re.compile(r"\s{0,3}TY {0,2}- *(\S.*)?$")
_RIS_END = re.compile(r"\s{0,3}ER {0,2}- *$")
_RIS_LONG: Final = frozenset({"AB", "N1", "N2", "RN"})
_MEDLINE_LINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,3}- ?(.*)$")
_REFER_LINE = re.compile(r"%([0-9A-Z@!#$&(*+>=?~\[\]^])(?:\s+(.*))?$")
_DATE = re.compile(r"(\d{4})(?:[/-](\d{1,2})?)?(?:[/-](\d{1,2})?)?")


class _Same(dict[str, str]):
    """Tags keep their own names."""

    def __missing__(self, tag: str) -> str:
        return tag


_TAGS: Final = _Same({tag: tag for tag in (*TAG_KEY_MAPPING, "BT", "CT", "L3", "PM", "AV")})
_RIS = RisParser(
    mapping=_TAGS,
    list_tags=[tag for tag in _TAGS if tag != "TY"],
    delimiter_tags_mapping={},
    skip_unknown_tags=False,
)


def read_ris(text: str, filename: str) -> Iterator[Reference | Broken]:
    """Yield the entries of an RIS file, from TY to ER; a missing ER ends at the next TY."""
    found = False
    for line, lines in _ris_records(text.split("\n")):
        found = True
        yield _from_ris(line, _ris_tags(lines))
    if not found:
        raise NotThisSource(f"{filename} holds no RIS entry (no line begins with TY).")


def _ris_records(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """(number of the first line, lines with the continuations joined to theirs) of each entry."""
    start, record = 0, list[list[str]]()
    for number, line in enumerate(lines, start=1):
        opening, closing = _RIS_START.match(line), _RIS_END.match(line)
        if (opening or closing) and record:
            yield start, ["\n".join(parts) for parts in record]
            record = []
        if opening:
            start, record = number, [[f"TY  - {(opening.group(1) or '').strip()}"]]
        elif record and (tagged := _RIS_LINE.match(line)):
            record.append([f"{tagged.group(1)}  - {tagged.group(2) or ''}"])
        elif len(record) > 1:
            record[-1].append(line.strip())
    if record:
        yield start, ["\n".join(parts) for parts in record]


def _ris_tags(lines: list[str]) -> dict[str, list[str]]:
    parsed: list[dict[str, Any]] = _RIS.parse_lines(iter([*lines, "ER  - "]))
    tags: dict[str, list[str]] = {}
    for name, values in parsed[0].items():
        items = values if isinstance(values, list) else [values]
        tags[name] = [str(item) for item in items] if not isinstance(values, dict) else []
    return tags


def _from_ris(line: int, tags: Tags) -> Reference:
    first = _first(tags)
    kind = first("TY").upper()
    in_book = kind in ("CHAP", "ECHAP", "CONF", "CPAPER")
    title = first("TI", "T1", "CT") or ("" if in_book else first("BT")) or first("ST")
    places = ("JF", "T2", "JO", "JA", "J2", "T3")
    notes = _notes([*tags.get("N1", ()), *tags.get("RN", ())])
    is_pubmed = re.search(r"pubmed|medline|nlm", first("DB", "DP"), re.IGNORECASE)
    pages = "-".join(filter(None, dict.fromkeys((first("SP"), first("EP")))))
    links = " ".join(value for tag in ("UR", "L2", "L3") for value in tags.get(tag, ()))
    return Reference(
        line=line,
        key=first("ID", "LB"),
        entry_type=kind.lower(),
        title=title,
        authors=_people([*tags.get("AU", ()), *tags.get("A1", ())]),
        journal=first(*places) or (first("BT") if first("BT") != title else ""),
        published=_best_date(first("DA"), first("PY"), first("Y1")),
        abstract=first("AB", "N2"),
        notes=tuple(filter(str.strip, map(without_ids, notes))),
        keywords=_keywords(tags.get("KW", ())),
        files=link_files([*tags.get("L1", ()), *tags.get("L4", ())]),
        language=first("LA"),
        details=_details(
            volume=first("VL"), issue=first("IS"), pages=pages, publisher=first("PB"),
            isbn=first("SN"), url=first("UR"), edition=first("ET"),
            editors="; ".join(_people(tags.get("A2", ()))),
        ),
        **known(
            doi=first("DO"), pmid=first("PM") or (first("AN") if is_pubmed else ""),
            pmcid=first("C2"), links=links, notes="\n".join(notes),
        ),
    )  # fmt: skip


def read_medline(text: str, filename: str) -> Iterator[Reference | Broken]:
    """Yield the entries of a MEDLINE file, as PubMed saves for citation managers."""
    records = list(_records(text, _MEDLINE_LINE, "PMID"))
    if not records:
        raise NotThisSource(f"{filename} holds no MEDLINE entry (no line begins with PMID-).")
    for line, tags in records:
        yield _from_medline(line, tags)


def _from_medline(line: int, tags: Tags) -> Reference:
    first = _first(tags)
    places = [*tags.get("LID", ()), *tags.get("AID", ())]
    doi = next((value for value in places if value.lower().endswith("[doi]")), "")
    kinds = tags.get("PT", ())
    words = [*tags.get("OT", ()), *(term.replace("*", "") for term in tags.get("MH", ()))]
    is_book = bool(first("BTI")) and not first("JT", "TA")
    day = re.match(r"(\d{4}) ([A-Z][a-z]{2})(?: (\d{1,2}))?(?!-)", first("DP"))
    published = iso_date(*(part or "" for part in day.groups())) if day else ""
    return Reference(
        line=line,
        key=first("PMID"),
        entry_type="book" if is_book else (kinds[0].lower() if kinds else "journal article"),
        title=first("TI", "BTI", "TT"),
        authors=_people(tags.get("FAU", ()) or tags.get("AU", ())) + tuple(tags.get("CN", ())),
        journal=first("JT", "TA") or (first("BTI") if first("TI") else ""),
        published=published or loose_date(first("DP")),
        abstract=first("AB"),
        keywords=_keywords(words),
        language=first("LA"),
        details=_details(volume=first("VI"), issue=first("IP"), pages=first("PG")),
        **known(doi=doi.split(" [")[0], pmid=first("PMID"), pmcid=first("PMC")),
    )


def read_refer(text: str, filename: str) -> Iterator[Reference | Broken]:
    """Yield the entries of an EndNote export (.enw)."""
    records = list(_records(text, _REFER_LINE, "0"))
    if not records:
        raise NotThisSource(f"{filename} holds no EndNote entry (no line begins with %0).")
    for line, tags in records:
        yield _from_refer(line, tags)


def _from_refer(line: int, tags: Tags) -> Reference:
    first = _first(tags)
    notes = _notes(tags.get("Z", ()))
    accession = first("M")
    return Reference(
        line=line,
        key=first("F"),
        entry_type=first("0").lower(),
        title=first("T"),
        authors=_people(tags.get("A", ())),
        journal=first("J", "B"),
        published=_best_date(first("8"), first("D")),
        abstract=first("X"),
        notes=tuple(filter(str.strip, map(without_ids, notes))),
        keywords=_keywords([word for item in tags.get("K", ()) for word in item.split("\n")]),
        files=link_files(tags.get(">", ())),
        language=first("G"),
        details=_details(
            volume=first("V"), issue=first("N"), pages=first("P"), publisher=first("I"),
            isbn=first("@"), url=first("U"), editors="; ".join(_people(tags.get("E", ()))),
        ),
        **known(
            doi=first("R"), pmid=accession if len(accession) < 9 else "", pmcid=first("2"),
            links=first("U"), notes="\n".join(notes),
        ),
    )  # fmt: skip


def _records(
    text: str, pattern: re.Pattern[str], opening: str
) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """(number of the first line, values by tag) of each entry that begins with `opening`."""
    glue = "\n" if pattern is _REFER_LINE else " "
    start, record = 0, list[tuple[str, list[str]]]()
    for number, line in enumerate(text.split("\n"), start=1):
        found = pattern.match(line)
        if found and found.group(1) == opening:
            if record:
                yield start, _by_tag(record, glue)
            start, record = number, []
        if found and (record or found.group(1) == opening):
            record.append((found.group(1), [found.group(2) or ""]))
        elif record and line.strip():
            record[-1][1].append(line)
    if record:
        yield start, _by_tag(record, glue)


def _by_tag(record: Iterable[tuple[str, list[str]]], glue: str) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    for tag, parts in record:
        tags.setdefault(tag, []).append(glue.join(part.strip() for part in parts).strip())
    return tags


def _first(tags: Tags) -> Any:
    def first(*names: str) -> str:
        """The first value of the first tag that has one."""
        for name in names:
            for value in tags.get(name, ()):
                if value.strip():
                    return value.strip()
        return ""

    return first


def _notes(values: Iterable[str]) -> list[str]:
    return [value for value in values if value.strip()]


def _people(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for value in values if (name := turned(one_line(value))))


def _keywords(values: Sequence[str]) -> tuple[str, ...]:
    """One a line; a list in a single line is cut at its semicolons."""
    words = [word for value in values for word in value.split("\n")]
    if len(words) == 1:
        words = words[0].split(";")
    return tuple(filter(None, map(one_line, words)))


def _best_date(*values: str) -> str:
    """The most precise of several dates ('2019/03/14/', '2019///', '2019 Mar')."""
    return max((_date(value) for value in values), key=len, default="")


def _date(value: str) -> str:
    if found := _DATE.match(value.strip()):
        exact = iso_date(found.group(1), found.group(2) or "", found.group(3) or "")
        if len(exact) > 4:
            return exact
    return loose_date(value)


def _details(**values: str) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
