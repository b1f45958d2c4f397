"""Which way the evidence leans where a question asks for yes or no."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from agent.answers.extractive.lean_weights import WEIGHTS
from agent.answers.grounding.polarity import negated
from agent.answers.words import content_stems, coverage, question_stems
from corpus.chunking.sentences import sentences

Lean = Literal["yes", "no", "maybe"]
LEANS: Final[tuple[Lean, ...]] = ("yes", "no", "maybe")

_YES_NO: Final = re.compile(
    r"^\s*(?:[\w-]+,\s+)?(?:is|are|was|were|do|does|did|can|could|may|might|will|would|should|"
    r"has|have|had)\b(?!.*\bor\b.*\?)|"
    r":\s*(?:is|are|do|does|did|can|should|has|have)\b.*\?\s*$",
    re.I,
)
_CONCLUDES: Final = re.compile(r"^conclusions?\b|\b(?:we|to|in) conclu|\bin summary\b", re.I)
_LAST: Final = 3  # sentences with which an abstract ends


def _compiled(table: str) -> dict[str, re.Pattern[str]]:
    """Lines of `name = pattern`."""
    rows = (line.split(" = ", 1) for line in table.strip().split("\n"))
    return {name.strip(): re.compile(rf"\b(?:{pattern.strip()})", re.I) for name, pattern in rows}


# What a concluding sentence may say; each is one feature.
CUES: Final = _compiled(r"""
not = not\b|cannot\b
no = no\b(?! longer)
without = without\b
neither = (?:neither|nor|none|never)\b
no_effect = (?:no|not|without)\b(?:\W+\w+){0,4}\W+(?:significant|differen|associat|effect|correlat|relat|influence|impact|benefit|advantage|evidence|improv|increas|affect|predict)
similar = (?:similar|comparable|equivalent|same|equally|unchanged|unaffected)\b
fails = fail(?:s|ed|ure)?\b|lack(?:s|ed)?\b|unable\b|insufficient\b|ineffective\b|unlikely\b|unnecessary\b|little\b|poor(?:ly)?\b|rare(?:ly)?\b|questionable\b
advised_against = not (?:be )?(?:recommended|necessary|justified|required|useful|appropriate|needed|warranted)|do(?:es)? not (?:appear|seem|support)
unsure = (?:unclear|inconclusive|controversial|conflicting|uncertain|debat\w+|unknown|mixed|equivocal)\b
further = (?:further|additional|more|larger|future|prospective) (?:\w+ )?(?:stud(?:y|ies)|research|investigations?|trials?|evaluation|data)\b|remains? to\b
may = (?:may|might|could|possibl[ey]|perhaps|potential(?:ly)?)\b
can = can\b
should = should\b
however = (?:however|although|though|but|while|whereas|despite|nevertheless)\b
some = (?:some|certain|selected|partial(?:ly)?|subset|only|depend\w*|subgroup|specific)\b
suggests = (?:suggest|indicat|appear|seem)\w*
shows = (?:show|demonstrat|confirm|reveal)\w*|found\b
associated = (?:associat|correlat|relat|link|predict)\w*|risk factor|independent
effective = (?:effective|useful|feasible|safe|valuable|reliable|benefi\w+|accurate|valid|successful\w*|important|adequate)\b
more = (?:increas\w*|higher|greater|improv\w*|better|more)\b
less = (?:decreas\w*|lower|reduc\w*|less|wors\w*|fewer)\b
significant = significant\w*
recommends = recommend\w*|support\w*|warranted
""")  # noqa: E501
ASKS: Final = _compiled(r"""
asks_difference = differ\w*|same\b|equal|compar
asks_need = need|necessary|should|justified|require|routine
asks_link = predict|risk|associat|relat|correlat|influence|affect|impact|effect
asks_doubt = still\b|really\b|enough\b|too\b|myth\b|or\b
asks_use = can\b|useful|feasible|reliab|safe|effective
asks_denial = not\b|no\b|without\b
""")


@dataclass(frozen=True, slots=True)
class Leaning:
    """The lean, and its probability."""

    lean: Lean
    sure: float


def asks_yes_or_no(question: str) -> bool:
    """Whether yes, no or maybe would be an answer."""
    return question.rstrip().endswith("?") and bool(_YES_NO.search(question.strip()))


def lean(question: str, texts: Sequence[str]) -> Leaning:
    """Which way some texts lean, read from their concluding sentence nearest to the question.

    The weights of the cues are a multinomial
    logistic regression fitted on the 500 questions of PubMedQA outside its test set
    (benchmarks/fit_lean.py).
    """
    values = features(question, concluding(texts))
    if values["unsure"]:  # it says so itself
        return Leaning("maybe", 0.5)
    totals = [
        WEIGHTS["bias"][place] + sum(values[name] * WEIGHTS[name][place] for name in values)
        for place in range(len(LEANS))
    ]
    top = max(totals)
    shares = [math.exp(total - top) for total in totals]
    best = max(range(len(LEANS)), key=lambda place: shares[place])
    return Leaning(LEANS[best], shares[best] / sum(shares))


def concluding(texts: Sequence[str]) -> list[str]:
    """The sentences in which the texts conclude: from the word itself on, else the last ones."""
    found: list[str] = []
    for text in texts:
        all_of_it = sentences(text)
        starts = [at for at, one in enumerate(all_of_it) if _CONCLUDES.search(one)]
        found.extend(all_of_it[starts[-1] :] if starts else all_of_it[-_LAST:])
    return list(dict.fromkeys(found))


def features(question: str, found: Sequence[str]) -> Mapping[str, float]:
    """Cues of the sentence nearest to the question, and of the question; each in [0, 1]."""
    asked = question_stems(question)
    shares = [coverage(asked, content_stems(sentence)) for sentence in found]
    best = found[shares.index(max(shares))] if found else ""
    denied = [best[start:end] for start, end in negated(best)]
    values = {name: float(bool(cue.search(best))) for name, cue in CUES.items()}
    values |= {name: float(bool(cue.search(question))) for name, cue in ASKS.items()}
    values["near"] = max(shares, default=0.0)
    values["denies"] = float(bool(denied))
    values["denies_asked"] = max((coverage(asked, content_stems(d)) for d in denied), default=0.0)
    for kind in ("asks_difference", "asks_need", "asks_denial"):
        values[f"denies_{kind}"] = values[kind] * values["denies"]
    values["same_asks_difference"] = values["asks_difference"] * values["similar"]
    return values
