"""Settings that hold everywhere. docs/settings.md describes each variable."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import environ

from flux_site.kernel import clients, logs

ROOT = Path(__file__).resolve().parent.parent.parent
env = environ.Env()

STATE_DIR = Path(env.str("FLUX_STATE", default=str(ROOT / ".flux"))).resolve()
VERSION = (ROOT / "flux_site" / "VERSION").read_text().strip()

SECRET_KEY = env.str("SECRET_KEY", default="")
DEBUG = False
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
TRUSTED_PROXIES = clients.networks(env.list("TRUSTED_PROXIES", default=[]))
SITE_URL = env.str("FLUX_URL", default="http://127.0.0.1:8000")

INSTALLED_APPS = [
    "accounts.apps.AccountsConfig",
    "corpus.apps.CorpusConfig",
    "retrieval.apps.RetrievalConfig",
    "agent.apps.AgentConfig",
    "flux_site.apps.SiteConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
]
NEO4J_URL = env.str("NEO4J_URL", default="")
if NEO4J_URL:
    INSTALLED_APPS.append("django_neomodel")
    NEOMODEL_NEO4J_BOLT_URL = NEO4J_URL

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "flux_site.middleware.RequestContextMiddleware",
    "flux_site.middleware.FluxErrorMiddleware",
]
ROOT_URLCONF = "flux_site.urls"
ASGI_APPLICATION = "flux_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.web.shell.shell",
                "agent.web.shell.running",
            ]
        },
    }
]

DATABASES = {"default": env.db("DATABASE_URL", default="postgres://flux@127.0.0.1:5432/flux")}
DATABASES["default"]["ENGINE"] = "django.db.backends.postgresql"
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["CONN_MAX_AGE"] = env.int("DATABASE_CONN_MAX_AGE", default=60)
DATABASES["default"].setdefault("OPTIONS", {})
if env.str("FLUX_PART", default="") == "web":
    # Under ASGI each request has a thread of its own, which nobody uses again: connections come
    # from a pool and go back at the end of the request. Whoever finds none in time is told 503.
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": env.int("DATABASE_POOL", default=24),
        "timeout": 10,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
CACHES = {
    "default": {
        "BACKEND": "flux_site.kernel.cache.ForgivingRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "flux",
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL]},
    }
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "flux_site.kernel.passwords.ModestArgon2",
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.web.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key,30/5m/ip", "login": "60/m/ip"}
OPEN_SIGNUP = env.bool("OPEN_SIGNUP", default=False)
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "static"
STATICFILES_DIRS = [ROOT / "static"]
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(STATE_DIR / "media")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
UPLOAD_MAX_BYTES = env.int("UPLOAD_MAX_BYTES", default=200 * 1024 * 1024)

# Folders of this machine below which curators may have folders watched; empty turns that off.
WATCH_ROOTS = [
    Path(part.strip())
    for part in re.split("[:,]", env.str("WATCH_ROOTS", default=""))
    if part.strip()
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "frame-ancestors": ["'none'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": [
        "flux_site.kernel.parsers.BoundedJSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.permissions.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "flux_site.kernel.api.Pagination",
    "DEFAULT_THROTTLE_CLASSES": ["accounts.api.throttles.CallerThrottle"],
    "DEFAULT_THROTTLE_RATES": {"caller": env.str("API_RATE", default="600/min")},
    "EXCEPTION_HANDLER": "flux_site.kernel.api.problem",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Flux",
    "DESCRIPTION": "Cited answers over the corpora of a biomedical research team.",
    "VERSION": VERSION,
    "SERVE_PERMISSIONS": ["accounts.api.permissions.HasScope"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "flux_site.schema.add_streams",
        "flux_site.schema.add_problems",
    ],
}

CELERY_BROKER_URL = REDIS_URL
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_DEFAULT_QUEUE = "interactive"
CELERY_TASK_ROUTES = {
    "corpus.tasks.fetch_pages": {"queue": "research"},  # waits for others: threads, not processes
    "corpus.tasks.scan_watched": {"queue": "research"},  # waits for disks
    "corpus.tasks.read_file": {"queue": "bulk"},
    "corpus.tasks.advance_items": {"queue": "bulk"},
    "corpus.tasks.relink_stale": {"queue": "bulk"},
    "corpus.tasks.delete_documents": {"queue": "bulk"},
    "corpus.tasks.sweep_files": {"queue": "bulk"},
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING = logs.configuration(LOG_LEVEL, as_json=env.bool("LOG_JSON", default=True))

# Models and money
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", default="")
ANTHROPIC_BASE_URL = env.str("ANTHROPIC_BASE_URL", default="")
MODEL_TIERS = {
    "I": env.str("MODEL_TIER_I", default="claude-haiku-5-5"),
    "II": env.str("MODEL_TIER_II", default="claude-sonnet-5-5"),
    "III": env.str("MODEL_TIER_III", default="claude-opus-5-5"),
}
DAILY_BUDGET_USD = Decimal(env.str("DAILY_BUDGET_USD", default="10.00"))

# Ingestion and retrieval
DEFAULT_ENCODER = env.str("DEFAULT_ENCODER", default="all-minilm-l6-v2")
ENCODER_THREADS = env.int("ENCODER_THREADS", default=2)
ENCODER_LANGUAGES = env.list("ENCODER_LANGUAGES", default=["en"])
MODEL_CACHE = Path(env.str("MODEL_CACHE", default=str(STATE_DIR / "models")))
LEXICAL_ROOT = STATE_DIR / "lexical"
RETRIEVAL_WAIT_SECONDS = env.int("RETRIEVAL_WAIT_SECONDS", default=20)
DEFAULT_FUSION = env.str("DEFAULT_FUSION", default="cc")
PDF_MEMORY_BYTES = env.int("PDF_MEMORY_BYTES", default=1_500_000_000)
PDF_TIMEOUT_SECONDS = env.int("PDF_TIMEOUT_SECONDS", default=540)
PDF_MAX_PAGES = env.int("PDF_MAX_PAGES", default=2000)
OCR_ENGINE = env.str("OCR_ENGINE", default="auto")
OCR_LANGUAGES = env.list("OCR_LANGUAGES", default=["eng"])
OCR_DPI = env.int("OCR_DPI", default=300)
OCR_MAX_PAGES = env.int("OCR_MAX_PAGES", default=200)
OCR_FIGURES = env.bool("OCR_FIGURES", default=False)
BULK_SLOTS = env.int("FLUX_BULK_CONCURRENCY", default=1)
LEASE_SECONDS = env.int("LEASE_SECONDS", default=60)

CORS_ORIGINS = env.list("CORS_ORIGINS", default=[])

# Live sources
SOURCE_CONTACT = env.str("SOURCE_CONTACT", default="")
NCBI_API_KEY = env.str("NCBI_API_KEY", default="")
OPENALEX_API_KEY = env.str("OPENALEX_API_KEY", default="")
OPENALEX_MAILTO = env.str("OPENALEX_MAILTO", default="")
KEGG_LICENSED = env.bool("KEGG_LICENSED", default=False)
SOURCE_URLS = {
    "pubmed": env.str("PUBMED_URL", default=""),
    "reactome": env.str("REACTOME_URL", default=""),
    "kegg": env.str("KEGG_URL", default=""),
    "openalex": env.str("OPENALEX_URL", default=""),
    "wikipathways": env.str("WIKIPATHWAYS_URL", default=""),
}
HTTP_ALLOW_LOOPBACK = env.bool("FLUX_HTTP_ALLOW_LOOPBACK", default=False)
