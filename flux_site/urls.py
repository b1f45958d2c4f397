"""All addresses of the site."""

from django.contrib import admin
from django.urls import path

from flux_site import health

urlpatterns = [
    path("health/live", health.live),
    path("admin/", admin.site.urls),
]
