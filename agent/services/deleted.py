"""What becomes of saved answers when documents or corpora that they cite are deleted.

The quotes stay as they were saved, marked as no longer stored, unless the corpus's team drops them
(services.dropping). A quote follows the permission of its corpus; once that is gone, only the asker
sees it, and only one who could read the corpus to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from agent.models import Answer, Citation, KeptCorpus, Run
from agent.services import dropping
from corpus.models import Corpus, Document
from corpus.services.holders import Holder, Named, register


def affected(corpus: Corpus, documents: QuerySet[Document] | None) -> list[UUID]:
    """Runs whose saved answers cite the documents, or anything of the corpus; the newest first."""
    cited = (
        Citation.objects.filter(corpus=corpus)
        if documents is None
        else Citation.objects.filter(document__in=documents)
    )
    answers = Answer.objects.filter(pk__in=cited.values("answer")).order_by("-pk")
    return list(answers.values_list("run__public_id", flat=True))


def named(ids: Sequence[UUID], reader: User) -> list[Named]:
    """Those of the runs that the reader may see, by question."""
    runs = Run.objects.visible_to(reader).filter(public_id__in=ids).order_by("-pk")
    return [
        Named(str(run.public_id), run.question, reverse("agent:run", args=[run.public_id]))
        for run in runs
    ]


def release(corpus: Corpus) -> None:
    """As a corpus goes: keep what its quotes' askers may read now, empty the other quotes; all of
    them where the team drops quotes.
    """
    runs = Run.objects.filter(run_corpora__corpus=corpus)
    askers = User.objects.filter(pk__in=runs.values("user"))
    if corpus.team.drops_quotes:
        askers = askers.none()
    readers = [
        user.pk for user in askers if Corpus.objects.readable_by(user).filter(pk=corpus.pk).exists()
    ]
    kept = runs.filter(user__in=readers).values_list("pk", flat=True)
    KeptCorpus.objects.bulk_create(
        (KeptCorpus(run_id=run, corpus=corpus.pk) for run in kept), ignore_conflicts=True
    )
    others = Citation.objects.filter(corpus=corpus).exclude(answer__run__user__in=readers)
    others.update(quote="", title="", external_id="", section="", image_hash="")


def register_holder() -> None:
    """Have deletions ask here."""
    register(
        Holder(
            "answers_marked",
            affected=affected,
            named=named,
            release=release,
            erase=dropping.erase,
        )
    )
