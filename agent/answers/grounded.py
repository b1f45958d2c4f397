"""From a valid draft to an answer whose every claim has been checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from agent.answers.grounding import check
from agent.answers.passages import Passage
from agent.answers.render import MARKS
from agent.answers.schema import (
    Citation,
    Claim,
    ClaimStatus,
    Draft,
    DraftCitation,
    FinalAnswer,
    RetrievalQuality,
    UsedSources,
)
from corpus.quoting.verbatim import locate

FALL: Final = 0.5  # how far confidence falls when no claim holds


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer, and why each claim that did not pass did not: reasons by position of the claim."""

    answer: FinalAnswer
    reasons: Mapping[int, Sequence[str]]
    dropped: int = 0  # claims whose quotes all failed

    @property
    def problems(self) -> list[str]:
        """One line for each claim that failed, for the model's second try."""
        claims = self.answer.claims
        found = [
            f"“{claims[at].text}”: {' '.join(why)}" for at, why in sorted(self.reasons.items())
        ]
        if self.dropped:
            found.append(f"{self.dropped} claims quote words that do not stand in the passage.")
        return found


def ground(draft: Draft, passages: Sequence[Passage], *, quality: RetrievalQuality) -> Checked:
    """Check each claim of a draft against what it cites, and make the answer of the claims alone.

    A citation whose quote does not stand in its passage is dropped, and so is a claim left without
    one: the warnings say so. A claim that no cited passage supports stays, marked unverified; one
    that only several passages together support is uncertain. Text of the draft beyond its claims is
    not shown: nothing vouches for it.
    """
    known = {passage.chunk_id: passage for passage in passages}
    good = {c.id: c for c in draft.citations if locate(known[c.chunk_id].text, c.quote)}
    claims: list[Claim] = []
    reasons: dict[int, tuple[str, ...]] = {}
    for said in draft.claims:
        cited = [good[number] for number in said.citations if number in good]
        if not cited:
            continue
        status, why = _judge(said.text, cited, known)
        if len(cited) < len(said.citations):
            why = (*why, "quote: a quote does not stand in its passage and was left out.")
        if why:
            reasons[len(claims)] = why
        numbers = tuple(citation.id for citation in cited)
        claims.append(Claim(text=said.text, citations=numbers, status=status))
    dropped = len(draft.claims) - len(claims)
    return Checked(_answer(draft, claims, good, known, quality, dropped), reasons, dropped)


def _judge(
    claim: str, cited: Sequence[DraftCitation], known: Mapping[UUID, Passage]
) -> tuple[ClaimStatus, tuple[str, ...]]:
    verdicts = [check(known[c.chunk_id].text, claim) for c in cited]
    if any(verdict.supported for verdict in verdicts):
        return "supported", ()
    together = check("\n\n".join(known[c.chunk_id].text for c in cited), claim)
    if together.supported:
        return "uncertain", ("evidence: only several passages together say this.",)
    fewest = min(verdicts, key=lambda verdict: len(verdict.reasons))
    return "unverified", fewest.reasons


def _answer(
    draft: Draft,
    claims: Sequence[Claim],
    good: Mapping[int, DraftCitation],
    known: Mapping[UUID, Passage],
    quality: RetrievalQuality,
    dropped: int,
) -> FinalAnswer:
    used = [n for n in good if any(n in claim.citations for claim in claims)]
    numbers = {old: new for new, old in enumerate(used, start=1)}
    citations = tuple(_citation(numbers[n], good[n], known[good[n].chunk_id]) for n in used)
    renumbered = tuple(
        claim.model_copy(update={"citations": tuple(numbers[n] for n in claim.citations)})
        for claim in claims
    )
    all_said = len(claims) + dropped
    held = sum(claim.status == "supported" for claim in claims) / max(1, all_said)
    left_out = (
        f"{dropped} of {all_said} statements were left out: their quotes are not in the source."
    )
    return FinalAnswer(
        answer=" ".join(f"{claim.text}{MARKS[claim.status]}" for claim in claims),
        citations=citations,
        claims=renumbered,
        confidence=round(draft.confidence * (1 - FALL * (1 - held)) if held else 0.0, 2),
        retrieval_quality=quality,
        used_sources=_used([known[good[n].chunk_id] for n in used]),
        warnings=(left_out,) if dropped else (),
        reasoning_summary=draft.reasoning_summary,
        mode="model",
    )


def _citation(number: int, draft: DraftCitation, passage: Passage) -> Citation:
    start, end = locate(passage.text, draft.quote) or (0, 0)
    return Citation(
        id=number,
        chunk_id=passage.chunk_id,
        source=passage.source,
        external_id=passage.external_id,
        title=passage.title,
        quote=passage.text[start:end],
        page=passage.page_at(start),
        section=passage.section,
        content_type=passage.content_type,
        image_hash=passage.image_hash,
    )


def _used(passages: Sequence[Passage]) -> UsedSources:
    documents = dict.fromkeys(p.document_id for p in passages if p.document_id is not None)
    return UsedSources(
        documents=tuple(documents),
        legs=tuple(dict.fromkeys(leg for passage in passages for leg in passage.legs)),
    )
