"""Language codes: three letters, as libraries write them, to the two of ISO 639-1."""

from __future__ import annotations

from typing import Final

_PAIRS: Final = """
    afr=af ara=ar bul=bg cat=ca chi=zh zho=zh cze=cs ces=cs dan=da dut=nl nld=nl eng=en
    est=et fin=fi fre=fr fra=fr ger=de deu=de gre=el ell=el heb=he hin=hi hun=hu ice=is
    isl=is ind=id ita=it jpn=ja kor=ko lav=lv lit=lt nor=no per=fa fas=fa pol=pl por=pt
    rum=ro ron=ro rus=ru slo=sk slk=sk slv=sl spa=es srp=sr hrv=hr swe=sv tha=th tur=tr
    ukr=uk vie=vi
"""
_TWO_LETTERS: Final = dict(pair.split("=") for pair in _PAIRS.split())


def two_letters(code: str) -> str:
    """Return the ISO 639-1 code of a code of two or three letters, region dropped; '' when
    unknown.
    """
    plain = code.strip().lower().split("-")[0].split("_")[0]
    if len(plain) == 2 and plain.isalpha():
        return plain
    return _TWO_LETTERS.get(plain, "")
