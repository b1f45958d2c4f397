"""What is parsed, normalised and written is read again as the same document."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from corpus.services import fingerprint
from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.registry import SOURCES
from corpus.sources.written import form, read, write
from corpus.types import NormalizedDocument

DATA = Path(__file__).parents[3] / "data"
FILES = [
    path
    for path in sorted(DATA.rglob("*"))
    if path.is_file() and path.relative_to(DATA).parts[0] in SOURCES
]

_text = st.text(max_size=12)
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | _text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_text, inner, max_size=2),
    max_leaves=4,
)
st.register_type_strategy(Mapping, st.dictionaries(_text, _json, max_size=2))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))


def documents(source: str, data: bytes, name: str) -> list[NormalizedDocument]:
    """What can be read in a file."""
    payload, plain = open_payload(data, name)
    made = []
    for record in SOURCES[source].parse(payload, plain):
        if not isinstance(record, Broken):
            try:
                made.append(SOURCES[source].normalize(record))
            except ParseError:
                continue
    return made


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(DATA)))
def test_documents_of_every_source_are_read_again_as_they_were(path: Path) -> None:
    made = documents(path.relative_to(DATA).parts[0], path.read_bytes(), path.name)

    assert made
    for document in made:
        again = read(write(document))
        assert repr(again) == repr(document)  # of two NaN, too, which are not equal
        assert fingerprint.of_document(again) == fingerprint.of_document(document)


@pytest.mark.slow
@given(st.from_type(NormalizedDocument))
def test_any_document_is_read_again_as_it_was(document: NormalizedDocument) -> None:
    assert read(write(document)) == document


@pytest.mark.slow
@pytest.mark.shared_data
def test_saved_records_are_read_again_as_they_were(shared_data: Path) -> None:
    seen = 0
    for source, pattern in {
        "pubmed": "pubmed/*/*.xml",
        "jats": "jats/*/*.*ml",
        "kegg": "kegg/*/*",
        "openalex": "openalex/*/*.json",
        "wikipathways": "wikipathways/*/*",
    }.items():
        for path in sorted(shared_data.glob(pattern)):
            try:
                made = documents(source, path.read_bytes(), path.name)
            except (ParseError, NotThisSource):
                continue
            seen += len(made)
            assert [read(write(document)) for document in made] == made, path.name
    assert seen > 200


@pytest.mark.parametrize(
    "given_",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"\xff",
        b"[" * 9000,
        pickle.dumps(NormalizedDocument("note", "text", "1", "T")),
    ],
)
def test_what_is_no_document_is_refused(given_: bytes) -> None:
    with pytest.raises(ParseError):
        read(given_)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", 7),
        ("title", None),
        ("type", "spell"),
        ("blocks", "text"),
        ("blocks", [{"text": "x"}]),
        ("retracted", "no"),
        ("records", True),
        ("metadata", []),
        ("figures", [{"image": "not base64!"}]),
        ("more", 1),
    ],
)
def test_a_value_of_another_kind_is_refused(field: str, value: Any) -> None:
    whole = form(NormalizedDocument("note", "text", "1", "T"))

    with pytest.raises(ParseError):
        read(json.dumps(whole | {field: value}).encode())


def test_the_command_prints_documents_and_what_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"id": "a", "title": "T", "text": "STAT3 binds DNA."}\n{"id": "b"}\n')

    call_command("parse", str(path), "--source", "jsonl", "--json")

    made = json.loads(capsys.readouterr().out)
    (document,) = documents("jsonl", path.read_bytes(), path.name)
    assert [read(json.dumps(one).encode()) for one in made["documents"]] == [document]
    assert [one["name"] for one in made["broken"]] == ["line 2"]
