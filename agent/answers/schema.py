"""The one shape of every answer, whoever made it."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

ClaimStatus = Literal["supported", "uncertain", "unverified"]
RetrievalQuality = Literal["good", "partial", "bad"]
AnswerMode = Literal["model", "extractive", "fallback", "abstained"]


class Strict(BaseModel):
    """Refuses fields it does not know, and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Citation(Strict):
    """A verbatim quote of one passage; `id` is its number in the answer, from 1."""

    id: int = Field(ge=1)
    chunk_id: UUID
    source: str = ""
    external_id: str = ""
    title: str = ""
    quote: str
    page: int | None = None
    section: str = ""
    content_type: str = "text"
    image_hash: str | None = None


class Claim(Strict):
    """One statement of the answer and the ids of the citations it rests on."""

    text: str
    citations: tuple[int, ...] = ()
    status: ClaimStatus = "supported"


class UsedSources(Strict):
    """Public ids of the documents cited, and names of the search legs that found them."""

    documents: tuple[UUID, ...] = ()
    legs: tuple[str, ...] = ()


class FinalAnswer(Strict):
    """What a reader gets. Confidence lies in [0, 1]."""

    answer: str
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    confidence: float = Field(ge=0.0, le=1.0)
    retrieval_quality: RetrievalQuality
    used_sources: UsedSources = UsedSources()
    warnings: tuple[str, ...] = ()
    reasoning_summary: str
    mode: AnswerMode


class DraftCitation(Strict):
    """What a model must say of a citation; the rest is known from the passage."""

    id: int = Field(ge=1)
    chunk_id: UUID
    quote: str = Field(min_length=1)


class DraftClaim(Strict):
    """What a model must say of a claim; its status is decided by the checks, not by the model."""

    text: str = Field(min_length=1)
    citations: tuple[int, ...]


class Draft(Strict):
    """The JSON asked of a model."""

    answer: str
    citations: tuple[DraftCitation, ...] = ()
    claims: tuple[DraftClaim, ...] = ()
    confidence: float = Field(ge=0.0, le=1.0)
    answerable: bool = True
    reasoning_summary: str = ""
