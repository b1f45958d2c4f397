"""Two sides of one world: what a reader may see, and what a team of others keeps.

Both sides are made by the same recipe through the product's own services, so that whatever can be
asked of one can be asked of the other. Words, papers and people overlap on purpose.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from PIL import Image

from accounts.models import ApiToken, User
from accounts.services import tokens
from agent.services.runs import start_run, wait_for_end
from corpus.models import (
    Chunk,
    Corpus,
    Deletion,
    Document,
    Figure,
    IngestJob,
    Page,
    Table,
    Watched,
)
from corpus.services import deletion
from corpus.types import NormalizedDocument
from flux_site.kernel import blobs
from retrieval.lexical.follower import LexicalFollower
from tests.factories import (
    CorpusFactory,
    FigureFactory,
    PageFactory,
    TableFactory,
    TeamFactory,
    UserFactory,
)
from tests.support.ingesting import ingest
from tests.support.papers import paper, put

QUESTION = "Which gene does STAT3 drive, and what does its product inhibit?"
SCOPES = ("read", "ask", "ingest")


@dataclass
class Side:
    """A person, their team's corpus, and one of each thing that it holds."""

    marker: str  # a word that stands in everything of this side and nowhere else
    person: User
    token: ApiToken
    secret: str
    corpus: Corpus
    document: Document  # with a page, a figure and a table
    plain: Document
    chunk: Chunk
    figure: Figure
    table: Table
    page: Page
    image: str
    job: IngestJob
    run: Any = None
    spare: Document | None = None  # to be deleted by its page
    spare_too: Document | None = None  # to be deleted by the API
    deletion: Deletion | None = None
    watched: Watched | None = None
    feed: Watched | None = None


def picture(shade: int) -> bytes:
    """A small PNG, another one for each shade."""
    stream = io.BytesIO()
    Image.new("RGB", (130, 130), (shade, 40, 90)).save(stream, "PNG")
    return stream.getvalue()


def make_side(marker: str, *, shade: int, slanders: bool = False) -> Side:
    """One side, whole: people, corpus, records, pictures, a job, word index.

    One that slanders also holds notices about the papers that both sides have, and a record that
    says that two of them are one.
    """
    person = UserFactory(email=f"{marker}@example.org", name=f"Person {marker}")
    team = TeamFactory(slug=f"team-{marker}", name=f"Team {marker}", owners=[person])
    corpus = CorpusFactory(team=team, slug=f"corpus-{marker}", name=f"Corpus {marker}")
    records = [
        {
            "id": f"{marker}-{n}",
            "title": f"STAT3 and SOCS3 feedback, {marker} {n}",
            "text": f"STAT3 drives transcription of SOCS3 in {marker} cells. SOCS3 inhibits JAK2, "
            f"and the {marker} signal ends. The half-life was {n + 4} minutes.",
            "identifiers": {"pmid": str(100 + n)},  # the same papers on both sides
            "year": 2001 + n,
            "tags": [marker, "feedback"],
        }
        for n in range(6)
    ]
    job = ingest(corpus, *records, {"title": f"no id: {marker}"}, name=f"{marker}.jsonl")
    if slanders:
        put(corpus, *slander(marker))
    document = Document.objects.get(corpus=corpus, external_id=f"{marker}-0")
    image = blobs.put(picture(shade))
    placed = {"document": document, "image_sha256": image}
    token, secret = tokens.create(person, SCOPES, name=f"token {marker}")
    side = Side(
        marker=marker,
        person=person,
        token=token,
        secret=secret,
        corpus=corpus,
        document=document,
        plain=Document.objects.get(corpus=corpus, external_id=f"{marker}-1"),
        chunk=document.chunks.get(),
        figure=FigureFactory(**placed, caption=f"Figure of {marker}.", position=0),
        table=TableFactory(
            **placed, caption=f"Table of {marker}.", rows=[["Gene", marker]], position=0
        ),
        page=PageFactory(**placed),
        image=image,
        job=job,
    )
    side.watched = Watched.objects.create(corpus=corpus, path=f"/inbox/{marker}", user=person)
    side.feed = Watched.objects.create(
        corpus=corpus, source="pubmed", query=marker, paused=True, user=person
    )
    side.spare, side.spare_too, gone = (
        Document.objects.get(corpus=corpus, external_id=f"{marker}-{n}") for n in (3, 4, 5)
    )
    asked = deletion.request(corpus, [gone.public_id], by=person)
    side.deletion = deletion.work_off(asked)
    catch_up()
    side.run = start_run(person, QUESTION)
    side.run = wait_for_end(side.run, timeout_s=30)
    return side


def slander(marker: str) -> list[NormalizedDocument]:
    """Records that would change how the papers 100 to 102 stand, and which they are."""
    return [
        paper(
            f"{marker}-notice",
            pmid="900",
            title=f"Retraction: STAT3 and SOCS3 feedback, {marker}",
            said=(("retracts", "pmid:100"), ("concern_about", "pmid:101"), ("updates", "pmid:102")),
        ),
        paper(f"{marker}-bridge", pmid="100", doi="10.5555/bridge", retracted=True),
        paper(f"{marker}-other", pmid="101", doi="10.5555/bridge", said=(("updates", "pmid:100"),)),
    ]


def catch_up() -> None:
    """Let the word index follow the change log to its end."""
    follower = LexicalFollower(settings.LEXICAL_ROOT)
    follower.start()
    follower.catch_up()
    follower.close()
