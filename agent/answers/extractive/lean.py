"""Which way the evidence leans where a question asks for yes or no."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Lean = Literal["yes", "no", "maybe"]

_YES_NO: Final = re.compile(
    r"^\s*(?:[\w-]+,\s+)?(?:is|are|was|were|do|does|did|can|could|may|might|will|would|should|"
    r"has|have|had)\b(?!.*\bor\b.*\?)|"
    r":\s*(?:is|are|do|does|did|can|should|has|have)\b.*\?\s*$",
    re.I,
)
_UNSURE: Final = re.compile(
    r"\b(?:unclear|inconclusive|controversial|conflicting|"
    r"further (?:studies|research|investigation)|"
    r"remains? (?:to be|unknown|uncertain)|not (?:yet )?(?:clear|known|established)|insufficient|"
    r"limited evidence|uncertain|mixed results|cannot be (?:determined|excluded)|debated?)\b",
    re.I,
)
_NO: Final = re.compile(
    r"\b(?:not|no|neither|nor|never|without|cannot|unlikely|fail(?:s|ed)?|lack(?:s|ed)?|absence|"
    r"similar|comparable|equivalent|unaffected|unchanged|ineffective|non-?significant|"
    r"insignificant|unnecessary|rarely|disagree)\b",
    re.I,
)
_HEDGED: Final = re.compile(
    r"\b(?:may|might|could|possibl[ey]|perhaps|potential(?:ly)?|appears?|seems?|suggests?|"
    r"some|partly|partially|in certain|only in|depends?|although|however)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Leaning:
    """The lean, and how sure it is in [0, 1]."""

    lean: Lean
    sure: float


def asks_yes_or_no(question: str) -> bool:
    """Whether yes, no or maybe would be an answer."""
    return question.rstrip().endswith("?") and bool(_YES_NO.search(question.strip()))


def lean(question: str, quotes: Sequence[str]) -> Leaning:
    """Which way some quotes lean, the first ones counting most."""
    denied = _share(_NO, quotes)
    unsure = _share(_UNSURE, quotes)
    hedged = _share(_HEDGED, quotes)
    if unsure >= 0.3 or (denied >= 0.3 and hedged >= 0.6 and denied < 0.6):
        return Leaning("maybe", max(unsure, 0.5))
    if denied >= 0.5:
        return Leaning("no", denied)
    return Leaning("yes", 1.0 - denied)


def _share(cue: re.Pattern[str], quotes: Sequence[str]) -> float:
    weights = [1.0 / (place + 1) for place in range(len(quotes))]
    said = sum(w for w, quote in zip(weights, quotes, strict=True) if cue.search(quote))
    return said / sum(weights) if weights else 0.0
