"""Directions (increases, inhibits), opposites (before, after), negations and their reach."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from agent.answers.words import STOP, fold, stem

_UP: Final = """
    restore restores restored restoring rescue rescues rescued cause causes caused causing
    increase increased increases increasing increment elevate elevated elevates elevation
    raise raised raises raising rise rises rose risen enhance enhanced enhances enhancing
    enhancement upregulate upregulated upregulates upregulation up-regulate up-regulated
    up-regulates up-regulation induce induced induces inducing induction activate activated
    activates activating activation activator stimulate stimulated stimulates stimulating
    stimulation promote promoted promotes promoting promotion augment augmented augments
    augmentation potentiate potentiated potentiates amplify amplified amplifies accelerate
    accelerated accelerates higher greater gain boost boosted boosts overexpression
    overexpressed overexpress agonist agonists hyperactivation grew grow growth-promoting
    trigger triggered triggers drives upregulating strengthen strengthens strengthened prolong
    prolonged prolongs lengthen lengthened expand expanded expansion larger facilitate
    facilitates facilitated favors favours improve improved improves improvement
"""
_DOWN: Final = """
    decrease decreased decreases decreasing reduce reduced reduces reducing reduction lower
    lowered lowers lowering diminish diminished diminishes attenuate attenuated attenuates
    attenuation suppress suppressed suppresses suppressing suppression suppressor inhibit
    inhibited inhibits inhibiting inhibition inhibitor inhibitory block blocked blocks
    blocking blockade downregulate downregulated downregulates downregulation down-regulate
    down-regulated down-regulates down-regulation repress represses repressed repression
    repressor impair impaired impairs impairment abolish abolished abolishes abrogate
    abrogated abrogates prevent prevented prevents preventing prevention antagonist
    antagonists antagonize antagonizes antagonise lesser fewer decline declined declines drop
    dropped drops fall falls fell loss silence silenced silencing knockdown inactivate
    inactivated inactivates inactivation deplete depleted depletes depletion slow slowed slows
    weaken weakened weakens shorten shortened shortens curb curbed dampen dampened dampens
    quench ablate ablated restrict restricts restrain restrains limit limits limited smaller
    terminate terminates worsen worsened worsens worsening deteriorate deteriorated
    deterioration
