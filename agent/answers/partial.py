"""The answer's text out of a JSON object that is still being written."""

from __future__ import annotations

import json
import re
from typing import Final

_KEY: Final = re.compile(r'"answer"\s*:\s*"')
_ESCAPE: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class AnswerText:
    """Feed it the model's text as it comes; it gives the new part of the "answer" value."""

    def __init__(self) -> None:
        self._raw = ""
        self._at: int | None = None  # where the unread part of the value begins
        self._ended = False

    def feed(self, text: str) -> str:
        """The letters of the answer that have become known."""
        self._raw += text
        if self._ended:
            return ""
        if self._at is None:
            found = _KEY.search(self._raw)
            if found is None:
                return ""
            self._at = found.end()
        return self._read()

    def _read(self) -> str:
        out = []
        position = self._at or 0
        while position < len(self._raw):
            char = self._raw[position]
            if char == '"':
                self._ended = True
                break
            if char != "\\":
                out.append(char)
                position += 1
                continue
            length = self._escape_length(position)
            if length is None:
                break  # the rest of it has not come yet
            out.append(_unescaped(self._raw[position : position + length]))
            position += length
        self._at = position
        return "".join(out)

    def _escape_length(self, position: int) -> int | None:
        following = self._raw[position + 1 : position + 2]
        length = 6 if following == "u" else 2
        if not following or position + length > len(self._raw):
            return None
        if following == "u" and self._raw[position + 2 : position + 4].lower() in {
            "d8",
            "d9",
            "da",
            "db",
        }:
            length = 12  # half of a pair: wait for the other half
            return length if position + length <= len(self._raw) else None
        return length


def _unescaped(escape: str) -> str:
    if escape[1] in _ESCAPE:
        return _ESCAPE[escape[1]]
    if escape[1] == "u":
        try:
            return str(json.loads(f'"{escape}"'))
        except json.JSONDecodeError:
            return "\ufffd"
    return escape[1]
