"""The words an analyser knows: stop words, stems, spelling, Greek letters."""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import snowballstemmer

# Words that only hold an English sentence together.
_STOP_WORDS = """
    a about above after again against all also am an and any are as at be because been before
    being below between both but by can could did do does doing down during each few for from
    further had has have having he her here hers herself him himself his how however i if in into
    is it its itself just may me might more most must my myself no nor not of off on once only or
    other our ours ourselves out over own same shall she should so some such than that the their
    theirs them themselves then there these they this those through to too under until up upon very
    was we were what when where whether which while who whom why will with would you your yours
    yourself yourselves via among within without
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
# In capitals these are still only words; others, WAS and ALL for example, may be names.
_GLUE = "a an and are as at be by for from i in is it no not of on or the to with"
GLUE_IN_CAPITALS = frozenset(_GLUE.split())

# The Latin letters that gene symbols write for Greek ones (HGNC guidelines, table of Greek
# letters).
GREEK = {
    "α": ("alpha", "a"),
    "β": ("beta", "b"),
    "γ": ("gamma", "g"),
    "δ": ("delta", "d"),
    "ε": ("epsilon", "e"),
    "ζ": ("zeta", "z"),
    "η": ("eta", "h"),
    "θ": ("theta", "q"),
    "ι": ("iota", "i"),
    "κ": ("kappa", "k"),
    "λ": ("lambda", "l"),
    "μ": ("mu", "m"),
    "ν": ("nu", "n"),
    "ξ": ("xi", "x"),
    "ο": ("omicron", "o"),
    "π": ("pi", "p"),
    "ρ": ("rho", "r"),
    "σ": ("sigma", "s"),
    "ς": ("sigma", "s"),
    "τ": ("tau", "t"),
    "υ": ("upsilon", "u"),
    "φ": ("phi", "f"),
    "χ": ("chi", "c"),
    "ψ": ("psi", "y"),
    "ω": ("omega", "w"),
}
GREEK_NAME = {letter: name for letter, (name, _) in GREEK.items()}
LATIN_OF_NAME = dict(GREEK.values())

_SPELLING = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^(an|leuk|glyc|isch|hypox|tox|septic|ur|vir|bacter|hypovol|polycyth)aem", r"\1em"),
        (r"(glyc|natr|kal|calc|ur|lipid|cholesterol|insulin|lact|thalass|volem|vol)aemi", r"\1emi"),
        (r"^haem", "hem"),
        (r"^paed", "ped"),
        (r"^gynaec", "gynec"),
        (r"^orthopaed", "orthoped"),
        (r"^anaesth", "anesth"),
        (r"^aetio", "etio"),
        (r"^caec", "cec"),
        (r"^faec", "fec"),
        (r"^oedem", "edem"),
        (r"^oesoph", "esoph"),
        (r"^(pro|anti)?oestr", r"\1estr"),
        (r"^foet", "fet"),
        (r"^diarrhoe", "diarrhe"),
        (r"(dysp|ap|orthop)noe", r"\1ne"),
        (r"^coel", "cel"),
        (r"^(tum|behavi|col|lab|fav|hum|hon|od|vap|flav|neighb|harb|rum)our", r"\1or"),
        (r"^(cent|fib|lit|met|tit|calib)re(s?)$", r"\1er\2"),
        (r"(ab|an|di|hydr|lo|paraly|cataly|dialy|electroly)lys(e[ds]?|ing)$", r"\1lyz\2"),
        (r"(anal|hydrol|paral|catal|dial|electrol|lys)ys(e[ds]?|ing|er)$", r"\1yz\2"),
        (r"(signal|label|model|travel|channel|level|cancel|counsel)l(ed|ing|er)", r"\1\2"),
        (r"(?<=[a-z]{3})is(ation|e|ed|es|ing|er|ers)$", r"iz\1"),
        (r"sulph", "sulf"),
        (r"^(grey)", "gray"),
        (r"^program+e(s?)$", r"program\1"),
        (r"^ageing$", "aging"),
    )
)
# Words on -ise that are written so everywhere, without their ending.
_ALWAYS_S = (
    "adv appra ar bra bru chast circumc compr comprom conc cru dem desp dev disgu enterpr "
    "exc exerc expert franch improv inc imprec likew mala merchand no otherw parad po porpo pract "
    "pra prec prem prom ra rev r superv surpr telev torto treat turquo w"
)
_NOT_IZE = re.compile(rf"({'|'.join(_ALWAYS_S.split())})is(ation|e|es|ed|ing|er|ers)")


def american(word: str) -> str:
    """A lower-case word in American spelling, where a rule knows it."""
    for pattern, replacement in _SPELLING:
        if replacement == r"iz\1" and _NOT_IZE.fullmatch(word):
            continue
        word = pattern.sub(replacement, word)
    return word


class _Stemmers(threading.local):
    """A stemmer keeps state while it works, so every thread has its own."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")


_STEMMERS = _Stemmers()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The Porter2 stem of a lower-case word, in American spelling. Words with other than a-z
    stay.
    """
    if not word.isascii() or len(word) < 3:
        return word
    return str(_STEMMERS.english.stemWord(american(word)))
