"""One machine, plain http on loopback: what bin/up runs."""

from flux_site.settings.base import *  # noqa: F403
from flux_site.settings.base import SECRET_KEY, STATE_DIR

if not SECRET_KEY:
    # bin/up makes and keeps one per installation; commands outside it need none that lasts.
    from django.core.management.utils import get_random_secret_key

    SECRET_KEY = get_random_secret_key()

STATIC_ROOT = STATE_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
