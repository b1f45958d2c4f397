"""Names in annotated abstracts beside a plain look-up: `bin/bench lexicon [SHARED_DATA] [--errors]`

Exact spans of diseases (NCBI disease, BC5CDR) and chemicals (BC5CDR). The look-up is
leftmost-longest over lower-cased words in the same names. Rules were made on the abstracts whose id
has an even sha256; the odd ones are reported beside the whole. Needs no database. Rows: precision
and recall, the share of marked surfaces that some vocabulary has (folded), recall of those, the
share of right ids among right spans (by itself / with its ids elsewhere), and differences with 95 %
intervals over abstracts drawn again.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import re
import resource
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.installation import ROOT, table
from corpus.lexicon.folding import fold_name
from corpus.lexicon.matcher import Lexicon, Match
from corpus.types import Term

SETS = (
    ("NCBI test", "ncbi_disease/NCBItestset_corpus.txt"),
    ("NCBI dev", "ncbi_disease/NCBIdevelopset_corpus.txt.gz"),
    ("BC5CDR", "bc5cdr/CDR_sample.txt"),
)
KINDS = {"disease": {"disease"}, "chemical": {"chemical", "drug"}}
DRAWS, PIECE = 2000, 2000


def saved(folder: Path) -> list[Term]:
    """The terms of a folder of vocabularies as an installation reads them, without its database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "flux_site.settings.dev")
    import django

    django.setup()
    from corpus.services.vocabularies import read_vocabularies

    return list(read_vocabularies([str(folder)]))


@dataclass(frozen=True)
class Mention:
    """A span with its type and ids."""

    start: int
    end: int
    text: str
    kind: str
    ids: frozenset[str]


@dataclass
class Abstract:
    """A title and an abstract with what annotators marked."""

    pmid: str
    text: str = ""
    gold: list[Mention] = field(default_factory=list)

    @property
    def is_odd(self) -> bool:
        """Whether it is one that no rule was made on."""
        return hashlib.sha256(self.pmid.encode()).digest()[-1] % 2 == 1


def read(path: Path) -> list[Abstract]:
    """PubTator form: offsets count title, one blank, abstract."""
    data = path.read_bytes()
    raw = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    found: dict[str, Abstract] = {}
    for line in raw.splitlines():
        if match := re.match(r"(\d+)\|([ta])\|(.*)", line):
            entry = found.setdefault(match[1], Abstract(match[1]))
            entry.text = match[3] if match[2] == "t" else f"{entry.text} {match[3]}"
        elif (cells := line.split("\t"))[1:2] and cells[1].isdigit():
            kind = "chemical" if cells[4] == "Chemical" else "disease"
            ids = frozenset(re.split(r"[|+]", cells[5])) if cells[5:] else frozenset()
            mention = Mention(int(cells[1]), int(cells[2]), cells[3], kind, ids)
            found[cells[0]].gold.append(mention)
    return list(found.values())


