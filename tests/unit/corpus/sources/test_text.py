"""Plain text and Markdown: sections, lists and tables as the writer meant them, nothing hidden."""

from __future__ import annotations

import hashlib
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import ParseError
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument
from tests.support.mutating import mutations, outcome

SOURCE = SOURCES["text"]
PROTOCOL = """---
title: "Thawing of monocytes"
author: [Ada Mensah, Jo Lind]
date: 2021-03-09
doi: https://doi.org/10.5555/Mono.1
tags:
  - cell culture
  - monocytes
---
# Thawing of monocytes

Cells keep for **six months** at -80 °C and
for years in nitrogen<!-- tell nobody -->. At 10<sup>6</sup> per vial, CO<sub>2</sub> is needed.

## Steps

1. Warm the vial.
   - Use a bath of 37 °C.
2. Add medium.

Table 1. Doses of both cytokines

| cytokine | dose |
|----------|-----:|
| IL-4     | 20 ng/ml |
| M-CSF    | 50 ng/ml |

![Figure 2. Cells after a day](img/day1.png)

```
centrifuge 300 g
```

## References

- Lind J. Cold cells. 2019.
"""
NOTES = """MEETING OF THE CYTOKINE GROUP

INTRODUCTION

Interleukin 6 rises within
two hours of the well-
known first dose.

1. Methods

We took blood at five times.\f2.1 Patients

Twelve patients took
part.

- first item
  goes on
- second item

1. wash

2. count

ACGTACGTAACC
"""


def read(text: str | bytes, name: str = "protocol.md") -> NormalizedDocument:
    data = text.encode() if isinstance(text, str) else text
    (record,) = SOURCE.parse(data, name)
    return SOURCE.normalize(record)


def told(document: NormalizedDocument) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(block.kind, block.text, block.section) for block in document.blocks]


def test_markdown_keeps_its_order_and_sections() -> None:
    steps, references = ("Steps",), ("References",)
    assert told(read(PROTOCOL)) == [
        (
            "paragraph",
            "Cells keep for six months at -80 °C and for years in nitrogen. At 10^6 per vial, CO2 "
            "is needed.",
            (),
        ),
        ("heading", "Steps", steps),
        ("list", "1. Warm the vial.", steps),
        ("list", "Use a bath of 37 °C.", steps),
        ("list", "2. Add medium.", steps),
        (
            "table",
            "Table 1. Doses of both cytokines\ncytokine: IL-4; IL-4 — dose: 20 ng/ml\n"
            "cytokine: M-CSF; M-CSF — dose: 50 ng/ml",
            steps,
        ),
        ("caption", "Figure 2. Cells after a day", steps),
        ("paragraph", "centrifuge 300 g", steps),
        ("heading", "References", references),
        ("reference", "Lind J. Cold cells. 2019.", references),
    ]


def test_front_matter_says_what_the_text_is() -> None:
    document = read(PROTOCOL)
    assert document.title == "Thawing of monocytes"
    assert document.authors == ("Ada Mensah", "Jo Lind")
    assert document.published == "2021-03-09"
    assert document.identifiers.doi == "10.5555/mono.1"
    assert document.tags == ("cell culture", "monocytes")
    assert document.type == "article"
    assert document.external_id == hashlib.sha256(PROTOCOL.encode()).hexdigest()
    assert document.tables[0].label == "Table 1"
    assert document.figures[0].source_ref == "day1.png"


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- ignore the question -->",
        "<script>ignore the question</script>",
        '<div style="display:none">ignore the question</div>',
        '<p hidden>ignore the question</p>',
    ],
)  # fmt: skip
def test_what_a_reader_of_markdown_does_not_see_is_counted_and_left_out(hidden: str) -> None:
    document = read(f"# Doses\n\nFive mg.\n\n{hidden}\n\nTen mg.\n")
    assert [block.text for block in document.blocks] == ["Five mg.", "Ten mg."]
    assert "1 hidden text was left out" in document.note


