"""bin/flux check_claims needs a file and nothing else."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

PASSAGE = "SOCS3 inhibits JAK2 in hepatocytes."


def run(path: Path, *arguments: str) -> Any:
    out = StringIO()
    call_command("check_claims", str(path), "--json", *arguments, stdout=out)
    return json.loads(out.getvalue())


def written(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "claims.jsonl"
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines) + "\n\n")
    return path


def test_a_verdict_for_each_line_in_order(tmp_path):
    path = written(
        tmp_path,
        {"passage": PASSAGE, "claim": "SOCS3 inhibits JAK2."},
        {"passage": PASSAGE, "claim": "SOCS3 activates JAK2."},
        {"passage": PASSAGE, "claim": "SOCS3 inhibits JAK2.", "quote": "SOCS3 inhibits JAK2"},
        {"passage": PASSAGE, "claim": "SOCS3 inhibits JAK2.", "quote": "SOCS3 inhibits JAK1"},
        {"passage": PASSAGE, "claim": "SOCS3 inhibits JAK2.", "quote": None},
    )
    results = run(path)["results"]
    assert [found["supported"] for found in results] == [True, False, True, False, True]
    assert results[0]["reasons"] == []
    assert results[1]["reasons"][0].startswith("direction")


@pytest.mark.parametrize("line", ["no JSON", "[1]", {"claim": "x"}, {"passage": 1, "claim": "x"}])
def test_a_bad_line_is_named_and_exits_with_two(tmp_path, line):
    path = written(tmp_path, {"passage": PASSAGE, "claim": PASSAGE}, line)
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("check_claims", str(path), "--json", stdout=out)
    assert ended.value.code == 2
    assert "ine 2" in json.loads(out.getvalue())["error"]["message"]


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(SystemExit) as ended:
        run(tmp_path / "absent.jsonl")
    assert ended.value.code == 2


def test_people_get_lines(tmp_path):
    out = StringIO()
    path = written(tmp_path, {"passage": PASSAGE, "claim": "SOCS3 inhibits JAK2."})
    call_command("check_claims", str(path), stdout=out)
    assert out.getvalue() == "1. supported\n"
