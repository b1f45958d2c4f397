"""A thousand damaged files a format: no crash, no hang. `bin/bench mutations [COUNT] [SEED]`

Takes the small fixtures of the tests, damages them with a printed seed, and reads them in this
process: half by bytes, half by their structure (elements, keys and values moved, lost, of another
kind), so that they stay XML or JSON. Prints how many reached the body of the parser, as a file that
is refused at its first byte shows little.
"""

from __future__ import annotations

import copy
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from lxml import etree

from benchmarks.installation import ROOT, table
from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.registry import SOURCES
from flux_site.kernel.errors import FluxError

SLOW_S = 5.0


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A copy with a few bytes flipped, cut, doubled or moved."""
    made = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at, size = chance.randrange(len(made) or 1), chance.randint(1, 30)
        match chance.randrange(5):
            case 0:
                made[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del made[at : at + size]
            case 2:
                made[at:at] = made[at : at + size]
            case 3:
                piece = made[at : at + size]
                del made[at : at + size]
                to = chance.randrange(len(made) + 1)
                made[to:to] = piece
            case _:
                made[at:at] = chance.choice(
                    [b"\x00", b"\xff\xfe", b"<", b"&x;", b'"', b"\n\n", b"]"]
                )
    return bytes(made)


ODD_VALUES = (None, True, -1, 1e308, "", "\x00", "x" * 9000, [], {}, [[[]]], "<b>&amp;")


def damaged_json(data: bytes, chance: random.Random) -> bytes:
    """JSON, or lines of it, with values lost, doubled or of another kind."""
    if b"\n{" in data.strip():
        lines = data.splitlines()
        at = chance.randrange(len(lines))
        lines[at] = damaged_json(lines[at], chance)
        return b"\n".join(lines)
    value = json.loads(data)
    places = [value]
    for place in places:
        inside = place.values() if isinstance(place, dict) else place
        places += [one for one in inside if isinstance(one, (dict, list)) and one]
    for _ in range(chance.randint(1, 3)):
        place = chance.choice([one for one in places if one] or [{"": 0}])
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = chance.choice(keys)
        if chance.random() < 0.4:
            del place[key]
        else:
            place[key] = chance.choice(ODD_VALUES)
    return json.dumps(value).encode()


def damaged_xml(data: bytes, chance: random.Random) -> bytes:
    """XML with elements lost, doubled, renamed, moved, or with other text."""
    root = etree.fromstring(data)
    for _ in range(chance.randint(1, 4)):
        inner = [one for one in root.iter() if one is not root and isinstance(one.tag, str)]
        if not inner:
            break
        one = chance.choice(inner)
        match chance.randrange(5):
            case 0:
                one.getparent().remove(one)
            case 1:
                one.addnext(copy.deepcopy(one))
            case 2:
                one.tag = chance.choice(inner).tag
            case 3:
                one.text = chance.choice(["", "x" * 5000, "\u202e", "12/34", "<&"])
            case _:
                for key in list(one.attrib)[:1]:
                    one.attrib[key] = chance.choice(["", "-1", "x" * 300])
    return bytes(etree.tostring(root, encoding="utf-8"))


def shaped(data: bytes, name: str, chance: random.Random) -> bytes:
    """Damage that the file's syntax survives; bytes where it has none of ours."""
    try:
        if data.lstrip()[:1] in (b"{", b"["):
            return damaged_json(data, chance)
        if data.lstrip()[:1] == b"<" and not name.endswith((".html", ".htm")):
            return damaged_xml(data, chance)
    except (ValueError, etree.XMLSyntaxError):
        pass
    return damaged(data, chance)


def outcome(source: str, data: bytes, name: str) -> str:
    """How far a file got."""
    try:
        records = list(SOURCES[source].parse(data, name))
    except (ParseError, NotThisSource):
        return "refused"
    for record in records:
        if not isinstance(record, Broken):
            try:
                SOURCES[source].normalize(record)
            except FluxError:
                return "body"
    return "body" if records else "refused"


def main() -> None:
    """One row a source."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261130
    print(f"seed {seed}")
    rows: list[tuple[object, ...]] = []
    for folder in sorted((ROOT / "tests" / "data").iterdir()):
        if folder.name not in SOURCES or folder.name == "pdf":
            continue
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        chance = random.Random(f"{seed}-{folder.name}")
        counts: Counter[str] = Counter()
        slowest = 0.0
        for turn in range(count):
            path: Path = chance.choice(files)
            began = time.monotonic()
            try:
                data = path.read_bytes()
                made = shaped(data, path.name, chance) if turn % 2 else damaged(data, chance)
                counts[outcome(folder.name, made, path.name)] += 1
            except Exception as error:  # what the benchmark looks for
                counts["crash"] += 1
                print(f"CRASH {folder.name} {path.name}: {type(error).__name__}: {error}")
            slowest = max(slowest, time.monotonic() - began)
        rows.append(
            (
                folder.name,
                count,
                f"{counts['body'] / count:.0%}",
                counts["crash"],
                f"{slowest:.2f}" + (" SLOW" if slowest > SLOW_S else ""),
            )
        )
    table(["source", "files", "reached the body", "crashes", "slowest s"], rows)


if __name__ == "__main__":
    main()
