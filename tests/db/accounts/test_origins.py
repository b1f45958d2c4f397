"""Failures of sign-in, rates and the audit are counted by the client's own address."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent
from flux_site.kernel.clients import networks
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
ATTEMPTS = 31  # one more than failures of an address in five minutes


@pytest.fixture(autouse=True)
def forgotten():
    cache.clear()
    yield
    cache.clear()


def fail(n: int, said: str) -> str:
    """A wrong password for yet another account; what the page says."""
    given = {"login": f"nobody{n}@example.org", "password": "no-password-of-theirs"}
    return Client().post("/login/", given, HTTP_X_FORWARDED_FOR=said).content.decode()


def are_slowed(addresses: list[str]) -> bool:
    return "Too many failed" in [fail(n, said) for n, said in enumerate(addresses)][-1]


def test_a_guesser_who_invents_addresses_is_slowed_down():
    assert are_slowed([f"198.51.100.{n}" for n in range(ATTEMPTS)])


def test_behind_a_proxy_the_guesser_s_own_address_counts_and_not_what_they_write(settings):
    settings.TRUSTED_PROXIES = networks(["127.0.0.1"])

    assert are_slowed([f"6.6.6.{n}, 198.51.100.9" for n in range(ATTEMPTS)])
    assert "Too many failed" not in fail(99, "198.51.100.8"), "others may still try"


@pytest.mark.parametrize(("proxies", "status"), [([], 429), (["127.0.0.1"], 200)])
def test_calls_of_nobody_are_counted_by_that_address_too(settings, client, proxies, status):
    settings.TRUSTED_PROXIES = networks(proxies)
    key = "throttle_caller_127.0.0.1"
    cache.set(key, [4_000_000_000.0] * 600, 60)  # its calls of this minute

    answer = client.get("/api/v1/health", HTTP_X_FORWARDED_FOR="198.51.100.1")

    assert answer.status_code == status


def test_the_audit_tells_that_address(settings):
    settings.TRUSTED_PROXIES = networks(["127.0.0.1"])
    client, user = Client(), UserFactory(is_staff=True, is_superuser=True)
    client.force_login(user)

    url = reverse("admin:corpus_document_changelist")
    client.get(url, HTTP_X_FORWARDED_FOR="6.6.6.6, 198.51.100.1")

    assert AuditEvent.objects.get(action="admin.view").origin == "198.51.100.1"
