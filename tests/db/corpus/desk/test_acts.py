"""What curators do at their desk: jobs, doubles, retractions, names, sources."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import AuditEvent
from corpus.models import (
    AliasRuling,
    Document,
    IngestJob,
    JobItem,
    Mention,
    Node,
    Ruling,
    Term,
    Work,
    WorkConflict,
)
from corpus.services import control, lexicons, linking, naming, works
from flux_site.kernel.errors import Conflict, InvalidInput, NotFound
from tests.factories import ChunkFactory, CorpusFactory, DocumentFactory, TeamFactory, UserFactory
from tests.support.ingesting import curator_of, ingest, ingest_files

pytestmark = pytest.mark.django_db
TITLE = {"title": "How SOCS3 ends a signal", "text": "It does.", "authors": ["Ann Lee"]}


def pair(corpus) -> WorkConflict:
    """Two papers that share a DOI and differ in PMID."""
    ids = ({"doi": "10.1000/a", "pmid": "1"}, {"doi": "10.1000/a", "pmid": "2"})
    ingest(corpus, *({"id": f"r{n}", "identifiers": i} | TITLE for n, i in enumerate(ids)))
    return WorkConflict.objects.get()


def job_page(job: IngestJob) -> str:
    return reverse("admin:corpus_ingestjob_change", args=[job.pk])


def test_a_job_is_told_what_to_do_and_a_refusal_is_said(desk, boss):
    job = IngestJob.objects.create(corpus=CorpusFactory(), source="pdf")

    desk.post(job_page(job), {"act": "pause"})
    job.refresh_from_db()
    assert job.state == "paused"
    assert "Paused: resume it" in desk.get(job_page(job)).content.decode()
    said = desk.post(job_page(job), {"act": "pause"}, follow=True).content.decode()
    assert "cannot be paused" in said
    assert AuditEvent.objects.filter(action="ingest.pause", actor=boss).count() == 1


def test_a_bulk_act_leaves_out_jobs_that_refuse(desk):
    corpus = CorpusFactory()
    over = IngestJob.objects.create(corpus=corpus, source="pdf", state="done")
    live = IngestJob.objects.create(corpus=corpus, source="pdf", state="running")
    data = {"action": "cancel", "_selected_action": [over.pk, live.pk]}

    said = desk.post(reverse("admin:corpus_ingestjob_changelist"), data, follow=True)

    assert "Cancel: 1 job." in said.content.decode()
    live.refresh_from_db()
    assert live.state == "stopped"


def test_all_that_failed_of_a_source_is_tried_again(desk, boss):
    one, two = CorpusFactory(), CorpusFactory()
    for corpus in (one, two):
        ingest_files(corpus, "pdf", [("broken.pdf", b"%PDF-1.4 nothing")])
    assert JobItem.objects.filter(state="failed").count() == 2

    with pytest.raises(Conflict):
        control.retry_source("pdf", by=boss)
    desk.post(reverse("admin:corpus_sources"), {"source": "pdf"})

    assert set(IngestJob.objects.values_list("state", flat=True)) == {"queued"}


def test_a_pair_that_a_curator_keeps_apart_is_suspected_no_more(desk):
    corpus = CorpusFactory()
    row = pair(corpus)

    desk.post(reverse("admin:corpus_workconflict_change", args=[row.pk]), {"verdict": "apart"})

    assert not WorkConflict.objects.exists()
    assert Ruling.objects.get().is_same is False
    works.note(list(Document.objects.values_list("pk", flat=True)))
    works.drain_all(100)
    assert not WorkConflict.objects.exists(), "it is remembered"
    assert Work.objects.count() == 2


def test_a_pair_becomes_one_paper_and_is_taken_apart_again(desk):
    row = pair(CorpusFactory())

    desk.post(reverse("admin:corpus_workconflict_change", args=[row.pk]), {"verdict": "same"})
    (work,) = Work.objects.filter(documents__isnull=False).distinct()
    document = work.documents.first()
    desk.post(reverse("admin:corpus_work_change", args=[work.pk]), {"split": document.pk})

    assert Work.objects.filter(documents__isnull=False).distinct().count() == 2


def test_a_pasted_list_of_retracted_papers_reaches_the_records(desk):
    ingest(CorpusFactory(), {"id": "r", "identifiers": {"pmid": "77"}} | TITLE)

    said = desk.post(reverse("admin:corpus_work_listed"), {"pmids": "77\n78"}, follow=True)

    assert "2 PMIDs read, 2 of them new" in said.content.decode()
    works.drain_all(100)  # as the task does that the page asks for
    assert Document.objects.get().retracted
    shown = desk.get(reverse("admin:corpus_work_changelist"))
    assert [row.pmid for row in shown.context_data["cl"].result_list] == ["77"]


@pytest.fixture
def term() -> Term:
    """A gene with a name that is also a word, in the vocabulary of a team's corpus."""
    corpus = CorpusFactory()
    vocabulary = DocumentFactory(corpus=corpus, type="vocabulary", source="vocabularies")
    return Term.objects.create(
        document=vocabulary,
        position=0,
        curie="hgnc:19391",
        label="SOCS3",
        kind="gene",
        symbols=["SOCS3", "CIS-3"],
        names=["suppressor of cytokine signaling 3"],
    )


