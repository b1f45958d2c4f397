"""Words whose full stop is no end of a sentence, or not always. Lower case, without the stop."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# These lead on to a number, a name or a list.
LEADS_ON: Final = _words("""
    e.g i.e eg ie cf vs v fig figs eq eqs eqn eqns ref refs tab dr prof mr mrs ms mx st mt ca approx
    viz resp suppl supp sect chap vol pp pag ed eds transl var subsp ssp cv f.sp nom gen dept univ
    assoc natl acad sci proc int jan feb mar apr jun jul aug sept sep oct nov dec rev biol chem med
    pharmacol clin exp mol
""")
# Not even a capital word that commonly opens a sentence makes these an end: "Fig. A", "e.g. The".
ALWAYS: Final = _words("""
    e.g i.e eg ie cf vs fig figs eq eqs eqn eqns ref refs tab dr prof mr mrs ms approx viz
""")
# These may also end a sentence: only such a capital word makes it an end.
MAY_END: Final = _words("al etc inc ltd co corp jr sr sp spp")
# Units end sentences often and never lead on to a name: any capital after them opens a new one.
UNITS: Final = _words("h hr hrs min mins sec secs wk wks mo mos yr yrs")
# Capital words that commonly open a sentence.
OPENERS: Final = _words("""
    A According After All Although An And Among As At Because Before Both But By Collectively
    Compared Consistent Conversely Despite Due During Each Finally First For Four From Further
    Furthermore Given Hence Here How However If In Indeed Interestingly It Its Moreover Most
    Nevertheless No None Nonetheless Notably Of On One Other Our Overall Patients Previous Recent
    Recently Second Several She Similarly Since So Some Still Such Taken That The Their Then There
    Therefore These They This Those Three Through Thus To Together Two Under Unlike Upon Using We
    What When Whereas Whether Which While Who With Within Without Yet
""")
