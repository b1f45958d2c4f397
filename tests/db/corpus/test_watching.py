"""Watched folders: what comes there is taken in, once, when it is whole."""

from __future__ import annotations

import json
import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.types import Role
from corpus import tasks
from corpus.models import Document, IngestJob, JobFile, JobItem, Watched, WatchedFile
from corpus.services import control, folders, jobs, scanning, watching
from flux_site.kernel.errors import Conflict, InvalidInput, NotAllowed, NotFound
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.ingesting import curator_of, lines
from tests.support.statements import cut_everywhere

pytestmark = pytest.mark.django_db

STAT3 = {"id": "a", "title": "STAT3", "text": "STAT3 drives SOCS3 in liver cells."}
JAK1 = {"id": "b", "title": "JAK1", "text": "JAK1 phosphorylates STAT3."}


@pytest.fixture
def inbox(settings, tmp_path) -> Path:
    """A folder below the one root there is."""
    settings.WATCH_ROOTS = [tmp_path]
    folder = tmp_path / "inbox"
    folder.mkdir()
    return folder


@pytest.fixture
def watched(inbox) -> Watched:
    corpus = CorpusFactory()
    return watching.add(corpus, str(inbox), by=curator_of(corpus))


def settled() -> None:
    """As if a while had passed since the last scan."""
    earlier = timezone.now() - scanning.SETTLED_AFTER - timedelta(seconds=1)
    WatchedFile.objects.update(seen_at=earlier)


def seen_twice(row: Watched) -> list[IngestJob]:
    """What comes of a scan of files that have been there for a while."""
    first = scanning.scan(row.pk)
    settled()
    return first + scanning.scan(row.pk)


def items_of(*made: IngestJob) -> list[tuple[str, str, str]]:
    for job in made:
        jobs.work_off(job)
    rows = JobItem.objects.filter(job__in=made).order_by("pk")
    return list(rows.values_list("name", "state", "reason"))


def error_of(row: Watched) -> str:
    row.refresh_from_db()
    return row.error


def test_files_become_documents_through_ordinary_jobs(watched, inbox):
    (inbox / "2024" / "May").mkdir(parents=True)
    (inbox / "a.jsonl").write_bytes(lines([STAT3]))
    (inbox / "2024" / "May" / "b.jsonl").write_bytes(lines([JAK1]))

    (job,) = seen_twice(watched)
    jobs.work_off(job)

    assert (job.source, job.user, job.state) == ("jsonl", watched.user, "done")
    assert set(Document.objects.values_list("external_id", flat=True)) == {"a", "b"}
    assert scanning.scan(watched.pk) == []


def test_a_file_that_is_still_being_written_waits(watched, inbox):
    file = inbox / "a.jsonl"
    file.write_bytes(lines([STAT3])[:20])
    assert scanning.scan(watched.pk) == []
    settled()
    file.write_bytes(lines([STAT3]))

    assert scanning.scan(watched.pk) == []
    assert scanning.scan(watched.pk) == [], "two scans at one moment say nothing"
    settled()
    (job,) = scanning.scan(watched.pk)

    assert items_of(job) == [("STAT3", "done", "")]


def test_bytes_that_change_under_the_reader_are_left_for_later(inbox):
    file = inbox / "a.jsonl"
    file.write_bytes(b"one")
    (seen,) = folders.walk(inbox, inbox)
    file.write_bytes(b"another")

    with pytest.raises(folders.Changed):
        folders.read(seen)


def test_the_same_bytes_add_nothing_and_a_changed_file_is_a_new_upload(watched, inbox):
    file = inbox / "a.jsonl"
    file.write_bytes(lines([STAT3]))
    assert len(seen_twice(watched)) == 1
    (inbox / "copy.jsonl").write_bytes(file.read_bytes())
    os.utime(file, (1, 1))
    assert seen_twice(watched) == []

    file.write_bytes(lines([STAT3 | {"title": "STAT3 again"}]))
    (job,) = seen_twice(watched)
    jobs.work_off(job)

    assert Document.objects.get().title == "STAT3 again"


def test_what_was_deleted_does_not_come_back_by_itself(watched, inbox):
    (inbox / "a.jsonl").write_bytes(lines([STAT3]))
    items_of(*seen_twice(watched))
    Document.objects.all().delete()

    assert seen_twice(watched) == []


def test_hidden_and_unfinished_files_are_not_looked_at(watched, inbox):
    for name in (".a.jsonl", "a.jsonl~", "~$a.docx", "a.jsonl.part", "a.pdf.crdownload", "a.tmp"):
        (inbox / name).write_bytes(lines([STAT3]))
    (inbox / ".git").mkdir()
    (inbox / ".git" / "a.jsonl").write_bytes(lines([STAT3]))
    os.mkfifo(inbox / "pipe.jsonl")

    assert seen_twice(watched) == []
    assert not WatchedFile.objects.exists()


