"""What an encoder is, whatever weights stand behind it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Modality = Literal["text", "image", "molecule"]
Span = tuple[int, int]  # half-open, in Unicode code points of the text


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into unit vectors of a fixed dimension."""

    @property
    def name(self) -> str:
        """The registry's name, stored with every vector."""
        ...

    @property
    def modality(self) -> Modality:
        """What it reads."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens of one input that it can read, without the special ones."""
        ...

    @property
    def weights_sha256(self) -> str:
        """Hash of the weights in hex; vectors of different weights never share a collection."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, without the special ones."""
        ...

    def windows(self, text: str, *, reserve: int = 0) -> list[Span]:
        """Cut a text into spans that each fit the encoder; together they cover all of it.

        `reserve` tokens are kept free in every window, for a title that is put before it.
        A text that fits gives one span; a blank one gives none.
        """
        ...

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) float32 unit vectors. Raises ValueError on a text that does not fit:
        cut it by `windows`.
        """
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) float32 unit vectors of questions; what exceeds the window is left out."""
        ...


@dataclass(frozen=True, slots=True)
class Count:
    """How often models ran: calls of the session, texts in them."""

    calls: int = 0
    texts: int = 0


class EncoderCounter:
    """Counts what really reaches a model in this process, so that "nothing was embedded again"
    can be checked.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = Count()

    def add(self, texts: int) -> None:
        """One call with that many texts."""
        with self._lock:
            self._count = Count(self._count.calls + 1, self._count.texts + texts)

    def read(self) -> Count:
        """The totals since the process started."""
        return self._count


COUNTER = EncoderCounter()


def unit(vectors: npt.NDArray[np.floating]) -> Vectors:
    """Rows scaled to length 1; a row of zeros stays as it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms == 0.0, 1.0, norms), dtype=np.float32)
