"""The test run: real PostgreSQL and Valkey, quick passwords, the hashing encoder unless a test asks
for MiniLM.
"""

from flux_site.settings.base import *  # noqa: F403
from flux_site.settings.base import env

SECRET_KEY = "test-only-secret-key-of-more-than-thirty-two-characters"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
ALLOWED_HOSTS = ["*"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
DEFAULT_ENCODER = "hashing"
LEASE_SECONDS = env.int("LEASE_SECONDS", default=30)