def test_links_that_lead_out_are_refused_with_a_reason(watched, inbox, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.jsonl"
    secret.write_bytes(lines([STAT3]))
    (inbox / "file.jsonl").symlink_to(secret)
    (inbox / "folder").symlink_to(secret.parent)
    (inbox / "nowhere").symlink_to(inbox / "absent")
    (inbox.parent / "inside.jsonl").write_bytes(lines([JAK1]))
    (inbox / "inside.jsonl").symlink_to(inbox.parent / "inside.jsonl")

    found = items_of(*seen_twice(watched))

    assert ("JAK1", "done", "") in found
    assert {name: why for name, state, why in found if state == "failed"} == {
        "file.jsonl": folders.LEADS_OUT,
        "folder": folders.LEADS_OUT,
        "nowhere": "It is a link that leads nowhere: remove it.",
    }
    assert Document.objects.count() == 1


def test_unknown_and_too_large_files_are_items_that_failed(watched, inbox, settings):
    settings.UPLOAD_MAX_BYTES = 2 << 20
    (inbox / "photo.heic").write_bytes(b"\x00")
    (inbox / "big.jsonl").write_bytes(b" " * (3 << 20))

    (job,) = seen_twice(watched)
    found = items_of(job)

    assert [(name, state) for name, state, _ in found] == [
        ("big.jsonl", "failed"),
        ("photo.heic", "failed"),
    ]
    assert "larger than 2 MB" in found[0][2]
    assert "no kind that Flux reads" in found[1][2]
    assert seen_twice(watched) == [], "it is told once"
    with pytest.raises(Conflict):
        control.act(job, "retry", by=watched.user)


@pytest.mark.slow
def test_a_file_that_may_not_be_read_fails_and_is_taken_once_it_may(watched, inbox, monkeypatch):
    file = inbox / "a.jsonl"
    file.write_bytes(lines([STAT3]))
    opened = os.open

    def refuse(path, *arguments, **more):  # as for anyone but root, who runs some of these tests
        if path == file:
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        ((_, state, why),) = items_of(*seen_twice(watched))
    assert (state, why) == ("failed", "Flux may not read it: change its permissions.")
    assert seen_twice(watched) == []

    file.chmod(0o600)

    assert items_of(*seen_twice(watched)) == [("STAT3", "done", "")]


def test_a_folder_that_has_vanished_is_an_error_until_it_is_back(watched, inbox):
    inbox.rename(inbox.with_name("away"))
    assert scanning.scan(watched.pk) == []
    assert "is not there" in error_of(watched)

    inbox.with_name("away").rename(inbox)
    scanning.scan(watched.pk)

    assert error_of(watched) == ""


def test_a_folder_that_became_a_link_out_of_the_roots_is_read_no_more(
    watched, inbox, tmp_path_factory
):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "secret.jsonl").write_bytes(lines([STAT3]))
    inbox.rmdir()
    inbox.symlink_to(elsewhere)

    assert seen_twice(watched) == []
    assert "no longer lies below" in error_of(watched)


def test_whoever_lost_the_role_brings_nothing_in_any_more(watched, inbox):
    (inbox / "a.jsonl").write_bytes(lines([STAT3]))
    watched.corpus.team.memberships.filter(user=watched.user).update(role=Role.READER.value)

    assert seen_twice(watched) == []
    assert "may no longer add documents" in error_of(watched)


@pytest.mark.slow
def test_a_scan_is_bounded_and_the_next_goes_on(watched, inbox, monkeypatch):
    monkeypatch.setattr(scanning, "LOOKED", 3)
    monkeypatch.setattr(scanning, "TAKEN", 2)
    for n in range(8):
        folder = inbox / f"d{n % 2}"
        folder.mkdir(exist_ok=True)
        (folder / f"{n}.jsonl").write_bytes(lines([STAT3 | {"id": str(n)}]))

    sizes = []
    for _ in range(12):
        for job in scanning.scan(watched.pk):
            sizes.append(job.files.count())
            jobs.work_off(job)
        settled()

    assert max(sizes) <= 2
    assert set(Document.objects.values_list("external_id", flat=True)) == set("01234567")
    watched.refresh_from_db()
    assert sum(sizes) == 8


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_scan_that_dies_anywhere_leaves_nothing_half(watched, inbox):
    (inbox / "a.jsonl").write_bytes(lines([STAT3]))
    (inbox / "photo.heic").write_bytes(b"\x00")
    scanning.scan(watched.pk)
    settled()

    def whole() -> None:
        taken = WatchedFile.objects.filter(taken=True).count()
        files = JobFile.objects.count()
        assert (taken, files) in {(0, 0), (2, 2)}

    deaths = cut_everywhere(lambda: scanning.scan(watched.pk), whole)

    assert deaths > 10
    assert IngestJob.objects.get().files.count() == 2
    assert WatchedFile.objects.filter(taken=True).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_beats_at_once_take_a_file_once(watched, inbox):
    for n in range(30):
        (inbox / f"{n}.jsonl").write_bytes(lines([STAT3 | {"id": str(n)}]))
    scanning.scan(watched.pk)
    settled()
    start = threading.Barrier(4)

    def beat() -> None:
        try:
            start.wait()
            scanning.scan(watched.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=beat) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [job.files.count() for job in IngestJob.objects.all()] == [30]


