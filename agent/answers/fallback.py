"""Answers that say plainly why there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.answers.passages import Passage
from agent.answers.schema import FinalAnswer, RetrievalQuality

SHA256 = re.compile(r"[0-9a-f]{64}")


def fallback(error: Exception, *, quality: RetrievalQuality = "bad") -> FinalAnswer:
    """The answer when a draft could not be used and nothing could be quoted: confidence 0."""
    reason = getattr(error, "message", None) or type(error).__name__
    return FinalAnswer(
        answer="No answer could be given: the draft failed its checks.",
        confidence=0.0,
        retrieval_quality=quality,
        warnings=(str(reason),),
        reasoning_summary="The draft was refused, so none of its text is shown.",
        mode="fallback",
    )


def abstain(
    question: str, searched: Sequence[str], nearest: Sequence[Passage], *, why: str = ""
) -> FinalAnswer:
    """The answer when nothing supports one: what was searched, what is nearest, what would help.

    `searched` are names of corpora, as the asker knows them; `nearest` are the best passages found.
    """
    where = _listed(searched) or "your corpora"
    lines = [f"Not found in {where}.", why or "No passage there supports an answer."]
    titles = _titles(nearest)
    if titles:
        lines.append(f"Nearest by topic, without answering the question: {'; '.join(titles)}.")
    lines.append("What would help: add papers or records on this subject, or name it otherwise.")
    return FinalAnswer(
        answer=" ".join(lines),
        confidence=0.0,
        retrieval_quality="bad",
        reasoning_summary=f"Searched {where}; no passage supports an answer to the question.",
        mode="abstained",
    )


def _titles(nearest: Sequence[Passage]) -> list[str]:
    seen: dict[str, None] = {}
    for passage in nearest:
        # A file's hash names nothing to a reader.
        known_by = "" if SHA256.fullmatch(passage.external_id) else passage.external_id
        name = passage.title or known_by
        if name:
            seen.setdefault(f"{name} ({known_by})" if passage.title and known_by else name)
    return list(seen)[:3]


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:3])
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
