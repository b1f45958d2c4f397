"""The extractive answer: found, weighed, quoted, ordered, or declined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent.answers.extractive import lean as leaning
from agent.answers.extractive.scoring import Similarity, score
from agent.answers.extractive.select import Quote, select
from agent.answers.extractive.support import ANSWERS, Support, support
from agent.answers.extractive.units import sentences, wanted
from agent.answers.fallback import abstain
from agent.answers.passages import Passage
from agent.answers.schema import Citation, Claim, FinalAnswer, UsedSources

MOST_CONFIDENT: Final = 0.95
SOLE_RETRACTED: Final = "The only support found comes from a retracted work; it is not used."


def extractive(
    question: str,
    passages: Sequence[Passage],
    *,
    similarity: Similarity | None = None,
    searched: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> FinalAnswer:
    """Answer from quotes alone.

    Args:
        passages: what was retrieved, best first; only these are cited.
        similarity: cosines of the question with texts; without it words alone decide.
        searched: names of the corpora, for the answer that declines.
        warnings: what the reader should know of how the passages came about.
    Returns: quotes as claims, each with its citation; an abstention when nothing supports.
    """
    sound = [passage for passage in passages if not passage.retracted]
    pool = sentences(sound)
    asked = wanted(question, pool)
    scored = score(question, sound, pool, asked, similarity)
    found = support(question, sound, scored, asked)
    quotes = select(scored)
    if not quotes or found.probability < ANSWERS:
        why = SOLE_RETRACTED if not sound and passages else ""
        answer = abstain(question, searched, passages, why=why)
        return answer.model_copy(update={"warnings": tuple(warnings)})
    return _answer(question, sound, quotes, found, tuple(warnings))


def _answer(
    question: str,
    passages: Sequence[Passage],
    quotes: Sequence[Quote],
    found: Support,
    warnings: tuple[str, ...],
) -> FinalAnswer:
    texts = [passages[q.passage].text[q.start : q.end] for q in quotes]
    claims = tuple(
        Claim(text=" ".join(text.split()), citations=(number,))
        for number, text in enumerate(texts, start=1)
    )
    lead = _lead(question, [*texts, passages[quotes[0].passage].text])
    return FinalAnswer(
        answer="\n\n".join([*lead, *(claim.text for claim in claims)]),
        citations=tuple(
            _citation(number, passages[quote.passage], quote)
            for number, quote in enumerate(quotes, start=1)
        ),
        claims=claims,
        confidence=round(min(MOST_CONFIDENT, found.probability), 2),
        retrieval_quality=found.quality,
        used_sources=_used([passages[quote.passage] for quote in quotes]),
        warnings=warnings,
        reasoning_summary=_summary(quotes, found),
        mode="extractive",
    )


def _lead(question: str, texts: Sequence[str]) -> list[str]:
    """A first line for questions that ask for yes or no: what quotes and their source lean to."""
    if not leaning.asks_yes_or_no(question):
        return []
    found = leaning.lean(question, texts)
    word = {"yes": "Yes", "no": "No", "maybe": "Maybe"}[found.lean]
    return [f"{word}, by the passages quoted below; read them for conditions and limits."]


def _citation(number: int, passage: Passage, quote: Quote) -> Citation:
    return Citation(
        id=number,
        chunk_id=passage.chunk_id,
        source=passage.source,
        external_id=passage.external_id,
        title=passage.title,
        quote=passage.text[quote.start : quote.end],
        page=passage.page_at(quote.start),
        section=passage.section,
        content_type=passage.content_type,
        image_hash=passage.image_hash,
    )


def _used(passages: Sequence[Passage]) -> UsedSources:
    documents = dict.fromkeys(p.document_id for p in passages if p.document_id is not None)
    legs = dict.fromkeys(leg for passage in passages for leg in passage.legs)
    return UsedSources(documents=tuple(documents), legs=tuple(legs))


def _summary(quotes: Sequence[Quote], found: Support) -> str:
    count = len({quote.passage for quote in quotes})
    sources = "one passage" if count == 1 else f"{count} passages"
    said = f"Quotes from {sources}, chosen by shared words and meaning; no model was used."
    if found.missing:
        said += f" Not found in the nearest passages: {', '.join(found.missing[:5])}."
    return said
