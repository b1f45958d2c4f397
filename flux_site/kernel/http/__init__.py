"""The one outbound HTTP client: shared quotas, retries, limits, and no way to a private address."""

from flux_site.kernel.http.client import Answer, Client, NotModified
from flux_site.kernel.http.errors import (
    BadAnswer,
    Blocked,
    SourceExhausted,
    SourceRefused,
    SourceUnavailable,
    TooLarge,
)
from flux_site.kernel.http.policy import Policy, QuotaHeaders
from flux_site.kernel.http.quota import Quota, Standing

__all__ = [
    "Answer",
    "BadAnswer",
    "Blocked",
    "Client",
    "NotModified",
    "Policy",
    "Quota",
    "QuotaHeaders",
    "SourceExhausted",
    "SourceRefused",
    "SourceUnavailable",
    "Standing",
    "TooLarge",
]