def test_the_beat_scans_all_but_paused_folders(watched, inbox, monkeypatch):
    (inbox / "a.jsonl").write_bytes(lines([STAT3]))
    handed: list[int] = []
    monkeypatch.setattr(tasks.dispatch, "delay", lambda: handed.append(1))
    watching.act(watched, "pause", by=watched.user)
    assert tasks.scan_watched() == 0
    watching.act(watched, "resume", by=watched.user)

    assert tasks.scan_watched() == 0
    settled()
    assert (tasks.scan_watched(), handed) == (1, [1])


def test_who_may_have_what_watched(inbox, settings, tmp_path_factory):
    corpus = CorpusFactory()
    curator = curator_of(corpus)
    reader = MembershipFactory(team=corpus.team, role=Role.RESEARCHER.value).user
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (inbox / "out").symlink_to(elsewhere)

    with pytest.raises(NotFound):
        watching.add(corpus, "inbox", by=UserFactory())
    with pytest.raises(NotAllowed):
        watching.add(corpus, "inbox", by=reader)
    for path in (str(elsewhere), "inbox/out", "../", "/", "", "absent", "inbox/../.."):
        with pytest.raises(InvalidInput):
            watching.add(corpus, path, by=curator)
    with pytest.raises(InvalidInput):
        watching.add(corpus, "inbox", source="nonsense", by=curator)
    row = watching.add(corpus, "inbox", source="jsonl", by=curator)
    assert row.path == str(inbox.resolve())
    with pytest.raises(Conflict):
        watching.add(corpus, str(inbox), by=curator)
    with pytest.raises(NotFound):
        watching.act(row, "remove", by=reader)
    assert list(Watched.objects.visible_to(reader)) == []

    settings.WATCH_ROOTS = []
    with pytest.raises(InvalidInput, match="WATCH_ROOTS"):
        watching.add(corpus, str(inbox), by=curator)


def test_the_command_adds_scans_pauses_and_removes(inbox, capsys):
    corpus = CorpusFactory()
    email = curator_of(corpus).email
    (inbox / "a.jsonl").write_bytes(lines([STAT3]))

    def flux(*arguments: str) -> dict:
        call_command("watch", *arguments, "--as", email, "--json")
        return json.loads(capsys.readouterr().out)

    made = flux("add", "inbox", "--corpus", corpus.slug)
    assert flux("scan", made["id"])["waiting"] == 1
    settled()
    scanned = flux("scan", made["id"])
    assert (scanned["taken"], scanned["waiting"], len(scanned["jobs"])) == (1, 0, 1)
    assert flux("pause", made["id"])["paused"] is True
    assert [row["paused"] for row in flux("list")["watched"]] == [True]
    assert flux("remove", made["id"])["removed"] is True
    assert flux("list", "--corpus", corpus.slug)["watched"] == []


def test_the_api_adds_pauses_and_removes(inbox, client):
    corpus = CorpusFactory()
    client.force_login(curator_of(corpus))
    made = client.post("/api/v1/watched", {"corpus": corpus.slug, "path": "inbox"})
    assert (made.status_code, made.json()["paused"]) == (201, False)
    url = f"/api/v1/watched/{made.json()['id']}"

    changed = client.patch(url, {"paused": True}, content_type="application/json")

    assert changed.json()["paused"] is True
    assert client.get("/api/v1/watched").json()["results"] == [changed.json()]
    assert client.delete(url).status_code == 204
    assert client.get(url).status_code == 404


def test_the_page_shows_folders_to_those_who_may_fill_the_corpus(watched, inbox, client):
    inbox.rename(inbox.with_name("away"))
    scanning.scan(watched.pk)
    client.force_login(watched.user)
    url = f"/library/{watched.corpus.slug}/"
    page = client.get(url).content.decode()
    assert watched.path in page
    assert "is not there" in page

    refused = client.post(f"{url}watch/", {"path": "/etc"})
    assert refused.status_code == 422
    assert "is no folder below" in refused.content.decode()
    client.post(f"/watched/{watched.public_id}/", {"action": "remove"})

    assert not Watched.objects.exists()
