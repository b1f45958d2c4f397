"""Examples of the OpenAPI description."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample

DOCUMENT_ID = "0d4f2c9e-6d0b-4c51-9a53-0e6f7f0c1a11"
UPLOAD = {"corpus": "cytokines", "source": "pubmed", "file": "efetch.xml"}

CORPUS_IN = OpenApiExample(
    "new corpus",
    {"name": "Cytokines", "team": "immunology", "visibility": "team"},
    request_only=True,
)
CORPUS = OpenApiExample(
    "corpus",
    {
        "id": "7b0f6c6e-0a38-4c55-8a0b-3f1f9c1f6f01",
        "corpus": "cytokines",
        "team": "immunology",
        "name": "Cytokines",
        "description": "",
        "visibility": "team",
        "documents": 214,
        "chunker": "layout",
        "propositions": False,
    },
    response_only=True,
)
CORPUS_CHANGE = OpenApiExample("statements", {"propositions": True}, request_only=True)
_DOCUMENT = {
    "id": DOCUMENT_ID,
    "external_id": "26190023",
    "source": "pubmed",
    "title": "Interleukin-6 in health and disease",
    "corpus": "cytokines",
    "type": "article",
    "identifiers": {"doi": "10.5555/il6.2015.1", "pmid": "26190023", "pmcid": "", "openalex": ""},
    "authors": ["A. Author"],
    "journal": "Example Journal of Immunology",
    "year": 2015,
    "licence": "",
    "language": "en",
    "retracted": False,
    "concern": False,
    "corrected": True,
    "tags": [],
    "note": "",
    "work": "b1f0c7de-52a4-4f0e-9f0a-6c8d1e2f3a4b",
}
DOCUMENT = OpenApiExample("document", _DOCUMENT, response_only=True)
WHOLE_DOCUMENT = OpenApiExample(
    "document",
    _DOCUMENT
    | {
        "same_work": ["9d3c2b1a-0f1e-4d2c-8b3a-4c5d6e7f8091"],
        "linked": [
            {
                "kind": "corrects",
                "role": "Corrected by",
                "document": "1c2d3e4f-5a6b-4c7d-8e9f-a0b1c2d3e4f5",
            }
        ],
        "pages": [
            {
                "number": 1,
                "width": 595.0,
                "height": 842.0,
                "method": "ocr",
                "report": {
                    "columns": 2,
                    "hidden_texts": 0,
                    "hidden_letters": 0,
                    "unread_glyphs": 0,
                    "furniture": ["Journal of Examples 12 (2019)"],
                    "engine": "tesseract",
                    "confidence": 93,
                },
            }
        ],
    },
    response_only=True,
)
CHUNK = OpenApiExample(
    "passage",
    {
        "id": "5a1d2d0e-7c1e-4a58-8f5d-2f7a4fd0a2c3",
        "document": DOCUMENT_ID,
        "content_type": "text",
        "chunk_index": 0,
        "text": "STAT3 drives transcription of SOCS3.",
        "page": None,
        "section": "Summary",
    },
    response_only=True,
)
FIGURE = OpenApiExample(
    "figure",
    {
        "id": "c2b7a1f4-2b1c-4b5e-9a77-1f0f2f3f4f5f",
        "document": DOCUMENT_ID,
        "label": "Figure 1",
        "caption": "Figure 1. The receptor complex.",
        "page": 2,
        "image_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "box": [72.0, 90.5, 523.0, 301.0],
        "part_of": None,
        "kind": "general",
        "kind_confidence": 0.5,
    },
    response_only=True,
)
_TABLE = {
    "id": "e4b1d2c3-1a2b-4c3d-8e4f-5a6b7c8d9e0f",
    "document": DOCUMENT_ID,
    "label": "Table 1",
    "caption": "Table 1. Inhibitors and their targets.",
    "page": 3,
    "image_hash": "",
    "rows": [["Drug", "Target"], ["Tofacitinib", "JAK1, JAK3"]],
    "header_rows": 1,
}
TABLE = OpenApiExample("table", _TABLE, response_only=True)
WHOLE_TABLE = OpenApiExample(
    "table",
    _TABLE
    | {
        "box": [72.0, 610.0, 289.0, 664.5],
        "spans": [],
        "cells": [
            [[3, 76.0, 628.0, 98.5, 638.0], [3, 180.0, 628.0, 208.0, 638.0]],
            [[3, 76.0, 642.0, 121.0, 652.0], [3, 180.0, 642.0, 229.0, 652.0]],
        ],
        "markdown": "| Drug | Target |\n| --- | --- |\n| Tofacitinib | JAK1, JAK3 |",
    },
    response_only=True,
)
DELETION = OpenApiExample(
    "receipt",
    {
        "deletion": "b3e0c1d2-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
        "state": "done",
        "corpus": "cytokines",
        "whole_corpus": False,
        "asked": 1,
        "documents": 1,
        "passages": 14,
        "vectors": 15,
        "propositions": 0,
        "mentions": 212,
        "sections": 6,
        "pages": 9,
        "figures": 3,
        "tables": 1,
        "images": 12,
        "files": 1,
        "relations": 0,
        "signatures": 0,
        "terms": 0,
        "evidence": 8,
        "edges": 2,
        "lexical_entries": 14,
        "records_of_jobs": 1,
        "quotes_dropped": 0,
        "answers_marked": 1,
        "answers": [
            {
                "id": "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
                "title": "How does SOCS3 end the signal of interleukin-6?",
                "url": "/runs/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed/",
            }
        ],
        "document_ids": [DOCUMENT_ID],
        "left": {"documents": 0, "passages": 0, "lexical_entries": 0},
        "requested_at": "2026-11-30T09:00:00+00:00",
        "finished_at": "2026-11-30T09:00:01+00:00",
    },
    response_only=True,
)
JOB = OpenApiExample(
    "job",
    {
        "job": "2f6c0f0e-9d7b-4a57-a2cc-7a1b2c3d4e5f",
        "corpus": "cytokines",
        "source": "pubmed",
        "state": "done",
        "done": 1,
        "failed": 0,
        "unchanged": 0,
        "skipped": 0,
        "running": 0,
        "files": 1,
        "files_left": 0,
        "encoded": 1,
        "seconds": 1.2,
        "priority": 0,
        "total": 1,
        "stages": {"read": 0, "link": 0, "propositions": 0, "embed": 0},
        "per_second": None,
        "eta_seconds": None,
        "waiting": "",
        "notes": [],
        "items": [
            {
                "name": "Interleukin-6 in health and disease",
                "file": "efetch.xml",
                "external_id": "26190023",
                "state": "done",
                "stage": "end",
                "attempts": 0,
                "records": 1,
                "code": "",
                "reason": "",
            }
        ],
    },
    response_only=True,
)
FETCH = {"corpus": "cytokines", "source": "pubmed", "query": "STAT3 AND psoriasis", "limit": 200}
WATCHED_IN = {"corpus": "cytokines", "path": "/srv/inbox/cytokines"}
WATCHED = OpenApiExample(
    "folder",
    {
        "id": "5f0c6a1e-8f3b-4d77-9a53-3b1c2d3e4f50",
        "corpus": "cytokines",
        "path": "/srv/inbox/cytokines",
        "source": "",
        "query": "",
        "since": None,
        "limit": None,
        "paused": False,
        "taken": 41,
        "refused": 1,
        "waiting": 0,
        "job": None,
        "scanned_at": "2026-11-30T09:00:00+00:00",
        "error": "",
    },
    response_only=True,
)
FEED_IN = {"corpus": "cytokines", "source": "pubmed", "query": "IL6 AND STAT3"}
FEED = OpenApiExample(
    "query",
    {
        "id": "0b9d5c7e-61a4-4c1f-8a52-7e1f0d2c3b4a",
        "corpus": "cytokines",
        "path": "",
        "source": "pubmed",
        "query": "IL6 AND STAT3",
        "since": None,
        "limit": None,
        "paused": False,
        "taken": 212,
        "refused": 0,
        "waiting": 3,
        "job": "3f6a2b1c-9d8e-4f70-a1b2-c3d4e5f60718",
        "scanned_at": "2026-11-30T09:00:00+00:00",
        "error": "",
    },
    response_only=True,
)
