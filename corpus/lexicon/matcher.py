"""Names in a text by one automaton over its folded form; the longest that stands wins."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ahocorasick_rs import AhoCorasick, Implementation

from corpus.lexicon import context, enumerations, extents
from corpus.lexicon.abbreviations import definitions
from corpus.lexicon.choosing import GROUPS, choose
from corpus.lexicon.drugs import ENDINGS, is_drug
from corpus.lexicon.folding import fold_name
from corpus.lexicon.known import CURATED, ORGANISMS
from corpus.lexicon.linking import links
from corpus.lexicon.loaders import (
    CASED,
    FREE,
    GENE_KINDS,
    LONG_FORM,
    NO_RULINGS,
    Name,
    Reason,
    Rulings,
    bare,
    index,
)
from corpus.lexicon.scene import Scene, Span
from corpus.lexicon.words import WORDS
from corpus.types import Term, TermKind


@dataclass(frozen=True, slots=True)
class Match:
    """Characters [start, end) of the text name an entity.

    `also` are ids of the same thing in other vocabularies, `alternatives` of other things with the
    same name.
    """

    start: int
    end: int
    text: str
    curie: str
    label: str
    kind: TermKind
    vocabulary: str
    reason: Reason
    name: str  # as the vocabulary spells what was found
    also: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()


class Lexicon:
    """All names of some terms. Reading is pure and may be done from many threads."""

    def __init__(
        self, terms: Iterable[Term], *, suffixes: bool = True, rulings: Rulings = NO_RULINGS
    ) -> None:
        self.terms, self.names = index([*terms, *ORGANISMS], rulings)
        self._suffixes = suffixes
        self._links = links(self.terms, self.names)
        self._build()

    def __getstate__(self) -> tuple[Any, ...]:
        """What is kept when a lexicon is saved; the automaton is quickly built again."""
        return self.terms, self.names, self._suffixes, self._links

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """A saved lexicon."""
        self.terms, self.names, self._suffixes, self._links = state
        self._build()

    def _build(self) -> None:
        self._keys = list(self.names.values())
        self._doubtful = [min(name.need for name in names) > CASED for names in self._keys]
        endings = [f"{ending} " for ending in ENDINGS] if self._suffixes else []
        self._automaton = AhoCorasick(
            [*(f" {key} " for key in self.names), *endings],
            implementation=Implementation.ContiguousNFA,
        )

    def match(self, text: str) -> list[Match]:
        """Names in a text, in its order. Only the members of a range ("VEGFR1-3") overlap."""
        scene = Scene(text)
        built = self._read(scene)
        long_forms = self._abbreviated(scene)
        self._settle(scene)
        kept = list(self._longest(scene, long_forms, built))
        shared = [match for name in kept for match in self._widened(scene, name)]
        kept = longest(shared)
        further = [*self._twins(kept, shared), *enumerations.members(text, kept, self._named)]
        return sorted(
            dict.fromkeys((*kept, *further)),
            key=lambda match: (match.start, match.end, match.curie),
        )

    def _longest(
        self, scene: Scene, long_forms: Mapping[Span, Match], built: Iterable[int]
    ) -> Iterator[Match]:
        """Of names that overlap the longest that stands, of equally long ones the first."""
        drugs = {(place, place) for place in built}
        sizes = {span: scene.size(span) for span in (*scene.sure, *long_forms, *drugs)}
        taken: set[int] = set()
        for span in sorted(sizes, key=lambda span: (-sizes[span], span)):
            tokens = range(span[0], span[1] + 1)
            if not taken.isdisjoint(tokens):
                continue
            match = long_forms.get(span)
            if match is None and span in scene.sure:
                match = self._made(scene, span, scene.sure[span])
            if match is None and span in drugs:
                match = self._built(scene, span)
            if match is not None:
                taken.update(tokens)
                yield match

    def _widened(self, scene: Scene, match: Match) -> Iterator[Match]:
        """The match over its whole mention; with it what shares that mention."""
        group = GROUPS.get(match.kind, "other")
        if group not in ("disease", "chemical"):
            yield match
            return
        core = scene.span(match.start, match.end)
        if not context.stands_alone(scene.text, scene.folded, *core, group):
            return
        first, last = extents.widened(scene.text, scene.folded, *core, group)
        others: list[Match] = []
        if group == "disease" and first == core[0]:
            for at, name in extents.siblings(scene.text, scene.folded, *core):
                other = self._named(name)
                if other is None or other.kind != "disease":
                    break
                others.append(other)
                first = at
            first = extents.widened(scene.text, scene.folded, first, last, group)[0]
        yield self._at(scene, (first, last), match) if (first, last) != core else match
        for other in others:
            yield self._at(scene, (first, last), replace(other, reason="enumeration"))

    @staticmethod
    def _twins(kept: list[Match], found: list[Match]) -> Iterator[Match]:
        """Members of an enumeration, which have the span of the name that ends it."""
        spans = {(match.start, match.end) for match in kept}
        for match in found:
            if match.reason == "enumeration" and (match.start, match.end) in spans:
                yield match

    def _read(self, scene: Scene) -> list[int]:
        """Weigh all names of the text; return the tokens that are built like drugs."""
        built: list[int] = []
        folded = scene.folded
        for number, start, end in self._automaton.find_matches_as_indexes(
            folded.text, overlapping=True
        ):
            if number >= len(self._keys):
                place = bisect_left(folded.stops, end - 1)
                if is_drug(scene.surface((place, place)), scene.words[place]):
                    built.append(place)
            elif span := folded.tokens(start + 1, end - 1):
                surface = scene.surface(span)
                # The word itself is by far the commonest case.
                if not (self._doubtful[number] and surface in WORDS):
                    self._weigh(scene, span, surface, self._keys[number])
        return built

    def _weigh(self, scene: Scene, span: Span, surface: str, names: tuple[Name, ...]) -> None:
        """Names that count as they stand, and those that need more."""
        free = tuple(name for name in names if name.need == FREE)
        scene.spoken.update(self._links.get(name.term, name.term) for name in free)
        if len(free) == len(names):
            if not context.is_acronym(scene.text, scene.folded, *span, free):
                scene.sure[span] = free
            return
        written = [n for n in names if n.need and context.written_as_symbol(surface, n)]
        if sure := free + tuple(name for name in written if name.need == CASED):
            scene.sure[span] = sure
        if unsure := tuple(name for name in written if name.need > CASED):
            scene.unsure[span] = unsure

    def _settle(self, scene: Scene) -> None:
        """Names that need context, once what is sure is known."""
        genes = {
            token
            for span, names in scene.sure.items()
            if any(name.reason == "symbol" and name.need == CASED for name in names)
            for token in span
        }
        for span, names in scene.unsure.items():
            shown = tuple(name for name in names if self._shown(scene, span, name, genes))
            if shown:
                scene.sure[span] = scene.sure.get(span, ()) + shown

    def _shown(self, scene: Scene, span: Span, name: Name, genes: AbstractSet[int]) -> bool:
        if self._links.get(name.term, name.term) in scene.spoken:
            return True
        if name.need == LONG_FORM or self.terms[name.term].kind not in GENE_KINDS:
            return False
        if context.shouted(scene.text, scene.folded, *span, scene.sure):
            return False
        spoken = context.gene_spoken_of(scene.text, scene.folded, *span)
        return spoken or context.listed(scene.words, *span, genes)

    def _abbreviated(self, scene: Scene) -> dict[Span, Match]:
        """Short forms that the text defines stand for what their long form is. One whose long form
        is unknown is what shares words with it, or a gene that is spoken of as one.
        """
        made: dict[Span, Match] = {}
        if "(" not in scene.text and "[" not in scene.text:
            return made
        for defined in definitions(scene.text):
            long = scene.span(*defined.long_span)
            names = scene.sure.get(long)
            whole = names and self._made(scene, long, names)
            behind = scene.span(*defined.short_span)[1] + 1
            is_gene = scene.words[behind : behind + 1] and scene.words[behind] in context.GENE_CUES
            for span in scene.written(defined.short):
                known = scene.sure.get(span, ()) + scene.unsure.get(span, ())
                symbols = tuple(name for name in known if name.reason == "symbol")
                if is_gene and symbols:
                    scene.drop(span, symbols)
                elif whole:
                    made[span] = self._at(scene, span, replace(whole, reason="long form"))
                elif known:
                    scene.drop(span, self._agreeing(scene, span, known, long))
        return made

    def _agreeing(
        self, scene: Scene, span: Span, known: tuple[Name, ...], long: Span
    ) -> tuple[Name, ...]:
        """Names of a short form that agree with its long form, given as tokens."""
        said = {word for token in scene.words[long[0] : long[1] + 1] for word in token.split()}
        spoken = context.gene_spoken_of(scene.text, scene.folded, *span)
        return tuple(
            name
            for name in known
            if name.need == FREE
            or bare(name.text).lower() in CURATED
            or (spoken and name.reason == "symbol")
            or self._shares(self.terms[name.term], said)
        )

    @staticmethod
    def _shares(term: Term, said: set[str]) -> bool:
        """Of a gene one word is enough, names of genes being long; of others it takes half."""
        own = _words(term.names)
        if term.kind in GENE_KINDS:
            return any(len(word) > 2 and word not in WORDS for word in said & own)
        return 2 * len(said & own) >= len(said)

    def _made(self, scene: Scene, span: Span, names: tuple[Name, ...]) -> Match | None:
        surface = scene.surface(span)
        # A text says the same name again and again.
        if (surface, names) not in scene.chosen:
            scene.chosen[surface, names] = choose(
                self.terms, names, surface, scene.spoken, self._links
            )
        chosen = scene.chosen[surface, names]
        if chosen is None:
            return None
        term = chosen.term
        start = scene.folded.spans[span[0]][0]
        return Match(
            start=start,
            end=start + len(surface),
            text=surface,
            curie=term.curie,
            label=term.label,
            kind=term.kind,
            vocabulary=term.curie.partition(":")[0],
            reason=chosen.name.reason,
            name=chosen.name.text,
            also=chosen.also,
            alternatives=chosen.alternatives,
        )

    def _at(self, scene: Scene, span: Span, match: Match) -> Match:
        start, end = scene.folded.spans[span[0]][0], scene.folded.spans[span[1]][1]
        return replace(match, start=start, end=end, text=scene.text[start:end])

    def _named(self, name: str) -> Match | None:
        """The entity of a name by itself, made for ranges and enumerations."""
        scene = Scene(name)
        names = self.names.get(scene.folded.text.strip(), ())
        written = tuple(
            n for n in names if n.need in (FREE, CASED) and context.written_as_symbol(name, n)
        )
        return self._made(scene, (0, len(scene.folded.spans) - 1), written) if written else None

    def _built(self, scene: Scene, span: Span) -> Match:
        name = scene.words[span[0]]
        match = Match(0, 0, "", f"drug:{name}", name, "drug", "suffix", "drug suffix", name)
        return self._at(scene, span, match)


@lru_cache(maxsize=1 << 12)
def _words(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for text in names for word in fold_name(text).split())


def longest(found: Iterable[Match]) -> list[Match]:
    """Of matches that overlap the longest, of equally long ones the first in the text."""
    kept: list[Match] = []
    taken: set[int] = set()
    for match in sorted(found, key=lambda match: (match.start - match.end, match.start)):
        if taken.isdisjoint((match.start, match.end - 1)):
            kept.append(match)
            taken.update(range(match.start, match.end))
    return kept
