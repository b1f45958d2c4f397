"""The committed questions, asked once each: `bin/bench questions demo|real [SHARED_DATA]`

Prints a table of question, gold found or not, claim and quote, for a person to judge; a quote that
is not verbatim in its passage is counted and named.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.installation import ADMIN, ROOT, Installation, installation, table

REAL = [
    ("pubmed", ["pubmed"]),
    ("jats", ["jats"]),
    ("reactome", ["reactome/pathway_summations_human_v76.jsonl.gz", "reactome/content_service"]),
    ("pdf", ["pdf/pairs"]),
]


def questions(name: str) -> list[dict[str, Any]]:
    """The committed questions of a set."""
    path = ROOT / "tests" / "data" / "questions" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def load_real(made: Installation, data: Path) -> None:
    """All saved records that this step can read, into one corpus."""
    made.flux("create_corpus", "real", "--team", "demo", "--visibility", "team")
    for source, names in REAL:
        paths = [str(data / name) for name in names]
        done = made.flux(
            *("ingest", source, "--corpus", "real", "--from", *paths, "--as", ADMIN), allow=(0, 1)
        )
        kept = ("done", "unchanged", "skipped", "failed", "encoded", "seconds")
        print(f"{source}:", {k: done[k] for k in kept})
        for item in done["items"]:
            if item["state"] == "failed":
                print(f"  failed: {item['file']}: {item['reason']}")


def is_verbatim(made: Installation, citation: dict[str, Any]) -> bool:
    """Whether the quote stands in its passage, white space aside."""
    with made.api("read") as client:
        text = (
            client.get(f"/api/v1/chunks/{citation['chunk_id']}").raise_for_status().json()["text"]
        )
    return " ".join(citation["quote"].split()) in " ".join(text.split())


def ask_all(made: Installation, asked: list[dict[str, Any]], corpus: str) -> None:
    """Ask, count, print."""
    rows: list[tuple[object, ...]] = []
    right = abstained = quotes = verbatim = 0
    for question in asked:
        answer = made.flux("ask", question["question"], "--corpus", corpus, "--as", ADMIN)
        final = answer["final"]
        cited = {c["id"]: c for c in final["citations"]}
        found = bool({c["external_id"] for c in cited.values()} & set(question.get("gold", [])))
        quotes += len(cited)
        verbatim += sum(is_verbatim(made, citation) for citation in cited.values())
        if question.get("answerable", True):
            right += found
        else:
            abstained += final["mode"] == "abstained"
        for claim in final["claims"] or [{"text": final["answer"], "citations": []}]:
            quote = " / ".join(cited[c]["quote"] for c in claim["citations"])
            source = ", ".join(cited[c]["external_id"][:24] for c in claim["citations"])
            gold = (
                ("gold cited" if found else "gold not cited")
                if question.get("answerable", True)
                else final["mode"]
            )
            rows.append((question["id"], question["question"], gold, claim["text"], quote, source))
    answerable = [q for q in asked if q.get("answerable", True)]
    print(
        f"\n{corpus}: gold cited {right} of {len(answerable)}; "
        f"abstained {abstained} of {len(asked) - len(answerable)} unanswerable; "
        f"verbatim quotes {verbatim} of {quotes}\n"
    )
    table(["id", "question", "gold", "claim", "quote", "source"], rows)


def main() -> None:
    """One set, in an installation of its own."""
    name = sys.argv[1] if len(sys.argv) > 1 else "demo"
    data = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT.parent / "shared" / "data"
    with installation(demo=name == "demo") as made:
        if name == "real":
            load_real(made, data)
        ask_all(made, questions(name), name)


if __name__ == "__main__":
    main()
