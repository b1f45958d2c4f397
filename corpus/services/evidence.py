"""Taking back what deleted documents said: evidence, and the edges that stood on it alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from django.db.models import QuerySet

from corpus.models import Change, Corpus, Edge, EdgeEvidence, EdgeSupport

SPECULATIVE = 0.5  # what a guess counts for

Key = tuple[int, int, str]  # edge, corpus, source


def withdraw(corpus: Corpus, rows: QuerySet[EdgeEvidence]) -> dict[str, int]:
    """Delete evidence in the caller's transaction; counts of what went.

    An edge without evidence goes with it. What supports the others is counted anew, and followers
    of the change log are told of every edge that was touched.
    """
    keys = set(rows.order_by().values_list("edge_id", "corpus_id", "source"))
    if not keys:
        return {}
    touched = sorted({edge for edge, _, _ in keys})
    list(Edge.objects.filter(pk__in=touched).order_by("pk").select_for_update())
    evidence = rows.delete()[1].get(EdgeEvidence._meta.label, 0)
    recount(keys)
    gone = _bare(touched)
    supports = EdgeSupport.objects.filter(edge__in=gone).delete()[0]
    edges = Edge.objects.filter(pk__in=gone).delete()[1].get(Edge._meta.label, 0)
    _note(corpus, touched, gone)
    return {"evidence": evidence, "edges": edges, "support": supports}


def _bare(edges: Collection[int]) -> set[int]:
    kept = EdgeEvidence.objects.filter(edge__in=edges).values_list("edge_id", flat=True)
    return set(edges) - set(kept)


def recount(keys: Collection[Key]) -> None:
    """Count support anew from the evidence that is left, and the edges' own counts from it."""
    edges = {edge for edge, _, _ in keys}
    counts = counted(edges)
    for key in keys:
        edge, corpus, source = key
        row = EdgeSupport.objects.filter(edge=edge, corpus=corpus, source=source)
        if key not in counts:
            row.delete()
        else:
            pos, neg, unsigned = counts[key]
            row.update(n_pos=pos, n_neg=neg, n_unsigned=unsigned)
    for edge in edges:
        left = EdgeEvidence.objects.filter(edge=edge)
        Edge.objects.filter(pk=edge).update(
            n_evidence=left.count(),
            n_pos=left.filter(sign=1, negated=False).count(),
            n_neg=left.filter(sign=-1, negated=False).count(),
        )


def counted(edges: Collection[int]) -> dict[Key, list[float]]:
    """Positive, negative and unsigned rows by edge, corpus and source.

    A denied row counts nothing, a guess half; what one document says twice counts once.
    """
    best: dict[Key, dict[tuple[object, int], float]] = defaultdict(dict)
    rows = EdgeEvidence.objects.filter(edge__in=edges).order_by()
    for pk, edge, corpus, source, document, sign, negated, speculative in rows.values_list(
        *("pk", "edge_id", "corpus_id", "source", "document_id", "sign", "negated", "speculative")
    ):
        said = best[edge, corpus, source]
        if not negated:
            by = (document if document is not None else f"row {pk}", sign)
            said[by] = max(said.get(by, 0.0), SPECULATIVE if speculative else 1.0)
    return {
        key: [sum(n for (_, sign), n in said.items() if sign == wanted) for wanted in (1, -1, 0)]
        for key, said in best.items()
    }


def _note(corpus: Corpus, touched: Collection[int], gone: Collection[int]) -> None:
    Change.objects.bulk_create(
        Change(
            corpus=corpus,
            corpus_public_id=corpus.public_id,
            kind="edge",
            key=edge,
            op="delete" if edge in gone else "upsert",
        )
        for edge in touched
    )