class LookUp:
    """Lower-cased words of a text in a dictionary of lower-cased names, leftmost-longest."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self.names: dict[tuple[str, ...], str] = {}
        for term in terms:
            for name in () if term.withdrawn else (term.label, *term.names, *term.symbols):
                self.names.setdefault(tuple(self._words(name)), term.curie)
        self.most = max(map(len, self.names))

    def match(self, text: str) -> Iterator[tuple[int, int, str]]:
        """(start, end, curie)."""
        tokens = list(re.finditer(r"\w+|[^\w\s]", text))
        words = [token[0].lower() for token in tokens]
        at = 0
        while at < len(words):
            for size in range(min(self.most, len(words) - at), 0, -1):
                if curie := self.names.get(tuple(words[at : at + size])):
                    yield tokens[at].start(), tokens[at + size - 1].end(), curie
                    at += size - 1
                    break
            at += 1

    @staticmethod
    def _words(name: str) -> list[str]:
        return re.findall(r"\w+|[^\w\s]", name.lower())


Counts = tuple[int, int, int]  # right, found, wanted


def count(found: set[tuple[int, int]], wanted: set[tuple[int, int]]) -> Counts:
    return len(found & wanted), len(found), len(wanted)


def f1(rows: Sequence[Counts]) -> float:
    right, found, wanted = (sum(column) for column in zip(*rows, strict=True))
    return 2 * right / (found + wanted) if found + wanted else 0.0


def precision(rows: Sequence[Counts]) -> float:
    return sum(r[0] for r in rows) / max(1, sum(r[1] for r in rows))


def recall(rows: Sequence[Counts]) -> float:
    return sum(r[0] for r in rows) / max(1, sum(r[2] for r in rows))


def paired(ours: Sequence[Counts], floor: Sequence[Counts], measure: Callable[..., float]) -> str:
    """Difference with its 95 % interval, abstracts drawn again; two-sided p."""
    draw = random.Random(0)
    places = range(len(ours))
    seen = []
    for _ in range(DRAWS):
        drawn = draw.choices(places, k=len(places))
        seen.append(measure([ours[i] for i in drawn]) - measure([floor[i] for i in drawn]))
    seen.sort()
    p = 2 * min(sum(d <= 0 for d in seen), sum(d >= 0 for d in seen)) / DRAWS
    gain = measure(ours) - measure(floor)
    low, high = seen[int(0.025 * DRAWS)], seen[int(0.975 * DRAWS) - 1]
    return f"{gain:+.3f} [{low:+.3f}, {high:+.3f}] p {'<' if p == 0 else ''}{max(p, 1 / DRAWS):.4g}"


class Judge:
    """Both readers over all sets, once."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms
        self.lexicon = Lexicon(terms)
        self.look_up = {
            kind: LookUp(t for t in terms if t.kind in kinds) for kind, kinds in KINDS.items()
        }
        self.known = {
            kind: {
                key
                for key, names in self.lexicon.names.items()
                if any(self.lexicon.terms[name.term].kind in kinds for name in names)
            }
            for kind, kinds in KINDS.items()
        }
        self.xrefs = {term.curie: term.xrefs for term in terms}

    def matches(self, abstract: Abstract, kind: str) -> list[Match]:
        return [m for m in self.lexicon.match(abstract.text) if m.kind in KINDS[kind]]

    def wanted(self, abstract: Abstract, kind: str) -> list[Mention]:
        return [m for m in abstract.gold if m.kind == kind]

    def in_vocabulary(self, mention: Mention) -> bool:
        return fold_name(mention.text) in self.known[mention.kind]

    def mesh_ids(self, match: Match) -> set[str]:
        """MeSH ids of a match, by itself and by the references of its vocabularies."""
        curies = [match.curie, *match.also]
        every = [*curies, *(x for curie in curies for x in self.xrefs.get(curie, ()))]
        return {c.split(":", 1)[1] for c in every if c.startswith(("mesh:", "omim:"))}


def report(judge: Judge, name: str, abstracts: Sequence[Abstract], kind: str) -> tuple[object, ...]:
    """One row of the table."""
    ours, floor, known = [], [], [0, 0]
    first = any_id = judged = 0
    for abstract in abstracts:
        gold = judge.wanted(abstract, kind)
        spans = {(m.start, m.end) for m in gold}
        found = judge.matches(abstract, kind)
        ours.append(count({(m.start, m.end) for m in found}, spans))
        looked = {(a, b) for a, b, _ in judge.look_up[kind].match(abstract.text)}
        floor.append(count(looked, spans))
        by_span = {(m.start, m.end): m for m in found}
        for mention in gold:
            match = by_span.get((mention.start, mention.end))
            if judge.in_vocabulary(mention):
                known[0] += match is not None
                known[1] += 1
            if match and mention.ids - {"-1", ""}:
                judged += 1
                first += match.curie.split(":", 1)[1] in mention.ids
                any_id += bool(judge.mesh_ids(match) & mention.ids)
    wanted = sum(row[2] for row in ours)
    return (
        name,
        kind,
        f"{len(abstracts)} / {wanted}",
        f"{precision(floor):.3f} / {recall(floor):.3f}",
        f"{precision(ours):.3f} / {recall(ours):.3f}",
        f"{known[1] / wanted:.2f}",
        f"{known[0] / max(1, known[1]):.3f}",
        f"{first / max(1, judged):.3f} / {any_id / max(1, judged):.3f}",
        paired(ours, floor, precision),
        paired(ours, floor, recall),
        paired(ours, floor, f1),
    )


