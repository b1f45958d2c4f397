"""Writers of reference lists, as a reference manager would export a document."""

from __future__ import annotations

import json
from typing import Any

from corpus.types import NormalizedDocument

_LATEX = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", "$": "\\$",
    "#": "\\#", "_": "\\_", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "`": "\\textasciigrave{}", "'": "\\textquotesingle{}", "-": "-{}",
}  # fmt: skip


def blocks_under(document: NormalizedDocument, heading: str) -> list[str]:
    """The texts of the document's blocks in one section."""
    return [block.text for block in document.blocks if block.section == (heading,)]


def to_bibtex(document: NormalizedDocument) -> str:
    """One BibTeX entry."""
    told = document.metadata
    date = document.published.split("-")
    fields = {
        "title": f"{{{latex(_own_title(document))}}}" if _own_title(document) else "",
        "author": " and ".join(f"{{{latex(name)}}}" for name in document.authors),
        "journal": latex(document.journal),
        "year": date[0],
        "month": date[1] if len(date) > 1 else "",
        "day": date[2] if len(date) > 2 else "",
        "doi": latex(document.identifiers.doi),
        "pmid": document.identifiers.pmid,
        "pmcid": document.identifiers.pmcid,
        "abstract": latex("\n\n".join(blocks_under(document, "Abstract"))),
        "annote": latex("\n\n".join(blocks_under(document, "Notes"))),
        "keywords": "; ".join([*map(latex, document.tags), ""]),
        "language": document.language,
        "file": ";".join(f":{_escaped(name)}:PDF" for name in told.get("attachments", ())),
        "volume": latex(str(told.get("volume", ""))),
        "publisher": latex(str(told.get("publisher", ""))),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value.strip("; ")]
    return ",\n".join([f"@{told['entry_type']}{{{told.get('key', '')}", *lines]) + "\n}\n"


def to_ris(document: NormalizedDocument) -> str:
    """One RIS entry."""
    told = document.metadata
    lines = [("TY", str(told["entry_type"]).upper()), ("TI", _own_title(document))]
    lines += [("AU", name) for name in document.authors]
    lines += [("JF", document.journal), ("DA", document.published.replace("-", "/"))]
    lines += [("DO", document.identifiers.doi), ("C2", document.identifiers.pmcid)]
    lines += [("DB", "PubMed"), ("AN", document.identifiers.pmid)]
    lines += [("AB", "\n\n".join(blocks_under(document, "Abstract")))]
    lines += [("N1", note) for note in blocks_under(document, "Notes")]
    lines += [("KW", tag) for tag in document.tags] + [("LA", document.language)]
    lines += [("L1", name) for name in told.get("attachments", ())]
    lines += [("VL", str(told.get("volume", ""))), ("PB", str(told.get("publisher", "")))]
    lines += [("ID", str(told.get("key", "")))]
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value) + "ER  - \n\n"


def to_csl(document: NormalizedDocument) -> dict[str, Any]:
    """One item of CSL-JSON."""
    told = document.metadata
    item = {
        "id": told.get("key", ""),
        "type": told["entry_type"],
        "title": _own_title(document),
        "author": [{"literal": name} for name in document.authors],
        "container-title": document.journal,
        "issued": {"date-parts": [[int(part) for part in document.published.split("-") if part]]},
        "DOI": document.identifiers.doi,
        "PMID": document.identifiers.pmid,
        "PMCID": document.identifiers.pmcid,
        "abstract": "\n\n".join(blocks_under(document, "Abstract")),
        "note": "\n\n".join(blocks_under(document, "Notes")),
        "keyword": "; ".join([*document.tags, ""]),
        "language": document.language,
        "volume": told.get("volume", ""),
        "publisher": told.get("publisher", ""),
        "attachments": [{"path": name} for name in told.get("attachments", ())],
    }
    return {name: value for name, value in item.items() if value}


def csl_file(items: list[dict[str, Any]]) -> bytes:
    """A file of CSL-JSON."""
    return json.dumps(items).encode()


def latex(text: str) -> str:
    """Text as LaTeX prints it unchanged."""
    return "".join(_LATEX.get(char, char) for char in text)


def _escaped(path: str) -> str:
    return path.replace("\\", "\\\\").replace(":", "\\:").replace(";", "\\;")


def _own_title(document: NormalizedDocument) -> str:
    return "" if document.note.startswith("Only its id") else document.title
