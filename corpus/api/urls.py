"""Addresses of the corpora's API."""

from django.urls import path

from corpus.api import jobs, views
from corpus.api.deletions import DeletionOne
from corpus.api.images import Image
from corpus.api.watched import WatchedList, WatchedOne

urlpatterns = [
    path("corpora", views.CorpusList.as_view()),
    path("corpora/<uuid:public_id>", views.CorpusOne.as_view()),
    path("documents", views.DocumentList.as_view()),
    path("documents/<uuid:public_id>", views.DocumentOne.as_view()),
    path("chunks", views.ChunkList.as_view()),
    path("chunks/<uuid:public_id>", views.ChunkOne.as_view()),
    path("figures", views.FigureList.as_view()),
    path("tables", views.TableList.as_view()),
    path("tables/<uuid:public_id>", views.TableOne.as_view()),
    path("jobs", jobs.JobList.as_view()),
    path("jobs/<uuid:public_id>", jobs.JobOne.as_view()),
    path("jobs/<uuid:public_id>/action", jobs.JobAction.as_view()),
    path("deletions/<uuid:public_id>", DeletionOne.as_view()),
    path("watched", WatchedList.as_view()),
    path("watched/<uuid:public_id>", WatchedOne.as_view()),
    path("ingest/fetch", jobs.IngestFetch.as_view()),
    path("ingest/document", jobs.IngestDocument.as_view()),
    path("images/<str:sha256>", Image.as_view()),
]
