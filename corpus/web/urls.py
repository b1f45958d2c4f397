"""Addresses of the library and of documents."""

from __future__ import annotations

from django.urls import path

from corpus.web import (
    corpora,
    deletions,
    documents,
    library,
    reading,
    table_files,
    thumbs,
    watched,
)

app_name = "corpus"

urlpatterns = [
    path("library/", corpora.library, name="library"),
    path("corpora/", corpora.create, name="create"),
    path("library/<slug:slug>/", library.corpus, name="corpus"),
    path("library/<slug:slug>/upload/", library.upload, name="upload"),
    path("library/<slug:slug>/fetch/", library.fetch, name="fetch"),
    path("library/<slug:slug>/documents/", library.documents, name="documents"),
    path("library/<slug:slug>/jobs/", library.jobs, name="jobs"),
    path("library/<slug:slug>/watch/", watched.add, name="watch"),
    path("library/<slug:slug>/reading/", reading.tune, name="reading"),
    path("watched/<uuid:folder>/", watched.act, name="watched"),
    path("jobs/<uuid:job>/", library.job, name="job"),
    path("documents/<uuid:document>/", documents.document, name="document"),
    path("documents/<uuid:document>/delete/", deletions.delete, name="delete"),
    path("deletions/<uuid:deletion>/", deletions.receipt, name="deletion"),
    path("documents/<uuid:document>/tables/<uuid:table>.md", table_files.markdown, name="table-md"),
    path("documents/<uuid:document>/tables/<uuid:table>.csv", table_files.as_csv, name="table-csv"),
    path("documents/<uuid:document>/p/<int:number>/", documents.page, name="page"),
    path("documents/<uuid:document>/p/<int:number>/thumb/", thumbs.thumbnail, name="thumb"),
]
