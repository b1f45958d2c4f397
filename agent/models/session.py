"""Which corpora a research session may read."""

from __future__ import annotations

from django.db import models

from accounts.models import ResearchSession
from corpus.models import Corpus


class SessionCorpus(models.Model):
    """A corpus of a research session; here, since sessions stand beneath corpora."""

    session = models.ForeignKey(ResearchSession, models.CASCADE, related_name="session_corpora")
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "corpus"], name="session_corpus_identity")
        ]

    def __str__(self) -> str:
        return f"{self.corpus} in {self.session}"
