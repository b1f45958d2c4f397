"""Drawn lines under the labels of a table's head, put together from their pieces."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.sources.pdf.cells import TextRow
from corpus.sources.pdf.model import Rule


def joined_lines(rules: Sequence[Rule], rows: Sequence[TextRow]) -> list[Rule]:
    """Pieces of one drawn line together, unless each of them underlines a label of its own."""
    joined: list[Rule] = []
    for group in _touching(rules):
        whole = Rule(group[0].x0, group[0].y0, max(rule.x1 for rule in group), group[0].y1)
        labelled = [rule for rule in group if _has_label(rule, rows)]
        joined += labelled if len(labelled) == len(group) else [whole]
    return [rule for rule in joined if rule.x1 - rule.x0 > 8]


def _touching(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules, sorted by height, on one height without a gap between them."""
    levels: list[list[Rule]] = []
    for rule in rules:
        if levels and rule.y0 - levels[-1][0].y0 < 1.5:
            levels[-1].append(rule)
        else:
            levels.append([rule])
    groups: list[list[Rule]] = []
    for level in levels:
        edge = float("-inf")
        for rule in sorted(level, key=lambda rule: rule.x0):
            if rule.x0 - edge < 1.5:
                groups[-1].append(rule)
            else:
                groups.append([rule])
            edge = max(edge, rule.x1)
    return groups


def _has_label(rule: Rule, rows: Sequence[TextRow]) -> bool:
    """Whether a label lies over a rule and no further than it."""
    above = [row for row in rows if row.base < rule.y0 + 1]
    if not above:
        return False
    return any(
        rule.x0 - 4 <= piece.line.rect.x0 and piece.line.rect.x1 <= rule.x1 + 4
        for piece in above[-1].pieces
    )
