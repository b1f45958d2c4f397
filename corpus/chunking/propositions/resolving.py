"""Putting the subject that a sentence points at in its place, where it is sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from corpus.chunking.propositions.kinds import NOUNS, OF_RECORDS
from corpus.chunking.propositions.openings import Opening, opening_of
from corpus.chunking.propositions.subjects import Named, Subject, names_others, subject_of

LOOK_BACK: Final = 3  # sentences: what was named longer ago may have given way to another


class Resolver:
    """Reads the sentences of one passage in order and keeps what they spoke of.

    `title` is what a record is about; `is_first` lets it stand for a pronoun that opens the record.
    """

    def __init__(self, title: str = "", document_type: str = "", is_first: bool = False) -> None:
        nouns = OF_RECORDS.get(document_type, frozenset())
        name = title.strip().rstrip(".")
        self._record = Subject(name, plural=False) if nouns and name else None
        self._record_nouns = nouns
        self._spoken: list[Subject | None] = [self._record] if is_first else []

    def resolve(self, sentence: str, names: Sequence[Named] = ()) -> str | None:
        """The sentence with its subject named; None when it cannot be understood by itself."""
        opening = opening_of(sentence)
        if opening.form == "named":
            self._spoken.append(subject_of(sentence, names))
            return sentence
        meant = self._meant(opening)
        if meant is None:
            self._spoken.append(None)
            # "The protein" is less than a name but no riddle; "this protein" alone is one.
            is_plain = sentence[opening.start : opening.end].lower().startswith("the ")
            return sentence if opening.form == "noun" and is_plain else None
        others = names_others(sentence, opening.end, names)
        # What is said of the possessor's part is not said of the possessor.
        spoken = None if opening.form == "possessive" else replace(meant, rivalled=others)
        self._spoken.append(spoken)
        return _put(sentence, opening, meant)

    def _meant(self, opening: Opening) -> Subject | None:
        if opening.form in ("pronoun", "possessive"):
            last = self._spoken[-1] if self._spoken else None
            if last is None or last.plural != opening.plural:
                return None
            return last if opening.plural or not last.rivalled else None
        if opening.form != "noun":
            return None
        recent = [subject for subject in self._spoken[-LOOK_BACK:] if subject is not None]
        fitting = (one for one in reversed(recent) if _fits(one, opening))
        named = next(fitting, None)
        is_record = opening.noun in self._record_nouns and not opening.plural
        return named or (self._record if is_record else None)


def _fits(subject: Subject, opening: Opening) -> bool:
    """Whether "this protein" can mean the subject: same number, and its last word or, where nothing
    else was named, its kind.
    """
    if subject.plural != opening.plural:
        return False
    same_word = subject.head.removesuffix("s") == opening.noun.removesuffix("s")
    return same_word or (bool(NOUNS[opening.noun] & subject.kinds) and not subject.rivalled)


def _put(sentence: str, opening: Opening, meant: Subject) -> str:
    name = meant.text
    if opening.start and name.startswith("The "):
        name = f"the {name[4:]}"
    if opening.form == "possessive":
        name += "’" if meant.plural and name.endswith("s") else "’s"
    return sentence[: opening.start] + name + sentence[opening.end :]