"""
_OPPOSITES: Final = (
    ("before", "after"), ("resistant", "sensitive"), ("resistance", "sensitivity"),
    ("benign", "malignant"), ("positive", "negative"), ("positively", "negatively"),
    ("high", "low"), ("upstream", "downstream"), ("acute", "chronic"), ("early", "late"),
    ("better", "worse"), ("superior", "inferior"), ("longer", "shorter"), ("safe", "unsafe"),
    ("dominant", "recessive"), ("effective", "ineffective"), ("survival", "mortality"),
    ("protective", "harmful"), ("necessary", "unnecessary"), ("sufficient", "insufficient"),
    ("stable", "unstable"), ("active", "inactive"), ("male", "female"), ("men", "women"),
    ("maternal", "paternal"), ("proximal", "distal"), ("anterior", "posterior"),
    ("intracellular", "extracellular"), ("agonist", "antagonist"), ("systolic", "diastolic"),
    ("hypertension", "hypotension"), ("hyperglycemia", "hypoglycemia"), ("left", "right"),
    ("present", "absent"), ("presence", "absence"), ("homozygous", "heterozygous"),
    ("pro-inflammatory", "anti-inflammatory"), ("proinflammatory", "antiinflammatory"),
    ("phosphorylation", "dephosphorylation"), ("phosphorylates", "dephosphorylates"),
    ("methylation", "demethylation"), ("gain", "loss"), ("underestimate", "overestimate"),
    ("majority", "minority"), ("first", "last"), ("deacetylation", "acetylation"),
    ("oncogene", "suppressor"), ("adults", "children"), ("mice", "rats"), ("human", "mouse"),
    ("humans", "mice"), ("in vitro", "in vivo"), ("faster", "slower"), ("stronger", "weaker"),
)  # fmt: skip
_CUES: Final = re.compile(
    r"\b(?:not(?! only)|no(?!\.)|never|neither|nor|without|cannot|lacks?|lacked|lacking|absence|"
    r"absent|fail(?:s|ed|ure)? to|unable|unlikely|hardly|non-?significant(?:ly)?|"
    r"insignificant(?:ly)?|"
    r"no longer|none|devoid|free of|ineffective|unaffected|unchanged|unaltered|"
    r"independent(?:ly)? of|excluded?|ruled out|rather than|instead of|except|did?n[o’']?t|"
    r"does?n['’]t|is?n['’]t|are?n['’]t|was?n['’]t|were?n['’]t|can['’]t)\b",
    re.I,
)
_SHORT_REACH: Final = re.compile(
    r"without|rather than|instead of|except|free of|absence|devoid|nor", re.I
)
_SELF: Final = re.compile(
    r"unaffected|unchanged|unaltered|insignificant|nonsignificant|ineffective", re.I
)
_CLAUSE_END: Final = re.compile(
    r"[;:(]|,?\s+(?:but|however|whereas|although|though|yet|except|because|while)\b|,\s+(?:and|which|with)\b"
)
_UP_STEMS: Final = frozenset(stem(fold(word)) for word in _UP.split())
_DOWN_STEMS: Final = frozenset(stem(fold(word)) for word in _DOWN.split())
_EXACT_ONLY: Final = {
    "lower": -1,
    "lowers": -1,
    "lowered": -1,
    "higher": 1,
    "greater": 1,
    "fewer": -1,
}
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PAIRS: Final[dict[str, frozenset[str]]] = {}
for _a, _b in _OPPOSITES:
    _PAIRS[_a] = _PAIRS.get(_a, frozenset()) | {_b}
    _PAIRS[_b] = _PAIRS.get(_b, frozenset()) | {_a}
LONG_REACH, SHORT_REACH = 9, 4  # words


@dataclass(frozen=True, slots=True)
class Direction:
    """A word that says up (+1) or down (-1), and where it stands."""

    word: str
    sign: int
    start: int
    end: int


def directions(text: str) -> list[Direction]:
    """The words of direction of a text, in order."""
    found = []
    for match in _WORD.finditer(text):
        sign = sign_of(match.group())
        if sign:
            found.append(Direction(match.group(), sign, match.start(), match.end()))
    return found


def sign_of(word: str) -> int:
    """+1 for a word of increase or activation, -1 for the reverse, 0 for any other."""
    low = fold(word)
    if low in _EXACT_ONLY:
        return _EXACT_ONLY[low]
    if "-" in low and not low.startswith(("up-", "down-", "growth-")):
        low = low.rsplit("-", 1)[1]  # LPS-induced
    root = stem(low.replace("-", ""))
    if root in _DOWN_STEMS:
        return -1
    return 1 if root in _UP_STEMS else 0


def opposites(text: str) -> dict[str, frozenset[str]]:
    """Words of the text that have an opposite, and the opposites."""
    low = [word.lower() for word in _WORD.findall(text)]
    return {word: _PAIRS[word] for word in low if word in _PAIRS}


@dataclass(frozen=True, slots=True)
class Negation:
    """Where a cue stands (`at`), and the span that it reaches."""

    at: int
    start: int
    end: int


def negations(text: str) -> list[Negation]:
    """The negations of a text: each reaches some words after its cue, to the end of its clause."""
    found = []
    for cue in _CUES.finditer(text):
        if cue.group() == "NO":  # nitric oxide
            continue
        reach = SHORT_REACH if _SHORT_REACH.fullmatch(cue.group()) else LONG_REACH
        start, end = cue.start(), _reach(text, cue.end(), reach)
        if _SELF.match(cue.group()):
            start, end = _back(text, start), cue.end()
        found.append(Negation(cue.start(), start, end))
    return found


def negated(text: str) -> list[tuple[int, int]]:
    """The spans that negations of the text reach."""
    return [(one.start, one.end) for one in negations(text)]


def _reach(text: str, start: int, count: int) -> int:
    stop = _CLAUSE_END.search(text, start)
    limit = stop.start() if stop else len(text)
    words = [m for m in _WORD.finditer(text, start, limit) if fold(m.group()) not in STOP]
    return words[count - 1].end() if len(words) >= count else limit


def _back(text: str, start: int) -> int:
    """ "X was unchanged" negates what stands before the word, in its clause."""
    ends = [m.end() for m in _CLAUSE_END.finditer(text, 0, start)]
    return ends[-1] if ends else 0
