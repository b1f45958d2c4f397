"""Tables as files that people paste and load: GitHub Markdown and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from corpus.sources.tables import Rows, Span, filled, header_paths, titled

_SIGNS: Final = re.compile(r"[\\`*_~\[\]|$]|[<&](?=[\w/!?#])")
_BREAKS: Final = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")
_FORMULA: Final = re.compile(r"[=@\t\r\uff1d\uff20]|[+\uff0b-].*[(|!]", re.DOTALL)


def markdown_of(rows: Rows, header_rows: int, spans: Sequence[Span] = ()) -> str:
    """A table in GitHub Markdown, '' for one without cells.

    Markdown knows one row of heads: heads above heads are joined, 'Dose / mg', and a table without
    heads has empty ones. Markdown knows no spans: below the heads the text of a cell over several
    rows is repeated in each, that of a cell over several columns stands in the first of them. Text
    is escaped so that it reads as printed; a line break is <br>.
    """
    width = max(map(len, rows), default=0)
    if not width:
        return ""
    heads = header_paths(filled(rows, spans)[:header_rows], width)
    downward = [(top, left, height, 1) for top, left, height, _ in spans]
    body = filled(rows, downward)[max(header_rows, 0) :]
    lines = [_line(heads), "|" + " --- |" * width]
    lines += [_line([*row, *[""] * (width - len(row))]) for row in body]
    return "\n".join(lines)


def markdown_file(
    label: str, caption: str, rows: Rows, header_rows: int, spans: Sequence[Span] = ()
) -> str:
    """Label and caption as a paragraph, then the table."""
    parts = (escaped(titled(label, caption)), markdown_of(rows, header_rows, spans))
    return "\n\n".join(part for part in parts if part) + "\n"


def csv_of(rows: Rows, spans: Sequence[Span] = ()) -> str:
    """A table as CSV (RFC 4180), heads first; a cell over several places has its text in each.

    A text that a spreadsheet would run as a formula gets an apostrophe before it. All texts are
    quoted: one that parts cells at semicolons would else begin a cell within a text.
    """
    target = io.StringIO()
    writer = csv.writer(target, quoting=csv.QUOTE_ALL)
    writer.writerows([_harmless(text) for text in row] for row in filled(rows, spans))
    return target.getvalue()


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _BREAKS.sub("<br>", _SIGNS.sub(r"\\\g<0>", text.strip()))


def _line(texts: Iterable[str]) -> str:
    return "| " + " | ".join(map(escaped, texts)) + " |"


def _harmless(text: str) -> str:
    """Signed numbers and genotypes such as +/- stay as they are: they call and name nothing."""
    return f"'{text}" if _FORMULA.match(text) else text
