"""Which records are of one paper, and how papers stand, in whatever order records come."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.models import Change, Corpus, Document, Statement, Work, WorkConflict
from corpus.services import works
from corpus.types import Block, NormalizedDocument
from tests.factories import CorpusFactory
from tests.support.papers import TITLE, links, paper, papers, put, remove, standing

pytestmark = pytest.mark.django_db

DOI = "10.5555/abc.1"
PREPRINT = "10.1101/2019.01.02.000001"


def site() -> Corpus:
    return CorpusFactory(visibility="site")


def test_records_that_share_an_id_are_one_work():
    put(site(), paper("a", doi=DOI), paper("b", pmid="11"), paper("c", doi=DOI, pmid="11"))

    assert papers() == {frozenset("abc")}
    work = Work.objects.get()
    assert (work.doi, work.pmid) == (DOI, "11")


def test_the_oldest_row_survives_a_merge():
    first, second = put(site(), paper("a", doi=DOI), paper("b", pmid="11"))
    (bridge,) = put(first.corpus, paper("c", doi=DOI, pmid="11"))

    assert bridge.work_id == first.work_id
    assert not Work.objects.filter(pk=second.work_id).exists()


def test_ids_of_one_kind_that_differ_keep_papers_apart_and_are_shown_to_curators():
    a, b = put(site(), paper("a", doi=DOI, pmid="11"), paper("b", doi=DOI, pmid="12"))

    assert papers() == {frozenset("a"), frozenset("b")}
    assert [c.reason for c in works.suspected(a.corpus)] == ["ids"]
    assert sorted(Work.objects.values_list("doi", "pmid")) == [("", "12"), (DOI, "11")]
    remove(b)
    assert not WorkConflict.objects.exists()


def test_openalex_doubles_of_one_doi_are_one_work():
    put(site(), paper("a", doi=DOI, openalex="W1"), paper("b", doi=DOI, openalex="W2"))

    assert papers() == {frozenset("ab")}


def test_title_author_and_year_make_one_work_without_a_shared_id():
    put(
        site(),
        paper("a", pmid="11", title=TITLE + "."),
        paper("b", title=TITLE.upper(), authors=("Lindqvist A",), published="2020-01"),
    )

    assert papers() == {frozenset("ab")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        {"authors": ("Bo Ek",)},
        {"published": "2021"},
        {"authors": ()},
        {"title": f"Retraction: {TITLE}"},
        {"title": f"Correction to: {TITLE}"},
        {"doi": "10.5555/other"},
        {"type": "note"},
    ],
    ids=lambda other: ",".join(other),
)
def test_what_speaks_against_it_keeps_a_title_apart(other: dict[str, object]):
    more = {"title": TITLE} | other
    put(site(), paper("a", doi=DOI, title=TITLE), paper("b", **more))

    assert papers() == {frozenset("a"), frozenset("b")}


@pytest.mark.parametrize("title", ["Editorial", "Reply to the editor", "Introduction", "IL-6"])
def test_generic_titles_join_nothing(title: str):
    put(site(), paper("a", doi=DOI, title=title), paper("b", title=title))

    assert papers() == {frozenset("a"), frozenset("b")}


def test_a_title_that_two_papers_have_joins_neither_and_is_shown_to_curators():
    a, *_ = put(
        site(),
        paper("a", doi=DOI, title=TITLE),
        paper("b", doi="10.5555/other", title=TITLE),
        paper("c", title=TITLE),
    )

    assert papers() == {frozenset("a"), frozenset("b"), frozenset("c")}
    assert works.suspected(a.corpus).count() == 3


def file(name: str, text: str) -> NormalizedDocument:
    """A PDF without DOI: a title, and the names of its authors somewhere in its first text."""
    return paper(name, source="pdf", title=TITLE, authors=(), published="", blocks=(Block(text),))


def test_a_file_without_ids_and_authors_joins_the_paper_whose_author_it_names():
    put(
        site(),
        paper("a", doi=DOI, title=TITLE),
        file("named", "Ada Lindqvist1, Bo Ek2. SOCS3 inhibits JAK2."),
        file("other", "Cem Demir. SOCS3 inhibits JAK2."),
        file("same", "Cem Demir. SOCS3 inhibits JAK2."),
    )

    assert papers() == {frozenset({"a", "named"}), frozenset({"other", "same"})}


def test_a_file_that_names_the_authors_of_two_papers_joins_neither():
    put(
        site(),
        paper("a", doi=DOI, title=TITLE),
        paper("b", doi="10.5555/b", title=TITLE, authors=("Bo Ek",)),
        file("both", "Ada Lindqvist, Bo Ek. SOCS3 inhibits JAK2."),
    )

    assert papers() == {frozenset("a"), frozenset("b"), frozenset({"both"})}


def test_preprint_and_published_version_are_linked_and_stay_two():
    put(
        site(),
        paper("pre", doi=PREPRINT, title=TITLE, published="2018"),
        paper("pub", doi=DOI, pmid="11", title=TITLE),
        paper("file", title=TITLE),
    )

    assert papers() == {frozenset({"pre"}), frozenset({"pub", "file"})}
    assert links() == {("pre", "preprint_of", "file")}
    assert not WorkConflict.objects.exists()


def test_versions_of_a_preprint_are_one_work():
    put(
        site(),
        paper("one", doi="10.21203/rs.3.rs-77/v1"),
        paper("two", doi="10.21203/rs.3.rs-77/v2"),
    )

    assert papers() == {frozenset({"one", "two"})}


def test_pubmed_update_links_say_preprint_where_one_is():
    put(
        site(),
        paper("pre", doi=PREPRINT, pmid="11", said=(("updated_by", "pmid:12"),)),
        paper("pub", doi=DOI, pmid="12", said=(("updates", "pmid:11"),)),
        paper("old", pmid="21"),
        paper("new", pmid="22", said=(("updates", "pmid:21"),)),
    )

    assert links() == {("pre", "preprint_of", "pub"), ("new", "updates", "old")}


NOTICE = paper("notice", pmid="99", said=(("retracts", "pmid:11"),), metadata={"is_notice": True})
RECORDS = [
    paper("pubmed", pmid="11", doi=DOI),
    paper("file", doi=DOI),
    NOTICE,
    paper("erratum", pmid="98", said=(("corrects", f"doi:{DOI}"),)),
]


@pytest.mark.slow
@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_a_notice_reaches_every_record_whichever_came_first(order: tuple[int, ...]):
    put(site(), *(RECORDS[n] for n in order))

    assert standing() == {"pubmed": "re", "file": "re", "notice": "", "erratum": ""}
    assert links() == {("notice", "retracts", "file"), ("erratum", "corrects", "file")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("record", "mark"),
    [
        (paper("b", doi=DOI, retracted=True), "r"),
        (paper("b", doi=DOI, said=(("retracted_by", "pmid:9"),)), "r"),
        (paper("b", doi=DOI, said=(("concern_by", "pmid:9"),)), "c"),
        (paper("b", doi=DOI, said=(("partly_retracted_by", "pmid:9"),)), "c"),
        (paper("b", doi=DOI, said=(("corrected_by", "pmid:9"),)), "e"),
        (paper("b", doi=DOI, metadata={"links": [{"kind": "concern_by", "pmid": ""}]}), "c"),
    ],
)
def test_what_one_record_says_counts_for_all_and_goes_with_it(record, mark):
    _, b = put(site(), paper("a", doi=DOI), record)
    assert standing() == {"a": mark, "b": mark}

    remove(b)

    assert standing() == {"a": ""}


def test_a_corrected_record_takes_its_retraction_back():
    corpus = site()
    put(corpus, paper("a", doi=DOI), paper("b", doi=DOI, retracted=True))

    put(corpus, paper("b", doi=DOI))

    assert standing() == {"a": "", "b": ""}


def test_a_notice_that_goes_takes_its_retraction_along():
    corpus = site()
    _, notice = put(corpus, paper("a", pmid="11"), NOTICE)
    assert standing()["a"] == "r"

    remove(notice)

    assert standing() == {"a": ""}


def test_a_change_of_standing_is_told_to_the_followers_and_moves_the_revision():
    (paper_,) = put(site(), paper("a", pmid="11"))
    Change.objects.all().delete()
    before = Corpus.objects.get(pk=paper_.corpus_id).revision

    put(site(), NOTICE)

    noted = Change.objects.filter(kind="document", key=paper_.pk)
    assert list(noted.values_list("op", flat=True)) == ["upsert"]
    assert Corpus.objects.get(pk=paper_.corpus_id).revision == before + 1
    paper_.refresh_from_db()
    assert paper_.retracted


def test_reading_a_record_again_keeps_the_standing_that_others_gave_it():
    (stored,) = put(site(), paper("a", pmid="11"))
    put(stored.corpus, NOTICE)

    put(stored.corpus, paper("a", pmid="11", title="A better title"))

    assert standing()["a"] == "r"
    assert Document.objects.get(external_id="a").title == "A better title"


def test_a_record_whose_ids_change_leaves_its_former_work():
    corpus = site()
    put(corpus, paper("a", doi=DOI), paper("b", doi=DOI, retracted=True))

    put(corpus, paper("b", doi="10.5555/other", retracted=True))

    assert papers() == {frozenset("a"), frozenset("b")}
    assert standing() == {"a": "", "b": "r"}


def test_a_list_of_retracted_papers_reaches_those_here_and_those_to_come():
    corpus = site()
    put(corpus, paper("a", pmid="11"))

    noted = works.note_retracted_pmids(["11", "012", "11", "x"])
    put(corpus, paper("b", pmid="12"), paper("c", pmid="13"))

    assert (noted.listed, noted.new, noted.documents) == (2, 2, 1)
    assert standing() == {"a": "r", "b": "r", "c": ""}
    again = works.note_retracted_pmids(["11", "12"])
    assert (again.new, again.documents, Statement.objects.count()) == (0, 2, 2)


def test_a_record_that_is_no_paper_stands_as_it_says():
    (document,) = put(site(), paper("a", title="Short", retracted=True, authors=()))

    assert document.work is None
    assert document.retracted


def test_the_last_record_of_a_work_takes_it_along():
    (document,) = put(site(), paper("a", doi=DOI))

    remove(document)

    assert not Work.objects.exists()


POOL = [
    paper("a", doi=DOI, title=TITLE),
    paper("b", pmid="11", doi=DOI),
    paper("c", pmid="11", pmcid="PMC5"),
    paper("d", title=TITLE),
    paper("e", doi=DOI, pmid="12"),
    paper("f", pmcid="PMC5", doi="10.5555/other"),
    paper("g", doi=PREPRINT, title=TITLE, published="2018"),
    paper("h", pmid="99", said=(("retracts", "pmid:11"),)),
    paper("i", pmid="98", said=(("concern_about", "pmid:12"),)),
    paper("j", openalex="W1", doi=DOI, retracted=True),
    paper("k", openalex="W1", title=TITLE),
]


@pytest.mark.slow
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_the_end_does_not_depend_on_the_order(data: st.DataObject):
    names = st.integers(0, len(POOL) - 1)
    chosen = data.draw(st.lists(names, unique=True, min_size=2, max_size=8))
    other = data.draw(st.permutations(chosen))
    gone = data.draw(names)
    ends = []
    for order in (chosen, other):
        Corpus.objects.all().delete()
        Work.objects.all().delete()
        corpus = site()
        if order is other and gone not in chosen:  # what came and went leaves no trace
            half = len(order) // 2
            put(corpus, *(POOL[n] for n in order[:half]))
            (passing,) = put(corpus, POOL[gone])
            put(corpus, *(POOL[n] for n in order[half:]))
            remove(passing)
        else:
            put(corpus, *(POOL[n] for n in order))
        conflicts = sorted(
            (*sorted(map(_names, (c.one, c.two))), c.reason) for c in WorkConflict.objects.all()
        )
        ids = sorted(Work.objects.values_list("doi", "pmid", "pmcid", "openalex"))
        ends.append((papers(), standing(), links(), conflicts, ids))

    assert ends[0] == ends[1]


def _names(work: Work) -> str:
    return "".join(sorted(document.external_id for document in work.documents.all()))