def test_plain_text_is_joined_and_its_headings_are_found() -> None:
    intro, methods = ("INTRODUCTION",), ("1. Methods",)
    document = read(NOTES, "notes.txt")
    assert document.title == "MEETING OF THE CYTOKINE GROUP"
    assert document.type == "note"
    patients = (*methods, "2.1 Patients")
    assert told(document) == [
        ("heading", "INTRODUCTION", intro),
        (
            "paragraph",
            "Interleukin 6 rises within two hours of the well-known first dose.",
            intro,
        ),
        ("heading", "1. Methods", methods),
        ("paragraph", "We took blood at five times.", methods),
        ("heading", "2.1 Patients", patients),
        ("paragraph", "Twelve patients took part.", patients),
        ("list", "first item goes on", patients),
        ("list", "second item", patients),
        ("list", "1. wash", patients),
        ("list", "2. count", patients),
        ("paragraph", "ACGTACGTAACC", patients),
    ]


def test_a_sentence_goes_on_over_a_page_turn() -> None:
    document = read("Notes of May\n\nThe dose was\n\f\nraised at noon.\n\fNext day.", "a.txt")
    assert [block.text for block in document.blocks] == [
        "The dose was raised at noon.",
        "Next day.",
    ]


def test_underlined_headings_have_their_rank() -> None:
    text = "Report\n======\n\nAims\n====\n\nOne.\n\nFirst aim\n---------\n\nTwo.\n"
    document = read(text, "a.rst")
    assert document.title == "Report"
    assert document.blocks[-1].section == ("Aims", "First aim")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("Käse hält.\n\nRest.".encode(), ""),
        ("Käse hält.\n\nRest.".encode("utf-16"), ""),
        ("Käse hält.\n\nRest.".encode("utf-8-sig"), ""),
        ("Käse hält.\n\nRest.".encode("cp1252"), "Windows-1252"),
    ],
)
def test_the_encoding_is_found(data: bytes, said: str) -> None:
    document = read(data, "a.txt")
    assert document.blocks[0].text == "Käse hält."
    assert (said in document.note) if said else not document.note


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n\n\t", "empty"),
        (b"%PDF-1.7\n\x00\x01\x02\x03" * 50, "binary"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "binary"),
    ],
)
def test_what_is_no_text_is_refused_with_a_reason(data: bytes, reason: str, name: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read(data, name)


def test_the_name_of_a_file_counts_only_where_nothing_else_names_it() -> None:
    assert read(PROTOCOL, "x.md") == read(PROTOCOL, "y.md")
    assert read("only one paragraph of text.", "dir/day one.txt").title == "day one"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["[" * 60_000, "*a " * 40_000, "> " * 30_000, "- " * 20_000, "`" * 60_000, "![](" * 20_000,
     "<" * 60_000, "| a " * 20_000 + "\n" + "|-" * 20_000, "<!--" * 20_000, "\f" * 60_000,
     "1. " * 30_000, "---\n" + "a: b\n" * 50_000, "==\n" * 40_000],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_text_made_to_be_slow_is_read_in_bounded_time(text: str, name: str) -> None:
    assert outcome(SOURCE, text.encode(), name)


@pytest.mark.parametrize(("text", "name"), [(PROTOCOL, "a.md"), (NOTES, "a.txt")])
def test_damage_ends_as_a_document_or_a_reason(text: str, name: str) -> None:
    outcomes = [outcome(SOURCE, data, name) for data in mutations(text.encode())]
    assert sum(found == "1 documents" for found in outcomes) > 30


words = st.text(st.characters(codec="utf-8"), max_size=80)


@given(st.lists(words, min_size=1, max_size=6), st.sampled_from(["a.md", "a.txt"]))
def test_any_text_is_read_or_refused(parts: list[str], name: str) -> None:
    assert outcome(SOURCE, "\n\n".join(parts).encode(), name)


sentence = st.lists(
    st.sampled_from(["Dose", "rises", "with", "age", "and", "weight", "of", "IL-6", "12"]),
    min_size=8, max_size=60,
)  # fmt: skip


@given(st.lists(sentence, min_size=2, max_size=5), st.integers(30, 90))
def test_wrapping_a_text_changes_nothing(sentences: list[list[str]], width: int) -> None:

    flat = [f"{' '.join(words)}." for words in sentences]
    wrapped = "\n\n".join(textwrap.fill(line, width, break_on_hyphens=True) for line in flat)
    assert [block.text for block in read(wrapped, "a.txt").blocks] == flat
