"""The address of the search page."""

from __future__ import annotations

from django.urls import path

from retrieval.web import views

app_name = "retrieval"

urlpatterns = [path("search/", views.search_page, name="search")]
