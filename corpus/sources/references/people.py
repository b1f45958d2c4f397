"""Names as reference lists write them, turned to be read: 'Weeks, William' is William Weeks."""

from __future__ import annotations

import re


def turned(name: str) -> str:
    """Given names first; a third part between commas (Jr., III) last."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 1 or not all(parts):
        return " ".join(filter(None, parts))
    family, *rest = parts
    if len(rest) > 2:  # no name has three commas: it is a list or an institution
        return name.strip()
    if len(rest) == 2 and _is_suffix(rest[0]):
        rest = [rest[1], rest[0]]  # BibTeX puts the suffix in the middle
    return " ".join([rest[0], family, *rest[1:]])


def _is_suffix(text: str) -> bool:
    return re.fullmatch(r"jr\.?|sr\.?|i{1,3}|iv|v|2nd|3rd", text, re.IGNORECASE) is not None
