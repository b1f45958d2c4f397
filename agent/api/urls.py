"""Addresses of questions and runs. The streams beside them are plain async views (agent.live)."""

from django.urls import path

from agent.api import views

urlpatterns = [
    path("query", views.Query.as_view()),
    path("runs", views.RunList.as_view()),
    path("runs/<uuid:public_id>", views.RunOne.as_view()),
    path("runs/<uuid:public_id>/stop", views.RunStop.as_view()),
]