def linked(term: Term) -> set[str]:
    """What of the corpus's passages is linked to the entity."""
    linking.link(list(Document.objects.values_list("pk", flat=True)), lambda: False)
    rows = Mention.objects.filter(node__curie=term.curie).select_related("chunk")
    return {row.chunk.text[row.start : row.end] for row in rows}


def test_a_name_that_a_curator_switched_off_matches_no_more(desk, term):
    document = DocumentFactory(corpus=term.document.corpus)
    ChunkFactory(document=document, text="Both SOCS3 and CIS3 are induced by IL-6.")
    before = lexicons.present(term.document.corpus).fingerprint
    assert linked(term) == {"SOCS3", "CIS3"}

    url = reverse("admin:corpus_term_change", args=[term.pk])
    desk.post(url, {"rule": "off CIS-3"})
    assert lexicons.present(term.document.corpus).fingerprint != before
    assert document.pk in linking.stale(term.document.corpus)
    assert linked(term) == {"SOCS3"}
    assert "SOCS3" in desk.get(url).content.decode()

    desk.post(url, {"rule": "on CIS-3"})
    assert lexicons.present(term.document.corpus).fingerprint == before
    assert linked(term) == {"SOCS3", "CIS3"}
    acts = AuditEvent.objects.filter(action="vocabulary.rule")
    assert [act.after["verdict"] for act in acts.order_by("pk")] == ["off", "on"]


def test_an_ambiguous_name_counts_beside_words_of_its_kind_only(term):
    corpus = term.document.corpus
    here = ChunkFactory(document__corpus=corpus, text="The gene SOCS3 is expressed in liver cells.")
    there = ChunkFactory(document__corpus=corpus, text="See SOCS3 on the next page.")
    naming.rule(term, "SOCS3", "ambiguous", by=curator_of(corpus))

    linked(term)

    found = set(Mention.objects.values_list("chunk", flat=True))
    assert here.pk in found
    assert there.pk not in found


def test_names_are_ruled_on_by_curators_of_the_vocabulary_alone(term):
    with pytest.raises(NotFound):
        naming.rule(term, "SOCS3", "off", by=UserFactory())
    reader = UserFactory()
    term.document.corpus.team.memberships.create(user=reader, role="reader")
    with pytest.raises(NotFound):
        naming.rule(term, "SOCS3", "off", by=reader)
    with pytest.raises(InvalidInput):
        naming.rule(term, "MET", "off", by=curator_of(term.document.corpus))
    assert not AliasRuling.objects.exists()
    assert not Node.objects.exists()


def test_a_curator_of_one_team_acts_on_no_job_of_another(signed):
    curator = UserFactory()
    TeamFactory(members=[curator])
    job = IngestJob.objects.create(corpus=CorpusFactory(visibility="site"), source="pdf")

    signed(curator).post(job_page(job), {"act": "cancel"})

    job.refresh_from_db()
    assert job.state == "queued"
