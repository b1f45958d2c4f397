"""What a source says is escaped, marked where it is meant, and placed on its page."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from corpus.web.marks import (
    MOST_VALUES,
    boxes,
    marked,
    merged,
    record_fields,
    shared_spans,
)


def test_text_of_a_source_is_escaped_inside_and_outside_the_mark() -> None:
    html = marked("<b>a</b> & <script>x</script>", [(0, 8)])

    assert html == ("<mark>&lt;b&gt;a&lt;/b&gt;</mark> &amp; &lt;script&gt;x&lt;/script&gt;")


@given(
    st.text(max_size=60), st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=5)
)
def test_spans_never_overlap_and_stay_inside(text: str, spans: list[tuple[int, int]]) -> None:
    out = merged(spans, len(text))

    assert all(0 <= start < end <= len(text) for start, end in out)
    assert all(a[1] < b[0] for a, b in pairwise(out))
    covered = {at for start, end in spans for at in range(max(0, start), min(len(text), end))}
    assert covered == {at for start, end in out for at in range(start, end)}


def test_a_line_quoted_in_part_is_cut_in_proportion() -> None:
    lines = [[0, 10, 3, 100.0, 50.0, 200.0, 60.0], [11, 21, 3, 100.0, 62.0, 200.0, 72.0]]

    first, second = boxes(lines, 3, 5, 16)

    assert (first.x, first.width, first.y, first.height) == (150.0, 50.0, 50.0, 10.0)
    assert (second.x, second.width) == (100.0, 50.0)


def test_lines_of_other_pages_are_left_out() -> None:
    lines = [[0, 10, 3, 0.0, 0.0, 10.0, 10.0], [11, 20, 4, 0.0, 0.0, 9.0, 10.0]]

    assert [box.width for box in boxes(lines, 4, 0, 20)] == [9.0]


def test_the_values_that_a_quote_names_are_marked_in_their_field() -> None:
    fields = {"participants": ["IL6", "IL6R", "JAK1"], "compartment": "cytosol", "empty": []}

    shown = record_fields(fields, "It involves IL6R and JAK1 in the cytosol.")

    assert [field.label for field in shown] == ["Participants", "Compartment"]
    assert shown[0].value == "IL6, <mark>IL6R</mark>, <mark>JAK1</mark>"
    assert shown[1].value == "<mark>cytosol</mark>"


def test_a_named_thing_is_marked_by_its_name_and_shown_with_its_id() -> None:
    fields = {"inputs": [{"name": "TP53 Tetramer", "id": "R-HSA-1"}, {"name": "<ATP>", "id": ""}]}

    shown = record_fields(fields, "Inputs: TP53 Tetramer; 4 ATP.")

    assert shown[0].value == (
        '<mark>TP53 Tetramer</mark> <span class="id dim">R-HSA-1</span>, &lt;ATP&gt;'
    )


def test_fields_of_a_record_are_read_in_a_sensible_order() -> None:
    fields = {"go": ["x"], "stId": "R-1", "zebra": "z", "name": "N"}

    assert [field.label for field in record_fields(fields)] == [
        "Name",
        "Stable id",
        "GO terms",
        "Zebra",
    ]


def test_a_name_inside_a_longer_name_is_not_marked() -> None:
    assert shared_spans("IL6, JAK1", "IL6R binds JAK1.") == [(5, 9)]


def test_a_sentence_of_a_field_is_marked_where_it_stands() -> None:
    text = "One thing. IL-6 binds its receptor. Another."

    assert shared_spans(text, "IL-6 binds its receptor.") == [(11, 35)]


def test_long_lists_say_how_long_they_are() -> None:
    fields = {"participants": [f"G{n}" for n in range(MOST_VALUES + 7)]}

    assert str(record_fields(fields)[0].value).endswith("and 7 more")
