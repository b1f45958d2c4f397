"""Runs, their events, and the answers they come to."""

from agent.models.answer import Answer, Citation, Claim
from agent.models.run import KeptCorpus, Run, RunCorpus, RunEvent, RunShare
from agent.models.session import SessionCorpus

__all__ = [
    "Answer",
    "Citation",
    "Claim",
    "KeptCorpus",
    "Run",
    "RunCorpus",
    "RunEvent",
    "RunShare",
    "SessionCorpus",
]
