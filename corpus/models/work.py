"""The paper behind documents."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from corpus.querysets import WorkQuerySet


class Work(models.Model):
    """One paper, whoever holds records of it. It keeps ids and standing only: no text of any
    corpus.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    doi = models.CharField(max_length=255, blank=True)
    pmid = models.CharField(max_length=20, blank=True)
    pmcid = models.CharField(max_length=20, blank=True)
    openalex = models.CharField(max_length=30, blank=True)
    retracted = models.BooleanField(default=False)
    concern = models.BooleanField(default=False)
    corrected = models.BooleanField(default=False)

    objects = WorkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=[name], condition=~Q(**{name: ""}), name=f"work_{name}")
            for name in ("doi", "pmid", "pmcid", "openalex")
        ]

    def __str__(self) -> str:
        return self.doi or self.pmid or self.pmcid or self.openalex or str(self.public_id)


class WorkLink(models.Model):
    """Two works that belong together but stay two: a preprint and its published version, a notice
    and its paper.
    """

    KINDS = [
        ("preprint_of", "Preprint of"),
        ("retracts", "Retracts"),
        ("corrects", "Corrects"),
        ("concerns", "Raises concern about"),
    ]

    source = models.ForeignKey(Work, models.CASCADE, related_name="links")
    target = models.ForeignKey(Work, models.CASCADE, related_name="linked_from")
    kind = models.CharField(max_length=12, choices=KINDS)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "target", "kind"], name="work_link_identity")
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.kind} {self.target}"
