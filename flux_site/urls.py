"""All addresses of the site."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from flux_site import desk, health
from flux_site.schema import Schema

# One door for all: its limits of attempts and its second factor hold for the admin too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.index = desk.index  # type: ignore[method-assign]

api: list[URLPattern | URLResolver] = [
    path("", include("corpus.api.urls")),
    path("", include("retrieval.api.urls")),
    path("", include("agent.api.urls")),
    path("health", health.Health.as_view()),
    path("schema", Schema.as_view(), name="schema"),
    path(
        "docs",
        login_required(SpectacularSwaggerSplitView.as_view(url_name="schema")),
        name="api_docs",
    ),
    path("<path:rest>", health.no_such_path),
]

urlpatterns = [
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("api/v1/", include(api)),
    # A password is changed in one place, which audits it and ends the other sessions.
    path("admin/password_change/", RedirectView.as_view(url="/account/#password")),
    path("admin/parts/", admin.site.admin_view(desk.parts), name="admin_parts"),
    path("admin/", admin.site.urls),
    path("", include("accounts.web.urls")),
    path("", include("corpus.web.urls")),
    path("", include("retrieval.web.urls")),
    path("", include("agent.web.urls")),
]
