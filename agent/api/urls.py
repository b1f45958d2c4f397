"""Addresses of questions and runs. The streams are plain async views (agent.live)."""

from django.urls import path

from agent.api import views
from agent.live import sse

urlpatterns = [
    path("query", views.Query.as_view()),
    path("query/stream", sse.query_stream),
    path("runs", views.RunList.as_view()),
    path("runs/<uuid:public_id>", views.RunOne.as_view()),
    path("runs/<uuid:run>/events", sse.run_events),
    path("runs/<uuid:public_id>/stop", views.RunStop.as_view()),
]
