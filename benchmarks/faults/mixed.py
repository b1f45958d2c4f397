"""A few hundred mixed records, most of them saved real ones, as files that the API takes in."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import httpx
from lxml import etree

from tests.support.replay import ReplayServer
from tests.support.upstreams import Entrez

REACTOME, NOTES, ROWS, FETCHED = 100, 40, 300, 40
PDFS = ("varied/habibi.pdf", "varied/multicolumn.pdf")
ARTICLES = ("MNHpJQpnjvSX6pkKCg37yTJ.xml", "imagens_fora_de_fig.xml")
File = tuple[str, str, bytes]


def vocabulary(data: Path) -> File:
    """What names entities; the others are linked by it."""
    return "vocabularies", "entities.csv", (data / "vocab/famplex/entities.csv").read_bytes()


def files(data: Path) -> list[File]:
    """Source, name and bytes of each file."""
    made = [
        ("pubmed", "pubmed.xml", _pubmed(data / "pubmed" / "metapub")),
        ("reactome", "reactome.jsonl", _reactome(data / "reactome")),
        ("jsonl", "notes.jsonl", _notes(data / "retrieval" / "scifact.corpus.jsonl.gz")),
        ("interactions", "trrust_rawdata.human.tsv", _rows(data / "interactions")),
    ]
    made += [("jats", name, (data / "jats/scielo" / name).read_bytes()) for name in ARTICLES]
    return made + [("pdf", Path(name).name, (data / "pdf" / name).read_bytes()) for name in PDFS]


def _pubmed(folder: Path) -> bytes:
    """All records of the folder in one set; of several of one id each stays."""
    whole = etree.Element("PubmedArticleSet")
    for path in sorted(folder.glob("*.xml")):
        try:
            whole.extend(list(etree.parse(path).getroot().iter("PubmedArticle")))
        except etree.XMLSyntaxError:
            continue  # an answer that is no record
    return etree.tostring(whole, xml_declaration=True, encoding="UTF-8")


def _lines(path: Path, count: int) -> list[bytes]:
    with gzip.open(path) as file:
        return [line for line, _ in zip(file, range(count), strict=False)]


def _reactome(folder: Path) -> bytes:
    return b"".join(_lines(folder / "pathway_summations_human_v76.jsonl.gz", REACTOME))


def _notes(path: Path) -> bytes:
    made = [json.loads(line) for line in _lines(path, NOTES)]
    kept = [{name: one[name] for name in ("id", "title", "text")} for one in made]
    return "".join(json.dumps(one) + "\n" for one in kept).encode()


def _rows(folder: Path) -> bytes:
    return b"".join(_lines(folder / "trrust_rawdata.human.tsv.gz", ROWS))


@contextmanager
def upstream() -> Iterator[str]:
    """A PubMed on this machine that knows some made records; its address."""
    known = {number: date(2020, 1, 1) for number in range(9_000_001, 9_000_001 + FETCHED)}
    with ReplayServer(Entrez(known)) as server:
        yield server.url


def send(client: httpx.Client, corpus: str, given: list[File]) -> list[str]:
    """A job for each file."""
    jobs = []
    for source, name, data in given:
        form = {"corpus": corpus, "source": source}
        answer = client.post("/api/v1/ingest/document", data=form, files={"file": (name, data)})
        jobs.append(_accepted(answer))
    return jobs


def fetch(client: httpx.Client, corpus: str) -> str:
    """A job that asks the upstream for all it knows."""
    wanted = {"corpus": corpus, "source": "pubmed", "query": "made"}
    return _accepted(client.post("/api/v1/ingest/fetch", json=wanted))


def _accepted(answer: httpx.Response) -> str:
    return str(answer.raise_for_status().json()["job"])


def patiently(call: Any, *errors: type[Exception], within_s: float = 300.0) -> Any:
    """The call's result, tried again while servers come back."""
    until = time.monotonic() + within_s
    while True:
        try:
            return call()
        except errors:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
