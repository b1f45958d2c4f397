"""What stands around a name: whether a short symbol is spoken of as what it would stand for."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from corpus.lexicon.folding import Folded
from corpus.lexicon.known import CURATED
from corpus.lexicon.loaders import CASED, Name, bare
from corpus.lexicon.words import WORDS, word_set

# Folded words beside a symbol that make it a gene or its product.
GENE_CUES: Final = word_set("""
    gene genes locus allele mrna cdna transcript isoform exon intron promoter protein kinase
    receptor ligand inhibitor agonist antagonist antibody mutation mutant variant
    polymorphism haplotype genotype amplification deletion silencing knockout knockdown
    overexpression expression signaling signalling pathway transcription phosphorylation
    deficient null transgenic sirna shrna crispr oncogene activity level encode encoding
    encoded express expressing expressed overexpressing phosphorylated phosphorylate codon
    homolog homologue ortholog paralog subunit domain inhibition activation enzyme
""")
_PAIRS: Final = frozenset(("knock out", "knock down", "knock in", "over expression"))
_ZYGOSITY = re.compile(r"\s?\(?(?:-/-|−/−|–/–|\+/-|\+/−|\+/–|\+/\+|fl/fl|flox/flox)")
_NEAR = 2  # tokens
_SHORT_WORD = 4  # letters


def written_as_symbol(surface: str, name: Name) -> bool:
    """Whether a surface is written as a symbol is, its folded form being equal.

    Small letters do for an approved symbol that is no word, and for one with a digit.
    """
    written, wanted = bare(surface), bare(name.text)
    if written == wanted or written.removesuffix("s") == wanted:
        return True
    if len(written) > len(wanted) or (written[0].islower() and written[1:].isupper()):
        return written.lower() in CURATED  # Aires is none of AIRE; eGFR is a rate
    if any(c.isspace() for c in surface.strip()) and not any(c.isspace() for c in name.text):
        return written.upper() == written and len(written) > 3
    if any(c.isupper() for c in written[1:]):
        return len(written) > 3 or written.isupper()
    if written.lower() in WORDS or len(written) < 3:
        return False
    has_digit = any(c.isdigit() for c in written)
    return has_digit or (name.reason == "symbol" and name.need == CASED and len(written) > 3)


def gene_spoken_of(text: str, folded: Folded, first: int, last: int) -> bool:
    """Whether tokens first to last stand beside a word of genes, in the same clause, or are marked
    as a genotype (-/-).
    """
    if _ZYGOSITY.match(text, folded.spans[last][1]):
        return True
    behind = list(_clause(folded, range(last + 1, last + 1 + _NEAR)))
    before = list(_clause(folded, range(first - 1, first - 1 - _NEAR, -1)))
    return any(word in GENE_CUES for word in (*before, *behind)) or " ".join(behind) in _PAIRS


def _clause(folded: Folded, places: range) -> Iterator[str]:
    """Words at places, as far as no bar stands between."""
    for place in places:
        barred = place if places.step > 0 else place + 1
        if not 0 <= place < len(folded.words) or barred in folded.bars:
            return
        yield folded.words[place]


def listed(words: Sequence[str], first: int, last: int, genes: AbstractSet[int]) -> bool:
    """Whether a token of a sure gene stands next to it, or behind an "and" or "or": "EGFR, MET and
    ALK".
    """
    for step, edge in ((-1, first), (1, last)):
        beside = edge + step
        if 0 <= beside < len(words) and words[beside] in ("and", "or"):
            beside += step
        if beside in genes:
            return True
    return False


def shouted(
    text: str, folded: Folded, first: int, last: int, named: Container[tuple[int, int]]
) -> bool:
    """Whether the words around are capitals too, so that capitals say nothing. Words that are names
    themselves do not count.
    """
    places = [*range(max(0, first - 3), first), *range(last + 1, min(len(folded.spans), last + 4))]
    near = [text[slice(*folded.spans[place])] for place in places if (place, place) not in named]
    longer = [word for word in near if len(word) > 3 and word.isalpha()]
    return bool(longer) and all(word.isupper() for word in longer)


def is_acronym(text: str, folded: Folded, first: int, last: int, names: Sequence[Name]) -> bool:
    """Whether a short word of a vocabulary stands here as an acronym: RAT among small letters is an
    assessment tool.
    """
    surface = text[folded.spans[first][0] : folded.spans[last][1]]
    if len(surface) > _SHORT_WORD or not surface.isupper():
        return False
    if any(name.text.isupper() for name in names):
        return False
    near = [*range(max(0, first - 2), first), *range(last + 1, min(len(folded.spans), last + 3))]
    return any(text[slice(*folded.spans[place])].islower() for place in near)


_NOT = re.compile(r"\bnon[-– ]?$", re.IGNORECASE)
_LOOSE_PREFIXES = word_set("""
    anti non pre post low high co pro free total intra extra sub hyper hypo poly mono oral
""")
_GLUED_BEHIND = re.compile(r"[-–](?:[A-Za-z]?\d|[A-Z]-)")


def stands_alone(text: str, folded: Folded, first: int, last: int, group: str) -> bool:
    """Whether a name is not what a longer, unknown name is made of: the L-arginine of
    nitro-L-arginine; nor what something is said not to be (non-FAP).
    """
    start, end = folded.spans[first][0], folded.spans[last][1]
    if _NOT.search(text, max(0, start - 4), start):
        return False
    if group != "chemical":
        return True
    if text[start - 1 : start] in (")", "]") or _GLUED_BEHIND.match(text, end):
        return start < 1 or text[start - 1].isspace()
    if first and text[start - 1] in "-–":
        word = folded.words[first - 1]
        return word in _LOOSE_PREFIXES or (len(word) > 2 and word in WORDS)
    return True
