"""The committed questions, asked once each: `bin/bench questions NAME [SHARED_DATA]`

NAME is demo, dev, real or tables. Prints a table of question, gold found or not, claim and quote,
for a person to judge; a quote that is not verbatim in its passage is counted. Each question is then
asked by token and on the page as well: claims and cited passages must be those of the command. Of
`tables`, whose answers are cells and captions of papers, the very cell must be quoted, and marked
on the page.
"""

from __future__ import annotations

import json
import re
import sys
import time
import unicodedata
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import httpx

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


def load_real(made: Installation, data: Path, corpus: str = "real") -> None:
    """All saved records that this step can read, into a corpus, made if missing; into `tables` the
    papers alone.
    """
    made.flux("create_corpus", corpus, "--team", "demo", "--visibility", "team", allow=(0, 1, 2))
    for source, names in REAL:
        if corpus == "tables" and source != "pdf":
            continue
        paths = [str(data / name) for name in names]
        done = made.flux(
            *("ingest", source, "--corpus", corpus, "--from", *paths, "--as", ADMIN), allow=(0, 1)
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


def by_token(client: httpx.Client, question: str, corpus: str) -> dict[str, Any]:
    """The answer as the API gives it."""
    body = {"question": question, "corpora": [corpus]}
    return dict(client.post("/api/v1/query", json=body).raise_for_status().json()["final"])


def by_page(browser: httpx.Client, question: str, corpus: str) -> tuple[str, str]:
    """The page of the finished run and its id, after the form was sent as a browser sends it."""
    form = browser.get("/", params={"corpora": corpus}).text
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
    assert token is not None
    page = browser.post(
        "/",
        data={
            "csrfmiddlewaretoken": token[1],
            "question": question,
            "corpora": corpus,
            "mode": "analyze",
        },
        headers={"Referer": str(browser.base_url)},
    )
    page.raise_for_status()
    run = str(page.url).rstrip("/").rsplit("/", 1)[-1]
    for _ in range(100):
        state = browser.get(f"/api/v1/runs/{run}").raise_for_status().json()
        if state["status"] not in {"queued", "running"}:
            return browser.get(str(page.url)).text, run
        time.sleep(0.1)
    raise RuntimeError(f"{question}: not answered")


def folded(text: str) -> str:
    """A text without entities and white space, as a page and its source can be compared."""
    return "".join(unescape(text).split())


def told(final: dict[str, Any]) -> list[Any]:
    """What an answer says and cites, without the ids of this run."""
    cited = {c["id"]: (c["chunk_id"], c["quote"]) for c in final["citations"]}
    return [(c["text"], sorted(cited[one] for one in c["citations"])) for c in final["claims"]]


def compare_doors(
    made: Installation, asked: list[dict[str, Any]], corpus: str, answers: list[dict[str, Any]]
) -> None:
    """Ask by token and page, and count the answers that equal the command's."""
    same_token = same_page = shown = 0
    with made.api("read,ask") as client, closing(made.browser()) as browser:
        for question, answer in zip(asked, answers, strict=True):
            same_token += told(by_token(client, question["question"], corpus)) == told(answer)
            html, run = by_page(browser, question["question"], corpus)
            final = client.get(f"/api/v1/runs/{run}").raise_for_status().json()["final"]
            same_page += told(final) == told(answer)
            words = folded(re.sub(r"<[^>]*>", "", html))
            shown += all(folded(c["quote"]) in words for c in final["citations"])
    print(
        f"\n{len(asked)} questions: by token {same_token} answers equal the command's, on the page "
        f"{same_page}; {shown} pages show every quote"
    )


def letters(text: str) -> str:
    """Letters and digits alone: signs of degrees and dashes differ between XML and print."""
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


def quotes_part(question: dict[str, Any], final: dict[str, Any]) -> bool:
    """Whether an answer quotes the text of the gold cell or caption from the gold document."""
    return any(
        citation["external_id"] in question["gold"]
        and letters(question["gold_text"]) in letters(citation["quote"])
        for citation in final["citations"]
    )


def marks_part(question: dict[str, Any], html: str) -> bool:
    """Whether the page marks the gold text: a hit cell of a table, or marked words."""
    marked = re.findall(r'class="hit">(.*?)</t[dh]>|<mark>(.*?)</mark>', html, re.DOTALL)
    wanted = letters(question["gold_text"])
    return any(wanted in letters(unescape(re.sub(r"<[^>]*>", "", a or b))) for a, b in marked)


def count_parts(
    made: Installation, asked: list[dict[str, Any]], corpus: str, answers: list[dict[str, Any]]
) -> None:
    """Of questions whose answer is a cell or a caption: how many quote it, and mark it."""
    rows: list[tuple[object, ...]] = []
    with closing(made.browser()) as browser:
        for question, answer in zip(asked, answers, strict=True):
            html, _run = by_page(browser, question["question"], corpus)
            quoted, marked = quotes_part(question, answer), marks_part(question, html)
            rows.append((question["id"], question["gold_part"], quoted, marked))
    print(
        f"\ncell or caption quoted {sum(bool(row[2]) for row in rows)} of {len(rows)}, "
        f"marked on the page {sum(bool(row[3]) for row in rows)}\n"
    )
    table(["id", "part", "quoted", "marked"], rows)


def ask_all(made: Installation, asked: list[dict[str, Any]], corpus: str) -> list[dict[str, Any]]:
    """Ask by command, count, print; the answers."""
    rows: list[tuple[object, ...]] = []
    answers: list[dict[str, Any]] = []
    right = abstained = quotes = verbatim = 0
    for question in asked:
        answer = made.flux("ask", question["question"], "--corpus", corpus, "--as", ADMIN)
        final = answer["final"]
        answers.append(final)
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
    return answers


def main() -> None:
    """One set, in an installation of its own."""
    name = sys.argv[1] if len(sys.argv) > 1 else "demo"
    data = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT.parent / "shared" / "data"
    corpus = "demo" if name in {"demo", "dev"} else name
    with installation(demo=corpus == "demo") as made:
        if name in {"real", "tables"}:
            load_real(made, data, corpus)
        asked = questions(name)
        answers = ask_all(made, asked, corpus)
        if name == "tables":
            count_parts(made, asked, corpus, answers)
        compare_doors(made, asked, corpus, answers)


if __name__ == "__main__":
    main()
