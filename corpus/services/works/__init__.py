"""One paper, however many records of it: which it is, how it stands, what belongs to it.

Ingestion calls `lock`, `describe` and `settle`; deletion calls `leaving` before and `settle` after.
Doors call `rescope` when permissions of a corpus change, and beat calls `drain` and `sweep`.
"""

from corpus.services.works.records import links_of, same_work
from corpus.services.works.retractions import note_retracted_pmids
from corpus.services.works.rulings import keep_apart, merge, split, suspected
from corpus.services.works.scopes import lock, scope_of
from corpus.services.works.settling import Touched, describe, leaving, note, settle
from corpus.services.works.unsettled import drain, drain_all, rescope, sweep

__all__ = [
    "Touched",
    "describe",
    "drain",
    "drain_all",
    "keep_apart",
    "leaving",
    "links_of",
    "lock",
    "merge",
    "note",
    "note_retracted_pmids",
    "rescope",
    "same_work",
    "scope_of",
    "settle",
    "split",
    "suspected",
    "sweep",
]
