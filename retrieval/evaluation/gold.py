"""Reading a set of questions with known answers from disk."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flux_site.kernel.errors import InvalidInput

TRAIN = "train"  # questions that may be learned from are never reported


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the documents that answer it: id -> relevance, above 0."""

    id: str
    text: str
    gold: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GoldSet:
    """NAME.corpus, NAME.queries and NAME.qrels of one folder."""

    name: str
    corpus_file: Path
    document_ids: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def answered(self) -> int:
        """Questions that have a relevant document: the others are ranked but not measured."""
        return sum(1 for question in self.questions if question.gold)


def read(folder: Path, name: str, *, split: str = "") -> GoldSet:
    """Read a set; lines without what is needed are an error, other fields are ignored.

    Questions of the split "train" are left out unless `split` asks for a split by name or "all".
    Qrels may be absent or empty: then there is nothing to measure, only rankings.
    Raises InvalidInput with what is missing.
    """
    corpus_file = _file(folder, name, "corpus")
    documents = [_text(line, "id", corpus_file) for line in _lines(corpus_file)]
    gold = _gold(folder, name)
    queries = _file(folder, name, "queries")
    questions = tuple(
        Question(number, _text(line, "text", queries), gold.get(number, {}))
        for line in _lines(queries)
        if _is_wanted(line.get("split"), split)
        for number in [_text(line, "id", queries)]
    )
    if not documents or not questions:
        raise InvalidInput(f"The set {name} holds no documents or no questions.")
    return GoldSet(name, corpus_file, tuple(documents), questions)


def _is_wanted(of_question: object, asked: str) -> bool:
    if asked == "all":
        return True
    return of_question == asked if asked else of_question != TRAIN


def _gold(folder: Path, name: str) -> dict[str, dict[str, int]]:
    gold: dict[str, dict[str, int]] = {}
    try:
        path = _file(folder, name, "qrels")
    except InvalidInput:
        return gold
    for line in _lines(path):
        if not {"qid", "did"} <= line.keys():
            continue  # a placeholder
        relevance = int(line.get("rel", 1))
        if relevance > 0:
            gold.setdefault(str(line["qid"]), {})[str(line["did"])] = relevance
    return gold


def _file(folder: Path, name: str, kind: str) -> Path:
    for ending in (".jsonl.gz", ".jsonl"):
        path = folder / f"{name}.{kind}{ending}"
        if path.is_file():
            return path
    raise InvalidInput(f"{folder} holds no {name}.{kind}.jsonl.gz.")


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            for line in stream:
                value = json.loads(line) if line.strip() else None
                if isinstance(value, dict):
                    yield value
    except (OSError, EOFError, ValueError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {error}.") from error


def _text(line: dict[str, Any], key: str, path: Path) -> str:
    if key not in line:
        raise InvalidInput(f"A line of {path.name} has no {key}.")
    return str(line[key])
