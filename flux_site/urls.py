"""All addresses of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from flux_site import health

api: list[URLPattern | URLResolver] = [
    path("", include("corpus.api.urls")),
    path("", include("retrieval.api.urls")),
    path("", include("agent.api.urls")),
    path("health", health.Health.as_view()),
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="api_docs"),
]

urlpatterns = [
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("api/v1/", include(api)),
    path("admin/", admin.site.urls),
    path("", include("accounts.web.urls")),
    path("", include("corpus.web.urls")),
    path("", include("retrieval.web.urls")),
    path("", include("agent.web.urls")),
]
