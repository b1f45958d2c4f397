"""Addresses of asking and of runs."""

from __future__ import annotations

from django.urls import path

from agent.web import stream, views

app_name = "agent"

urlpatterns = [
    path("", views.ask, name="ask"),
    path("runs/", views.run_list, name="runs"),
    path("runs/<uuid:run>/", views.run_page, name="run"),
    path("runs/<uuid:run>/events/", stream.run_events, name="events"),
    path("runs/<uuid:run>/stop/", views.stop, name="stop"),
]
