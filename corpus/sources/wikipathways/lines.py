"""Lines of a drawing as statements about nodes: ends resolved, arrowheads read.

An end may touch a node, a group (it stands for its members) or an anchor on another line (it stands
for that interaction). What it touches else (a label, a shape, nothing) is no participant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from corpus.sources.wikipathways.gpml import Gpml, Line, Node

# Arrowhead -> predicate and sign. A plain arrow says neither what happens nor whether it helps.
_HEADS: Final = {
    "arrow": ("affects", 0), "directed": ("affects", 0),
    "mim-conversion": ("converted_to", 0), "conversion": ("converted_to", 0),
    "mim-catalysis": ("catalyzes", 0), "catalysis": ("catalyzes", 0),
    "mim-stimulation": ("regulates_activity", 1), "stimulation": ("regulates_activity", 1),
    "mim-necessary-stimulation": ("regulates_activity", 1),
    "mim-inhibition": ("regulates_activity", -1), "inhibition": ("regulates_activity", -1),
    "tbar": ("regulates_activity", -1),
    "mim-transcription-translation": ("regulates_expression", 0),
    "transcriptiontranslation": ("regulates_expression", 0),
    "mim-modification": ("modifies", 0), "mim-binding": ("binds", 0), "binding": ("binds", 0),
    "mim-covalent-bond": ("binds", 0), "mim-cleavage": ("cleaves", 0),
    "mim-translocation": ("translocated_to", 0), "translocation": ("translocated_to", 0),
}  # fmt: skip
_UNDIRECTED: Final = ("associated_with", 0)
_MAX_DEPTH: Final = 6
MAX_PAIRS: Final = 200_000


@dataclass(frozen=True, slots=True)
class End:
    """What an end stands for. `how` is node, group or interaction."""

    nodes: tuple[Node, ...] = ()
    how: str = ""
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One arrow: every node of `sources` does `predicate` to every node of `targets`.

    `sign` is the effect on the targets; of an arrow onto an interaction that is its own sign times
    that of the interaction, and `own_sign` is the arrow's alone.
    """

    line: Line
    number: int
    sources: End
    targets: End
    predicate: str
    sign: int
    own_sign: int
    head: str


class Drawing:
    """A drawing with its references looked up."""

    def __init__(self, gpml: Gpml) -> None:
        self.gpml = gpml
        self._nodes = {node.id: node for node in gpml.nodes if node.id}
        self._lines = {anchor: line for line in gpml.lines for anchor in line.anchors}
        self._groups = {group.ref: group.id for group in gpml.groups if group.ref}
        self._members: dict[str, list[Node]] = {}
        self._inner: dict[str, list[str]] = {}
        self._unfolded: dict[str, tuple[Node, ...]] = {}
        for node in gpml.nodes:
            self._members.setdefault(node.group, []).append(node)
        for group in gpml.groups:
            self._inner.setdefault(group.parent, []).append(group.id)

    def members(self, group_id: str, depth: int = 0) -> tuple[Node, ...]:
        """The nodes of a group and of the groups in it, in the order of the file."""
        if not group_id or depth > _MAX_DEPTH:
            return ()
        inner = [
            node
            for part in self._inner.get(group_id, ())
            if part != group_id
            for node in self.members(part, depth + 1)
        ]
        return tuple(dict.fromkeys([*self._members.get(group_id, ()), *inner]))

    def end(self, ref: str, *, outgoing: bool, depth: int = 0) -> End:
        """What an end touches. An end on an interaction stands for its targets; where a line goes
        out from there, for its sources.
        """
        if not ref or depth > _MAX_DEPTH:
            return End()
        if ref in self._nodes:
            return End((self._nodes[ref],), "node")
        if ref in self._groups:
            group = self._groups[ref]
            if group not in self._unfolded:
                self._unfolded[group] = self.members(group)
            return End(self._unfolded[group], "group")
        line = self._lines.get(ref)
        if line is None:
            return End()
        first, second = (line.start, line.end) if _forward(line) else (line.end, line.start)
        chosen = first if outgoing else second
        nodes = self.end(chosen, outgoing=outgoing, depth=depth + 1).nodes
        if not nodes:  # the other end is all that is known of the interaction
            other = second if outgoing else first
            nodes = self.end(other, outgoing=outgoing, depth=depth + 1).nodes
        return End(nodes, "interaction", line)

    def statements(self) -> Iterator[Statement]:
        """Every arrow whose two ends are known; a line with two heads gives two."""
        for number, line in enumerate(self.gpml.lines, start=1):
            for start, end, head in _directions(line):
                sources = self.end(start, outgoing=True)
                targets = self.end(end, outgoing=False)
                if sources.nodes and targets.nodes:
                    predicate, own = head_of(head)
                    sign = own
                    if targets.line is not None:
                        predicate = _upon(predicate, targets.line)
                        sign = own * _sign_of(targets.line)
                    yield Statement(line, number, sources, targets, predicate, sign, own, head)


def head_of(head: str) -> tuple[str, int]:
    """(predicate, sign) of an arrowhead; a line without one only associates."""
    return _HEADS.get(head.lower(), ("affects", 0)) if head else _UNDIRECTED


def _forward(line: Line) -> bool:
    return bool(line.end_head) or not line.start_head


def _directions(line: Line) -> Iterator[tuple[str, str, str]]:
    """(from, to, arrowhead), one for each head; without any head the line runs as drawn."""
    if line.end_head or not line.start_head:
        yield line.start, line.end, line.end_head
    if line.start_head:
        yield line.end, line.start, line.start_head


def _upon(predicate: str, line: Line) -> str:
    """The predicate of an arrow onto an interaction, as it meets that interaction's target."""
    makes = head_of(line.end_head or line.start_head)[0] == "converted_to"
    if predicate == "catalyzes":
        return "catalyzes_formation_of" if makes else predicate
    return "regulates_amount" if predicate == "regulates_activity" and makes else predicate


def _sign_of(line: Line) -> int:
    """How more of an interaction shows in its target: less of it where it inhibits, more where it
    makes or stimulates it, unknown where the drawing has a plain arrow or line.
    """
    predicate, sign = head_of(line.end_head or line.start_head)
    made = predicate in ("converted_to", "regulates_expression", "catalyzes", "translocated_to")
    return sign or (1 if made else 0)
