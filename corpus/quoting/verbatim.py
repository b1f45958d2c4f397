"""Whether a quote stands in a passage, and where.

White space, hyphenation at line ends, ligatures, quotation marks, dashes and composed letters are
folded on both sides; case, words and digits are not. A quote must begin and end at a word:
"activates STAT3" is no quote of "inactivates STAT3".
"""

from __future__ import annotations

import unicodedata
from typing import Final

Span = tuple[int, int]

_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    }
)
_DROPPED: Final = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_RAISED: Final = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def locate(passage: str, quote: str) -> Span | None:
    """The span of the first occurrence of `quote` in `passage`, in characters of `passage`; or
    None.
    """
    hay, places = _folded(passage)
    needle, _ = _folded(quote)
    if not needle:
        return None
    start = hay.find(needle)
    while start >= 0:
        end = start + len(needle)
        if _whole(hay, start, end):
            return places[start], _end_of(passage, places, end)
        start = hay.find(needle, start + 1)
    return None


def _end_of(passage: str, places: list[int], end: int) -> int:
    """Where the last folded character ends in the passage, with its combining marks."""
    stop = places[end - 1] + 1
    while stop < len(passage) and unicodedata.combining(passage[stop]):
        stop += 1
    return stop


def _whole(text: str, start: int, end: int) -> bool:
    """Whether neither edge cuts a word or a number in two."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and text[start].isalnum() and before.isalnum():
        return False
    if after and text[end - 1].isalnum() and after.isalnum():
        return False
    cut_before = (
        before in {".", ","} and text[start].isdigit() and text[start - 2 : start - 1].isdigit()
    )
    cut_after = (
        after in {".", ","} and text[end - 1].isdigit() and text[end + 1 : end + 2].isdigit()
    )
    signed = before == "-" and text[start].isdigit() and not text[start - 2 : start - 1].isalnum()
    return not (cut_before or cut_after or signed)


def _folded(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters where it comes from."""
    chars: list[str] = []
    places: list[int] = []
    position, raised = 0, False
    while position < len(text):
        after = position + 1
        while after < len(text) and unicodedata.combining(text[after]):
            after += 1
        plain = _fold_cluster(text[position:after])
        if text[position] in _RAISED and not raised:
            plain = "^" + plain  # 10⁵ is not 105
        raised = text[position] in _RAISED
        chars.extend(plain)
        places.extend([position] * len(plain))
        position = after
    return _tidy(chars, places)


def _fold_cluster(cluster: str) -> str:
    if cluster[0] in _DROPPED:
        return ""
    if cluster[0].isspace():
        return " "
    return unicodedata.normalize("NFKC", cluster.translate(_SAME)).translate(_SAME)


def _tidy(chars: list[str], places: list[int]) -> tuple[str, list[int]]:
    """Join words broken at a hyphen, drop repeated and outer space."""
    kept: list[str] = []
    kept_at: list[int] = []
    index = 0
    while index < len(chars):
        char = chars[index]
        if char == "-" and kept:
            following = _skip_space(chars, index + 1)
            left = kept[-1]
            right = chars[following] if following < len(chars) else ""
            if left.isalpha() and right.isalpha():
                index = following  # a word's own hyphen and a line's are not told apart
                continue
            if left.isalnum() and right.isdigit():
                kept.append(char)
                kept_at.append(places[index])
                index = following
                continue
        if char == " " and (not kept or kept[-1] == " "):
            index += 1
            continue
        kept.append(char)
        kept_at.append(places[index])
        index += 1
    while kept and kept[-1] == " ":
        kept.pop()
        kept_at.pop()
    return "".join(kept), kept_at


def _skip_space(chars: list[str], index: int) -> int:
    while index < len(chars) and chars[index] == " ":
        index += 1
    return index
