"""Addresses of the corpora's API."""

from django.urls import path

from corpus.api import views
from corpus.api.deletions import DeletionOne
from corpus.api.images import Image

urlpatterns = [
    path("corpora", views.CorpusList.as_view()),
    path("corpora/<uuid:public_id>", views.CorpusOne.as_view()),
    path("documents", views.DocumentList.as_view()),
    path("documents/<uuid:public_id>", views.DocumentOne.as_view()),
    path("chunks", views.ChunkList.as_view()),
    path("chunks/<uuid:public_id>", views.ChunkOne.as_view()),
    path("figures", views.FigureList.as_view()),
    path("tables", views.TableList.as_view()),
    path("jobs", views.JobList.as_view()),
    path("jobs/<uuid:public_id>", views.JobOne.as_view()),
    path("deletions/<uuid:public_id>", DeletionOne.as_view()),
    path("ingest/document", views.IngestDocument.as_view()),
    path("images/<str:sha256>", Image.as_view()),
]
