"""The ASGI application: pages and API, streams, sockets."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "flux_site.settings.dev")

django_application = get_asgi_application()
application = django_application
