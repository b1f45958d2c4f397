"""Packed files are opened, damaged and boundless ones are refused."""

from __future__ import annotations

import gzip

import pytest

from corpus.sources.base import ParseError
from corpus.sources.files import open_payload


def test_gzip_is_told_by_its_bytes() -> None:
    assert open_payload(gzip.compress(b"text"), "a.xml.gz") == (b"text", "a.xml")
    assert open_payload(gzip.compress(b"text"), "a.xml") == (b"text", "a.xml")
    assert open_payload(b"plain", "a.xml.GZ") == (b"plain", "a.xml")


def test_all_members_are_read() -> None:
    assert open_payload(gzip.compress(b"one ") + gzip.compress(b"two"), "a.gz")[0] == b"one two"


def test_an_empty_file_passes() -> None:
    assert open_payload(b"", "a.pdf") == (b"", "a.pdf")


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(ParseError, match="more than 1 MB"):
        open_payload(gzip.compress(b"\0" * 5_000_000), "a.gz", max_bytes=1 << 20)


@pytest.mark.parametrize("cut", [12, 30, -5])
def test_a_file_cut_off_is_named(cut: int) -> None:
    packed = gzip.compress(bytes(range(256)) * 40)
    with pytest.raises(ParseError, match="cut off"):
        open_payload(packed[:cut], "a.gz")


def test_damage_is_named() -> None:
    packed = bytearray(gzip.compress(bytes(range(256)) * 40))
    packed[-6] ^= 0xFF  # in the checksum
    with pytest.raises(ParseError, match="damaged"):
        open_payload(bytes(packed), "a.gz")
