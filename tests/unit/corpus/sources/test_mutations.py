"""Twenty damaged files of each source's fixtures; a thousand are in benchmarks/mutations.py."""

from __future__ import annotations

import random

import pytest

from benchmarks.mutations import ROOT, damaged, outcome, shaped
from corpus.sources.registry import SOURCES

DATA = ROOT / "tests" / "data"
NAMES = sorted(
    folder.name
    for folder in DATA.iterdir()
    if folder.name in SOURCES and not SOURCES[folder.name].isolated
)
SEED = 7
FILES = 20


@pytest.mark.parametrize("name", NAMES)
def test_damage_ends_as_records_or_a_reason(name: str) -> None:
    chance = random.Random(f"{SEED}-{name}")
    files = [path for path in sorted((DATA / name).rglob("*")) if path.is_file()]
    ends = set()
    for turn in range(FILES):
        path = chance.choice(files)
        data = path.read_bytes()
        made = shaped(data, path.name, chance) if turn % 2 else damaged(data, chance)
        ends.add(outcome(name, made, path.name))

    assert "body" in ends, "damage that is all refused at the door shows nothing"
