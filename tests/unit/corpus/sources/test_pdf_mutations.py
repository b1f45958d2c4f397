"""Twenty damaged PDFs; a thousand are in benchmarks/pdf_mutations.py."""

from __future__ import annotations

import random

import pytest

from benchmarks.pdf_mutations import bases, mutated, outcome

FILES = 20


@pytest.mark.slow
def test_damage_ends_as_a_whole_document_or_a_reason() -> None:
    chance = random.Random(7)
    files = bases()
    ends = {outcome(mutated(chance.choice(files), chance)) for _ in range(FILES)}
    assert ends == {"read", "refused"}
