"""What someone who means harm sends or asks for: refused in a sentence, and in time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.types import Role
from corpus.admin.items import CodeFilter
from corpus.chunking import sentences
from corpus.models import Document, JobFile, JobItem, Watched
from corpus.services import corpora, fetching, leases, scanning, uploads, watching
from corpus.sources import cleaning, markup, tabular
from corpus.sources.html import hidden
from corpus.web import links
from flux_site.kernel.errors import InvalidInput, NotAllowed
from tests.factories import CorpusFactory, DocumentFactory, MembershipFactory
from tests.support.ingesting import curator_of, ingest, ingest_files, lines

COMMENTS = b"<!---->" * 400 + b"x"


def test_a_head_of_many_comments_is_looked_at_once() -> None:
    assert markup._HTML_HEAD.match(COMMENTS) is None
    assert markup._HTML_HEAD.match(b" <!-- a > b --> <!---->\n<!DOCTYPE html>")


def test_a_long_row_of_dots_is_gone_through_once() -> None:
    assert sentences.split("(" + "." * 100_000 + "x") == [(0, 100_002)]


def test_tags_and_rules_that_do_not_end_are_gone_through_once() -> None:
    assert cleaning._EDGE_TAGS.sub("", "<" + "a" * 200_000) == "<" + "a" * 200_000
    assert cleaning._EDGE_TAGS.sub("", "<i>a</i> < b") == "a < b"
    assert hidden._AT_RULE.sub("", "@" + "a" * 200_000 + "@a" * 50_000).count("@") == 50_001
    assert hidden._AT_RULE.sub("", "@media print { .a { b: c } } .d { e: f }") == " .d { e: f }"


def test_many_columns_of_one_name_are_told_apart_at_once() -> None:
    names = tabular._named(["a"] * 20_000)
    assert len(set(names)) == 20_000
    assert names[:3] == ("a", "a (2)", "a (3)")
    assert tabular._named(["a", "a (2)", "a"]) == ("a", "a (2)", "a (3)")


@pytest.mark.django_db
def test_a_reader_s_upload_is_refused_before_it_is_looked_at() -> None:
    corpus = CorpusFactory(visibility="team")
    reader = MembershipFactory(team=corpus.team, role=Role.READER.value).user
    client = Client()
    client.force_login(reader)
    file = SimpleUploadedFile("x.tsv", COMMENTS)

    answer = client.post(reverse("corpus:upload", args=[corpus.slug]), {"files": file})

    assert answer.status_code in {403, 404}
    assert JobFile.objects.count() == 0


@pytest.mark.django_db
def test_a_file_whose_name_is_no_utf_8_is_read_like_another(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    (tmp_path / name).write_bytes(lines([{"id": "a", "title": "A", "text": "SOCS3 binds JAK2."}]))

    ingest_files(CorpusFactory(), "jsonl", list(uploads.walk([str(tmp_path)])))

    assert JobFile.objects.get().name == "caf\\udce9.jsonl"
    assert Document.objects.get().external_id == "a"


@pytest.mark.django_db
def test_an_address_that_is_none_is_no_link() -> None:
    document = DocumentFactory(external_id="x", metadata={"url": "http://[x"})
    assert links.record_link(document) == ("", "")


@pytest.mark.django_db
def test_a_personal_corpus_is_not_for_everybody_and_watches_no_folder(
    settings, tmp_path: Path
) -> None:
    settings.WATCH_ROOTS = [tmp_path]
    (tmp_path / "secret").mkdir()
    user = MembershipFactory().user
    team = user.personal_team

    with pytest.raises(NotAllowed, match="site admin"):
        corpora.create("all", team, visibility="site", by=user)
    corpus = corpora.create("mine", team, by=user)
    with pytest.raises(NotAllowed, match="corpora of teams"):
        watching.add(corpus, "secret", by=user)
    row = Watched.objects.create(corpus=corpus, user=user, path=str(tmp_path / "secret"))
    assert scanning.scan(row.pk) == []
    row.refresh_from_db()
    assert "corpora of teams" in row.error


@pytest.mark.django_db
def test_numbers_and_names_without_bounds_are_refused(settings, tmp_path: Path) -> None:
    settings.WATCH_ROOTS = [tmp_path]
    corpus = CorpusFactory()
    with pytest.raises(InvalidInput, match="from 1 to"):
        fetching.request_for(query="x", limit=99_999_999_999)
    with pytest.raises(InvalidInput, match="no folder"):
        watching.add(corpus, "a" * 5000, by=curator_of(corpus))


@pytest.mark.django_db
def test_a_desk_lists_what_its_reader_may_see(staff_of_another_team) -> None:
    corpus = CorpusFactory(visibility="private")
    by = curator_of(corpus)
    Watched.objects.create(corpus=corpus, user=by, source="pubmed", query="our secret")
    job = uploads.accept(corpus, "jsonl", [("a.jsonl", lines([{"id": "a"}]))], by=by)
    JobItem.objects.create(
        job=job, file=job.files.get(), position=0, name="a", state="failed", code="our_code"
    )
    client = Client()
    client.force_login(staff_of_another_team)

    answer = client.get(reverse("admin:corpus_watched_changelist"))

    assert answer.status_code == 200
    assert "our secret" not in answer.content.decode()
    request = RequestFactory().get("/")
    request.user = staff_of_another_team
    from django.contrib import admin

    desk = admin.site._registry[JobItem]
    assert CodeFilter(request, {}, JobItem, desk).lookup_choices == []


@pytest.fixture
def staff_of_another_team():
    """Staff with all rights on models, who is in another team."""
    from django.contrib.auth.models import Permission

    user = MembershipFactory(role=Role.CURATOR.value).user
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="corpus"))
    return user


@pytest.mark.django_db
def test_an_id_that_two_documents_have_deletes_neither(capsys) -> None:
    corpus = CorpusFactory()
    by = curator_of(corpus)
    for source in ("pubmed", "jsonl"):
        DocumentFactory(corpus=corpus, source=source, external_id="888001")

    with pytest.raises(SystemExit):
        call_command(*("delete", "--corpus", corpus.slug, "--document", "888001"), "--as", by.email)

    assert "2 documents are called '888001'" in capsys.readouterr().err
    assert Document.objects.filter(deletion=None).count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_file_under_reading_does_not_keep_a_deletion_from_its_items() -> None:
    corpus = CorpusFactory()
    ingest(corpus, {"id": "a", "title": "A", "text": "It is."})
    file = JobFile.objects.get()
    done = threading.Event()

    def name_the_file() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM corpus_jobfile WHERE id = %s FOR KEY SHARE", [file.pk])
        connection.close()
        done.set()

    with transaction.atomic():
        leases.confirm(JobFile, file.pk, file.token)
        threading.Thread(target=name_the_file, daemon=True).start()
        assert done.wait(20)


def test_a_device_or_a_pipe_is_no_file(tmp_path):
    pipe = tmp_path / "p.ris"
    os.mkfifo(pipe)

    for path in ("/dev/zero", str(pipe)):
        with pytest.raises(InvalidInput, match="is no file or folder"):
            list(uploads.walk([path]))
    assert list(uploads.walk([str(tmp_path)])) == []
