"""MuPDF behind one name: its Python layer has no types, so that checking stops here."""

from __future__ import annotations

from typing import Any

import pymupdf

mupdf: Any = pymupdf
