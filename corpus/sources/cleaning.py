"""One cleaning for every text that is stored, whatever source it comes from."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Line ends of every system, form feeds and the two Unicode separators.
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Spaces of other widths: NBSP, en/em/thin/hair/figure spaces, narrow NBSP, ideographic space.
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# What no reader sees: controls, soft hyphens, zero-width marks, bidirectional overrides, annotation
# and tag characters (the last three can hide orders to a language model), lone surrogates,
# noncharacters. The joiners U+200C and U+200D stay: Persian and Indic words need them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)
# Private code points mean whatever a font says; an open mark is more honest than a silent gap in a
# number.
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]")
_REPLACEMENT = "\ufffd"
_EDGE_TAGS = re.compile(r"</?[a-z]++[^<>]*+>", re.IGNORECASE)
# Letters that NFKD leaves alone.
_PLAIN: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def clean_text(text: str) -> str:
    """Return text in NFC without NUL, controls and hidden marks; line ends become newlines.

    Spaces of every width become plain ones, tabs and newlines stay. Cleaning twice changes nothing.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _SPACES.sub(" ", text)
    text = _UNSEEN.sub("", text)
    text = _PRIVATE.sub(_REPLACEMENT, text)
    return unicodedata.normalize("NFC", text)


def one_line(text: str) -> str:
    """Clean a text and fold every run of white space into one space."""
    return " ".join(clean_text(text).split())


def paragraphs(text: str) -> list[str]:
    """Clean a text and cut it at blank lines; inside a paragraph white space is folded."""
    parts = re.split(r"\n[ \t]*\n\s*", clean_text(text))
    return [folded for part in parts if (folded := " ".join(part.split()))]


def fold(text: str) -> str:
    """Words in lower case without accents, punctuation and markup, Greek letters kept: the form of
    which ids of entries without ids are made, so it never changes.
    """
    plain = _EDGE_TAGS.sub("", text).casefold().translate(_PLAIN)
    plain = unicodedata.normalize("NFKD", plain)
    kept = (char if char.isalnum() else " " for char in plain if not unicodedata.combining(char))
    return " ".join("".join(kept).split())
