"""An answer as text: what streams send, and what is copied."""

from __future__ import annotations

from collections.abc import Iterator

from agent.answers.schema import Claim, FinalAnswer

MARKS = {"supported": "", "uncertain": " [uncertain]", "unverified": " [unverified]"}


def marked(claim: Claim) -> str:
    """A claim with the numbers of its citations and the mark of its check."""
    numbers = "".join(f"[{number}]" for number in claim.citations)
    return f"{claim.text} {numbers}{MARKS[claim.status]}".rstrip()


def pieces(answer: FinalAnswer) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The text of an answer in the pieces in which it is sent, each with the citations it rests on.

    Joined, the pieces are the answer's text. A piece that rests on nothing has no citations.
    """
    rest = answer.answer
    for claim in answer.claims:
        before, found, after = rest.partition(claim.text)
        if not found:
            continue
        if before:
            yield before, ()
        yield found, claim.citations
        rest = after
    if rest:
        yield rest, ()


def with_citations(answer: FinalAnswer) -> str:
    """Claims with their numbers, then the sources: for copying."""
    lines = [marked(claim) for claim in answer.claims] or [answer.answer]
    sources = [
        f"[{c.id}] {c.title or c.external_id} ({c.source} {c.external_id}): “{c.quote}”"
        for c in answer.citations
    ]
    return "\n".join([*lines, "", *sources]).rstrip()
