"""A deployment behind TLS. Refuses to start with what is unsafe."""

from django.core.exceptions import ImproperlyConfigured

from flux_site.settings.base import *  # noqa: F403
from flux_site.settings.base import ALLOWED_HOSTS, HTTP_ALLOW_LOOPBACK, SECRET_KEY, env

if len(SECRET_KEY) < 32:
    raise ImproperlyConfigured("Set SECRET_KEY to at least 32 random characters.")
if "*" in ALLOWED_HOSTS or not env.str("ALLOWED_HOSTS", default=""):
    raise ImproperlyConfigured("Set ALLOWED_HOSTS to the names this site is reached by; not *.")
if HTTP_ALLOW_LOOPBACK:
    raise ImproperlyConfigured(
        "FLUX_HTTP_ALLOW_LOOPBACK is for tests: in production no source is on this machine."
    )

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
