"""Questions to start from."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from accounts.web.formats import shortened
from corpus.models import Corpus, Document

# Each is answered by a record of the demo corpus (flux_site.demo).
DEMO = (
    "How does SOCS3 end the signal of interleukin-6?",
    "Which kinases does tofacitinib inhibit?",
    "What happens to IκBα when the IKK complex is active?",
)
COUNT = 3


def examples(reader: User, corpora: Sequence[Corpus]) -> list[str]:
    """Three questions that the reader's corpora can answer."""
    if any(corpus.is_demo for corpus in corpora):
        return list(DEMO)
    titles = Document.objects.visible_to(reader).exclude(title="").order_by("-id")
    newest = titles.values_list("title", flat=True)[:COUNT]
    return [f"What is known about {shortened(title, 80)}?" for title in newest]
