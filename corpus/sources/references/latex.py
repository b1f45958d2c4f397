"""LaTeX of bibliographies as text: accents, symbols, braces, a little mathematics."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ACCENTS: Final = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_GREEK: Final = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "tau upsilon phi chi psi omega"
)
_LETTERS: Final = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å",
    "AA": "Å", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ",
    "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip
_SIGNS: Final = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textasciigrave": "`",
    "textless": "<", "textgreater": ">", "textbar": "|", "textbraceleft": "{",
    "textbraceright": "}", "textunderscore": "_", "textdollar": "$", "textquotedbl": '"',
    "textquotesingle": "'", "textendash": "–", "textemdash": "—", "textellipsis": "…",
    "dots": "…", "ldots": "…", "textregistered": "®", "texttrademark": "™", "textcopyright": "©",
    "textdegree": "°", "degree": "°", "textmu": "µ", "textperiodcentered": "·", "cdot": "·",
    "textbullet": "•", "bullet": "•", "pm": "±", "textpm": "±", "times": "×", "texttimes": "×",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "neq": "≠", "approx": "≈", "sim": "~",
    "rightarrow": "→", "to": "→", "leftarrow": "←", "infty": "∞", "prime": "′", "partial": "∂",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "circ": "°",
    "textquotedblright": "”", "euro": "€", "texteuro": "€", "pounds": "£", "S": "§", "P": "¶",
    "varepsilon": "ε", "vartheta": "ϑ", "varphi": "φ", "par": "\n\n", "newline": "\n",
    "LaTeX": "LaTeX", "TeX": "TeX", "slash": "/", "textsection": "§",
}  # fmt: skip
_SYMBOLS: Final = {
    **_LETTERS,
    **_SIGNS,
    **{
        name: unicodedata.lookup(f"GREEK SMALL LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
        for name in _GREEK.split()
    },
    **{
        name.capitalize(): unicodedata.lookup(
            f"GREEK CAPITAL LETTER {name.upper().replace('LAMBDA', 'LAMDA')}"
        )
        for name in _GREEK.split()
    },
}
_RAISED: Final = {
    "textsuperscript": "^", "textsubscript": "_", "sp": "^", "sb": "_",
}  # fmt: skip
_GAPS: Final = {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "\\": " ", "~": " "}
_NAME = re.compile(r"[A-Za-z]+\*?")
_SPACES = re.compile(r"[ \t]*\n?[ \t]*")
_NUMBER = re.compile(r"\{?\s*[-+\u2212\u2013]?\d")
_MAX_MATH: Final = 160
_MAX_ARGUMENT: Final = 2000


def latex_text(source: str) -> str:
    """Return the text that a piece of LaTeX prints.

    Commands that only shape letters lose their name and keep their content; unknown ones too. A
    percent sign is a percent sign, as databases export it, not a comment. An exponent after a digit
    keeps a caret, so that no number changes its value.
    """
    return unicodedata.normalize("NFC", _Reader(source).read())


class _Reader:
    """One pass from left to right, without recursion: braces may nest as deep as they like."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0
        self.math_end = -1  # where the formula now open closes
        self.out: list[str] = []

    def read(self) -> str:
        while self.place < len(self.source):
            char = self.source[self.place]
            if char == "\\":
                self._command()
            elif char in "{}":
                self.place += 1
            elif char == "$":
                self._dollar()
            elif char in "^_" and self.place < self.math_end:
                self.place += 1
                self._raise(char)
            else:
                self._plain(char)
        return "".join(self.out)

    def _plain(self, char: str) -> None:
        for written, meant in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " ")):
            if char == written[0] and self.source.startswith(written, self.place):
                self.out.append(meant)
                self.place += len(written)
                return
        self.out.append(char)
        self.place += 1

    def _command(self) -> None:
        name = _NAME.match(self.source, self.place + 1)
        if name is None:
            self._sign(self.source[self.place + 1 : self.place + 2])
            return
        self.place = name.end()
        word = name.group().rstrip("*")
        if word in _ACCENTS:
            self._accent(_ACCENTS[word])
        elif word in _SYMBOLS:
            self.out.append(_SYMBOLS[word])
            self._after_symbol(word)
        elif word in _RAISED:
            self._raise(_RAISED[word])
        elif word == "href":
            self._skip_argument()
        else:
            self.place = self._past_spaces()

    def _sign(self, sign: str) -> None:
        """A backslash and one sign."""
        self.place += 1 + len(sign)
        if sign in _ACCENTS:
            self._accent(_ACCENTS[sign])
        elif sign in _GAPS:
            self.out.append(_GAPS[sign])
        elif sign not in ("-", "/", "!", "(", ")", "[", "]"):
            self.out.append(sign)

    def _after_symbol(self, word: str) -> None:
        """`{}` ends a name; the space behind a letter only ends it too ('S\\o ren')."""
        if self.source.startswith("{}", self.place):
            self.place += 2
        elif word in _LETTERS:
            self.place = self._past_spaces()

    def _accent(self, mark: str) -> None:
        self.place = self._past_spaces()
        while self.source.startswith("{", self.place):
            self.place += 1
        for dotless in ("\\i", "\\j"):
            after = self.source[self.place + 2 : self.place + 3]
            if self.source.startswith(dotless, self.place) and not after.isalpha():
                self.out.append(dotless[1] + mark)
                self.place += 2
                return
        letter = self.source[self.place : self.place + 1]
        if letter.isalpha():
            self.out.append(letter + mark)
            self.place += 1

    def _raise(self, mark: str) -> None:
        """A super- or subscript joins its word; after a digit a number keeps its mark."""
        self.place = self._past_spaces()
        before = next((part for part in reversed(self.out) if part), "")
        if before[-1:].isdigit() and _NUMBER.match(self.source, self.place):
            self.out.append(mark)

    def _dollar(self) -> None:
        """Opens or closes a formula; a price stays a price."""
        self.place += 1
        if self.place - 1 == self.math_end:
            self.math_end = -1
            return
        end = self.source.find("$", self.place, self.place + _MAX_MATH)
        inside = self.source[self.place : end] if end > self.place else ""
        is_math = any(mark in inside for mark in "\\^_{") or (
            bool(inside) and not inside[0].isdigit() and " " not in inside
        )
        if is_math:
            self.math_end = end
        else:
            self.out.append("$")

    def _past_spaces(self) -> int:
        found = _SPACES.match(self.source, self.place)
        return found.end() if found else self.place

    def _skip_argument(self) -> None:
        """Go past one argument in braces."""
        self.place = self._past_spaces()
        if not self.source.startswith("{", self.place):
            return
        depth = 0
        for place in range(self.place, min(self.place + _MAX_ARGUMENT, len(self.source))):
            depth += {"{": 1, "}": -1}.get(self.source[place], 0)
            if not depth:
                self.place = place + 1
                return
