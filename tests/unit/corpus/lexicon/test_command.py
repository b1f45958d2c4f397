"""bin/flux lexicon, which needs no database."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command


def run(*arguments: str) -> dict:
    out = StringIO()
    call_command("lexicon", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_spans_count_characters_of_the_file(tmp_path: Path):
    text = "Ärzte gaben\r\nxyzumab to mice."
    (tmp_path / "a.txt").write_bytes(text.encode())
    rows = run(str(tmp_path / "a.txt"))["matches"]
    assert [(text[r["start"] : r["end"]], r["id"], r["vocabulary"]) for r in rows] == [
        ("xyzumab", "drug:xyzumab", "suffix"),
        ("mice", "taxon:10090", "taxon"),
    ]


@pytest.mark.parametrize("name", ["absent.txt", "latin.txt"])
def test_what_is_no_text_is_refused_with_a_reason(tmp_path: Path, name: str, capsys):
    (tmp_path / "latin.txt").write_bytes(b"\xe4rzte")
    out = StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("lexicon", str(tmp_path / name), "--json", stdout=out)
    assert stopped.value.code == 2
    assert name in json.loads(out.getvalue())["error"]["message"]


def test_a_folder_may_hold_notes_beside_its_vocabularies(tmp_path: Path):
    (tmp_path / "vocab").mkdir()
    (tmp_path / "vocab" / "made.tsv").write_text("id\tname\nx:1\tzebra fever\n")
    (tmp_path / "vocab" / "LICENSE.txt").write_text("Anyone may use this.\nAs they like.\n")
    (tmp_path / "vocab" / "NOTES.md").write_text("# Notes\n")
    (tmp_path / "a.txt").write_text("A case of zebra fever.")

    rows = run(str(tmp_path / "a.txt"), "--vocab", str(tmp_path / "vocab"))["matches"]

    assert [row["id"] for row in rows] == ["x:1"]


def test_a_file_named_that_is_no_vocabulary_is_refused(tmp_path: Path):
    (tmp_path / "a.txt").write_text("Anyone may use this.\nAs they like.\n")

    with pytest.raises(SystemExit) as stopped:
        run(str(tmp_path / "a.txt"), "--vocab", str(tmp_path / "a.txt"))

    assert stopped.value.code == 1
