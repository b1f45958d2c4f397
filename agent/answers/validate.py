"""Three passes over a model's raw text: it parses, it fits the schema, it cites what it was
given.
"""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
from typing import ClassVar
from uuid import UUID

from pydantic import ValidationError

from agent.answers.schema import Draft
from flux_site.kernel.errors import FluxError


class AnswerRejected(FluxError):
    """A draft did not pass. `detail["stage"]` is parse, schema or citations."""

    code: ClassVar[str] = "answer_rejected"
    status: ClassVar[int] = 502

    @property
    def stage(self) -> str:
        """The pass that refused it."""
        return str(self.detail["stage"])


def validate(raw: str, *, given: AbstractSet[UUID]) -> Draft:
    """Read a draft. Raises AnswerRejected; the message is meant for the model's second try."""
    draft = _fit(_parse(raw))
    unknown = sorted({str(c.chunk_id) for c in draft.citations if c.chunk_id not in given})
    ids = [citation.id for citation in draft.citations]
    doubled = sorted({number for number in ids if ids.count(number) > 1})
    bare = [c.text for c in draft.claims if not c.citations or set(c.citations) - set(ids)]
    missing = draft.answerable and not draft.claims
    faults = {"unknown": unknown, "doubled": doubled, "bare": bare, "missing": missing}
    if any(faults.values()):
        raise AnswerRejected(_sentence(faults), stage="citations", **faults)
    return draft


def _parse(raw: str) -> object:
    text = raw.strip()
    if text.startswith("```"):  # a fence around the whole is packaging, not content
        text = text.split("\n", 1)[-1].rsplit("```", 1)[0]
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise AnswerRejected(f"The answer is not JSON ({where}).", stage="parse") from error


def _fit(data: object) -> Draft:
    try:
        return Draft.model_validate(data)
    except ValidationError as error:
        places = ", ".join(".".join(map(str, e["loc"])) or "the whole" for e in error.errors()[:8])
        raise AnswerRejected(
            f"The JSON does not fit the schema at: {places}.", stage="schema", places=places
        ) from error


def _sentence(faults: dict[str, object]) -> str:
    words = {
        "unknown": "cites passages that were not given",
        "doubled": "uses one citation id twice",
        "bare": "has claims without a known citation",
        "missing": "says it answers but makes no claim",
    }
    return (
        "The answer " + " and ".join(words[name] for name, found in faults.items() if found) + "."
    )