def errors(judge: Judge, abstracts: Sequence[Abstract], kind: str) -> None:
    """What is wrong and what is missing, by surface, commonest first."""
    wrong: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for abstract in abstracts:
        gold = {(m.start, m.end): m for m in judge.wanted(abstract, kind)}
        found = {(m.start, m.end): m for m in judge.matches(abstract, kind)}
        for span, match in found.items():
            if span not in gold:
                over = [g.text for (a, b), g in gold.items() if a < span[1] and span[0] < b]
                note = f" ~ {over[0]}" if over else ""
                wrong[f"{match.text} [{match.curie} {match.reason}]{note}"] += 1
        for span, mention in gold.items():
            if span not in found and judge.in_vocabulary(mention):
                over = [m.text for (a, b), m in found.items() if a < span[1] and span[0] < b]
                missing[f"{mention.text} {' ~ ' + over[0] if over else ''}"] += 1
    for label, counts in (("wrong", wrong), ("missing though known", missing)):
        print(f"\n{kind}, {label}: {sum(counts.values())}")
        for text, number in counts.most_common(150):
            print(f"  {number} {text}")


def speed(lexicon: Lexicon, abstracts: Sequence[Abstract]) -> str:
    """Processor time for 2,000 characters, best of five each."""
    text = " ".join(abstract.text for abstract in abstracts)
    pieces = [text[at : at + PIECE] for at in range(0, len(text) - PIECE, PIECE)]
    best = []
    for piece in pieces:
        took = []
        for _ in range(5):
            started = time.process_time()
            lexicon.match(piece)
            took.append(time.process_time() - started)
        best.append(1000 * min(took))
    best.sort()
    p95 = best[int(0.95 * len(best))]
    return f"median {statistics.median(best):.2f} ms, p95 {p95:.2f} ms, n {len(best)}"


def main() -> None:
    """Tables, speed, and the errors of the half that may be looked at."""
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    data = Path(arguments[0]) if arguments else ROOT.parent / "shared" / "data"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    terms = saved(data / "vocab")
    started = time.process_time()
    judge = Judge(terms)
    started, built = time.process_time(), time.process_time() - started
    sets = [(name, read(data / "questions" / path)) for name, path in SETS]
    sets.insert(2, ("NCBI both", sets[0][1] + sets[1][1]))
    if "--errors" in sys.argv:
        for kind in KINDS:
            even = [
                a
                for _, found in sets[2 if kind == "disease" else 3 :]
                for a in found
                if not a.is_odd
            ]
            errors(judge, even, kind)
        return
    rows = []
    for name, found in sets[2:]:
        even = [a for a in found if not a.is_odd]
        odd = [a for a in found if a.is_odd]
        for part, abstracts in (("even", even), ("odd", odd), ("whole", found)):
            kinds = KINDS if name == "BC5CDR" else ("disease",)
            rows += [report(judge, f"{name}, {part}", abstracts, kind) for kind in kinds]
    table(
        [
            *("set", "type", "abstracts / mentions", "look-up P / R", "lexicon P / R"),
            *("in vocabulary", "R of those", "id first / any", "P gain", "R gain", "F1 gain"),
        ],
        rows,
    )
    everything = [a for _, found in sets for a in found]
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"\n{len(terms):,} terms, {len(judge.lexicon.names):,} folded names")
    print(f"built, look-ups and sets too, in {built:.1f} CPU-s; peak memory of all {memory:.0f} MB")
    print(f"{PIECE:,} characters: {speed(judge.lexicon, everything)}")


if __name__ == "__main__":
    main()
