"""Long lists are cut where an item ends, and nothing of them is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.listing import ROOM, parts, record_blocks


@given(st.lists(st.text(max_size=40), max_size=60), st.integers(min_value=1, max_value=100))
def test_runs_follow_each_other_and_keep_to_their_room(texts: list[str], room: int) -> None:
    runs = list(parts(texts, room=room))
    assert [text for run in runs for text in texts[run]] == texts
    for run in runs:
        part = texts[run]
        assert part
        assert len(part) == 1 or len("; ".join(part)) <= room


def test_every_block_says_what_it_lists() -> None:
    names = [f"gene number {number}" for number in range(300)]
    blocks = list(record_blocks("Genes of X:", names, str, lambda some: {"items": list(some)}))
    assert len(blocks) > 2
    assert all(block.text.startswith("Genes of X: gene number") for block in blocks)
    assert all(len(block.text) <= ROOM + 1 for block in blocks)
    assert [item for block in blocks for item in block.fields["items"]] == names


def test_items_without_a_name_stay_in_the_fields() -> None:
    (block,) = record_blocks("Nodes:", [1, 2], lambda _: "", lambda some: {"items": list(some)})
    assert block.text == "Nodes: nothing by name."
    assert block.fields == {"items": [1, 2]}
