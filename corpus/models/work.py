"""The paper behind documents, and what documents say of papers."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from corpus.querysets import WorkQuerySet

SITE = "site"  # the scope of works that every signed-in reader may know of


class Work(models.Model):
    """One paper, whoever holds records of it. It keeps ids and standing only: no text of any
    corpus.

    A work belongs to a scope, the set of corpora whose readers are the same: what one of these
    corpora says of a paper never shows to a reader of others. Works are made from the identities of
    their documents by services.works and can be made anew from these at any time.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    scope = models.CharField(max_length=40, default=SITE)  # site, team:ID or corpus:ID
    doi = models.CharField(max_length=255, blank=True)
    pmid = models.CharField(max_length=20, blank=True)
    pmcid = models.CharField(max_length=20, blank=True)
    openalex = models.CharField(max_length=30, blank=True)
    title_key = models.CharField(max_length=64, blank=True)  # a hash: no title is kept here
    retracted = models.BooleanField(default=False)
    concern = models.BooleanField(default=False)
    corrected = models.BooleanField(default=False)
    # The site's work of the same paper: its standing counts for this one too.
    public_work = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="scoped"
    )

    objects = WorkQuerySet.as_manager()

    class Meta:
        verbose_name = "paper"
        verbose_name_plural = "papers"
        constraints = [
            models.UniqueConstraint(
                fields=["scope", name], condition=~Q(**{name: ""}), name=f"work_scope_{name}"
            )
            for name in ("doi", "pmid", "pmcid", "openalex")
        ]
        indexes = [
            models.Index(
                fields=["scope", "title_key"], condition=~Q(title_key=""), name="work_title"
            ),
            models.Index(
                fields=["-id"],
                condition=Q(retracted=True) | Q(concern=True) | Q(corrected=True),
                name="work_standing",
            ),
        ]

    def __str__(self) -> str:
        return self.doi or self.pmid or self.pmcid or self.openalex or str(self.public_id)


class WorkLink(models.Model):
    """Two works that belong together but stay two: a preprint and its published version, a notice
    and its paper. A link of a narrower scope may end at a work of the site.
    """

    KINDS = [
        ("preprint_of", "Preprint of"),
        ("updates", "Newer version of"),
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


class WorkConflict(models.Model):
    """Two works of one scope that a curator should compare."""

    REASONS = [
        ("ids", "They share an id, but other ids of theirs differ"),
        ("title", "They share a title, but not surely more"),
    ]

    one = models.ForeignKey(Work, models.CASCADE, related_name="conflicts")
    two = models.ForeignKey(Work, models.CASCADE, related_name="conflicts_with")
    reason = models.CharField(max_length=5, choices=REASONS)

    class Meta:
        verbose_name = "suspected double"
        verbose_name_plural = "suspected doubles"
        constraints = [
            models.UniqueConstraint(fields=["one", "two", "reason"], name="work_conflict_identity")
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.two}: {self.get_reason_display()}"


class Identity(models.Model):
    """What a document says about which paper it is. A document that tells nothing has none."""

    KINDS = [("paper", "Paper"), ("preprint", "Preprint"), ("notice", "Notice")]

    document = models.OneToOneField(
        "corpus.Document", models.CASCADE, primary_key=True, related_name="identity"
    )
    scope = models.CharField(max_length=40)
    keys = ArrayField(models.CharField(max_length=270))  # doi:…, pmid:…, title:HASH
    kind = models.CharField(max_length=8, choices=KINDS, default="paper")
    author = models.CharField(max_length=64, blank=True)  # hash of the first author's family name
    # Of a record that names no authors (a PDF): hashes of its first words, one of them may be the
    # name.
    opening = ArrayField(models.CharField(max_length=12), default=list, blank=True)

    class Meta:
        verbose_name_plural = "identities"
        indexes = [GinIndex(fields=["keys"], name="identity_keys")]

    def __str__(self) -> str:
        return f"identity of {self.document_id}"


class Statement(models.Model):
    """What a document, or a list of the site, says of a paper's standing or versions.

    `outward`: the document's paper does it to `other` (a notice retracts a paper); otherwise
    `other` does it to the document's paper, and is empty where the source names no notice. `other`
    is a key as in Identity. Works take standing and links from these, whichever came first.
    """

    document = models.ForeignKey(
        "corpus.Document", models.CASCADE, null=True, blank=True, related_name="statements"
    )
    origin = models.CharField(max_length=40, blank=True)  # of a list's: its name
    scope = models.CharField(max_length=40)
    kind = models.CharField(max_length=12, choices=WorkLink.KINDS)
    outward = models.BooleanField()
    other = models.CharField(max_length=270, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["document", "kind", "outward", "other"],
                condition=Q(document__isnull=False),
                name="statement_identity",
            ),
            models.UniqueConstraint(
                fields=["scope", "kind", "other"],
                condition=Q(document__isnull=True),
                name="listed_statement_identity",
            ),
        ]
        indexes = [models.Index(fields=["other"], condition=~Q(other=""), name="statement_other")]

    def __str__(self) -> str:
        return f"{self.kind} {self.other}" if self.outward else f"{self.kind} by {self.other}"


class Ruling(models.Model):
    """A curator's word that two documents are of one paper, or are not."""

    one = models.ForeignKey("corpus.Document", models.CASCADE, related_name="rulings")
    two = models.ForeignKey("corpus.Document", models.CASCADE, related_name="rulings_with")
    is_same = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "two"], name="ruling_identity"),
            models.CheckConstraint(condition=Q(one__lt=models.F("two")), name="ruling_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} {'is' if self.is_same else 'is not'} {self.two_id}"


class Unsettled(models.Model):
    """A document whose work has to be found again: something outside it has changed."""

    document = models.OneToOneField(
        "corpus.Document", models.CASCADE, primary_key=True, related_name="+"
    )

    class Meta:
        verbose_name_plural = "unsettled"

    def __str__(self) -> str:
        return f"unsettled {self.document_id}"
