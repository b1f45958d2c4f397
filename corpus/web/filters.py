"""Which of a corpus's documents its page shows, and how many at once."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.functional import cached_property

from accounts.web.formats import Choice, choices
from accounts.web.requests import SignedInRequest
from corpus.models import Chunk, Corpus, Document
from corpus.web.kinds import source_label

STATUSES = [
    ("", "Any status"),
    ("ready", "Ready"),
    ("empty", "No text"),
    ("retracted", "Retracted"),
]


class Documents(Paginator):
    """Pages of documents. The count is asked once, and not at all where it is known."""

    def __init__(self, rows: QuerySet[Document], per_page: int, known: int | None = None) -> None:
        super().__init__(rows, per_page)
        self.rows, self.known = rows, known

    @cached_property
    def count(self) -> int:
        """How many there are."""
        return self.rows.count() if self.known is None else self.known


class Filters:
    """What the reader asks to see of a corpus's documents."""

    def __init__(self, request: SignedInRequest, corpus: Corpus) -> None:
        self.corpus = corpus
        self.reader = request.user
        self.text = request.GET.get("text", "").replace("\x00", "").strip()[:200]
        self.source = request.GET.get("source", "").replace("\x00", "")[:30]
        self.status = request.GET.get("status", "")
        self.team = request.GET.get("team", "").replace("\x00", "")

    @property
    def on(self) -> bool:
        """Whether anything is left out."""
        return bool(self.text or self.source or self.status)

    @property
    def hidden(self) -> list[dict[str, str]]:
        """What the form must carry on."""
        return [{"name": "team", "value": self.team}] if self.team else []

    @cached_property
    def by_source(self) -> dict[str, int]:
        """How many documents of the corpus come from each source."""
        found = Document.objects.visible_to(self.reader).filter(corpus=self.corpus)
        return dict(found.order_by("source").values_list("source").annotate(Count("pk")))

    @property
    def sources(self) -> list[Choice]:
        """Sources that this corpus has documents of."""
        return choices([(name, source_label(name)) for name in self.by_source], self.source)

    @property
    def known_count(self) -> int | None:
        """How many documents fit, where that is known without asking again."""
        return None if self.on else sum(self.by_source.values())

    @property
    def statuses(self) -> list[Choice]:
        """States to choose from."""
        return choices(STATUSES, self.status)

    @property
    def query(self) -> str:
        """The rest of the query string for the pager."""
        kept = {"team": self.team, "text": self.text, "source": self.source, "status": self.status}
        text = urlencode({key: value for key, value in kept.items() if value})
        return f"{text}&" if text else ""

    def apply(self, documents: QuerySet[Document]) -> QuerySet[Document]:
        """The documents that fit."""
        if self.source:
            documents = documents.filter(source=self.source)
        if self.status == "retracted":
            documents = documents.filter(retracted=True)
        elif self.status in {"ready", "empty"}:
            passages = Chunk.objects.visible_to(self.reader).filter(corpus=self.corpus)
            with_text = passages.values("document")
            ready = Q(pk__in=with_text, retracted=False)
            documents = documents.filter(ready if self.status == "ready" else ~Q(pk__in=with_text))
        for word in self.text.split()[:8]:
            documents = documents.filter(_holds(word))
        return documents


def _holds(word: str) -> Q:
    """Documents whose title, authors or ids hold the word."""
    return (
        Q(title__icontains=word)
        | Q(external_id__icontains=word)
        | Q(authors__icontains=word)
        | Q(identifiers__icontains=word)
    )
