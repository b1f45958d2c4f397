"""What no commit may carry."""

import pytest

from flux_site.runtime import hygiene

KEY = "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n"  # in two halves: this file is checked too


def complaints(tmp_path, text, name="module.py"):
    path = tmp_path / "file"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(hygiene.complaints(path, name))


@pytest.mark.parametrize("text", ["", "one line\n", "\tindented\n\nlast\n", b"\0binary  \n\n"])
def test_a_clean_file_passes(tmp_path, text):
    assert complaints(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fine\nloose \n", "line 2"),
        ("dos\r\n", "line 1"),
        ("no end", "no newline"),
        ("end\n\n", "empty lines"),
        ("<" * 7 + " HEAD\n", "conflict"),
        (KEY, "private key"),
        (b"\0" + KEY.encode(), "private key"),
    ],
)
def test_each_fault_is_named(tmp_path, text, words):
    assert any(words in complaint for complaint in complaints(tmp_path, text))


def test_a_large_file_is_refused_unless_its_folder_is_for_such(tmp_path):
    large = b"\0" * (hygiene.LARGEST + 1)
    assert complaints(tmp_path, large)
    assert complaints(tmp_path, large, "flux_site/demo/data/pathways.jsonl.gz") == []


def test_files_of_others_keep_their_spaces_but_no_keys(tmp_path):
    assert complaints(tmp_path, "loose \n", "static/vendor/htmx.js") == []
    assert complaints(tmp_path, KEY, "static/vendor/htmx.js") == ["a private key"]


def test_the_exit_code_tells_whether_anything_was_found(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text("fine\n")
    assert hygiene.main([str(path), str(tmp_path / "deleted")]) == 0
    path.write_text("loose \n")
    assert hygiene.main([str(path)]) == 1
    assert "a.txt: spaces at the end of line 1" in capsys.readouterr().out
