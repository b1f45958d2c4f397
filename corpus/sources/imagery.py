"""What a figure shows: a radiological image, a pathological one, or anything else.

By the words of its caption, and by whether its picture can be one: a chart that is mostly white
paper is none, whatever its caption speaks of. Who is not sure says "general", at confidence .5.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Final, Literal

from PIL import Image

ImagingKind = Literal["radiology", "pathology", "general"]


def _any(*words: str) -> str:
    return f"(?:{'|'.join(words)})"


RADIOLOGY: Final = re.compile(
    _any(
        r"(?i:radiogra(?:ph|m)|roentgen|tomogra(?:m|ph)|magnetic resonance imag|angiogra(?:m|phy))",
        r"(?i:mammogra(?:m|phy)|ultraso(?:und|nogra)|sonogra(?:m|phy)|echocardiogra|scintigra)",
        r"(?i:fluoroscop|t[12][- ]weighted|x[- ]ray (?:image|film)|(?:chest|plain) x[- ]ray)",
        r"\bf?MRI\b|\bPET\b(?=[ /-]?(?:CT|scan|imag))|\bSPECT\b|\bCBCT\b",
        r"\b(?i:axial|coronal|sagittal|chest|abdominal|micro|contrast-enhanced)[- ]?CT\b",
        r"\bCT (?:scan|imag|slice|angio|of the|show|reveal)",
    )
)
PATHOLOGY: Final = re.compile(
    _any(
        r"ha?ematoxylin|\bh ?& ?e\b|immunohistochem|histolog|histopatholog|cytolog|trichrome",
        r"papanicolaou|photomicrograph|biops(?:y|ies) (?:specimen|sample|section)",
        r"(?:tissue|paraffin|stained|frozen) sections?|(?:tissues?|sections?) stained",
        r"sirius red|toluidine blue|giemsa|congo red|periodic acid[- –]schiff|alizarin|safranin",
        r"\bnissl|\btunel",
    ),
    re.IGNORECASE,
)
DRAWN: Final = re.compile(
    _any(
        r"\b(?:plots?|curves?|charts?|graphs?|histograms?|workflow)\b|schematic|diagram|kaplan",
        r"flow ?chart|heat ?map|phylogen|blot|dendrogram|diffract|spectr(?:um|a)|microanaly",
    ),
    re.IGNORECASE,
)
PAPER: Final = 235  # a pixel brighter than this in all channels is white
DRAWN_SHARE: Final = 0.5  # of white, from which on a picture is a drawing
LOOKED_AT: Final = (64, 64)
BY_WORDS, BY_BOTH, UNSURE = 0.7, 0.9, 0.5


@dataclass(frozen=True, slots=True)
class Imaging:
    """What is shown, and how sure that is, in 0 to 1."""

    kind: ImagingKind
    confidence: float


GENERAL: Final = Imaging("general", UNSURE)


def imaging_of(*captions: str, image: bytes | None = None) -> Imaging:
    """Of a figure with this picture (encoded, any format that Pillow reads), by the first of the
    captions (its own, then that of the figure which it is a panel of) that says anything.
    """
    kinds = (_told(caption) for caption in captions)
    kind = next((kind for kind in kinds if kind), None)
    if kind is None or kind == "general":
        return GENERAL
    share = _white(image) if image else None
    if share is None:
        return Imaging(kind, BY_WORDS)
    return Imaging(kind, BY_BOTH) if share < DRAWN_SHARE else GENERAL


def _told(caption: str) -> ImagingKind | None:
    """What a caption names, None where it names nothing of the sort; of both neither is sure."""
    found: list[ImagingKind] = []
    if RADIOLOGY.search(caption):
        found.append("radiology")
    if PATHOLOGY.search(caption):
        found.append("pathology")
    if not found:
        return None
    return "general" if len(found) > 1 or DRAWN.search(caption) else found[0]


def _white(image: bytes) -> float | None:
    """Share of white pixels; None of bytes that are no picture."""
    try:
        with Image.open(io.BytesIO(image)) as opened:
            opened.draft("RGB", LOOKED_AT)
            small = opened.convert("RGB").resize(LOOKED_AT)
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    pixels = small.tobytes()
    white = sum(min(pixels[at : at + 3]) > PAPER for at in range(0, len(pixels), 3))
    return white / (LOOKED_AT[0] * LOOKED_AT[1])
