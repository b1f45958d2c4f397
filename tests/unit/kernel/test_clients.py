"""Whose address counts, whatever a header claims."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from flux_site.kernel.clients import networks, origin_of

PROXY = "127.0.0.1"


def origin(peer: str, said: str | None = None) -> str:
    more = {} if said is None else {"HTTP_X_FORWARDED_FOR": said}
    return origin_of(RequestFactory().get("/", REMOTE_ADDR=peer, **more))


@pytest.fixture
def behind_proxies(settings) -> None:
    settings.TRUSTED_PROXIES = networks([PROXY, "10.0.0.0/8", "2001:db8::/32"])


@pytest.mark.parametrize("peer", [PROXY, "192.0.2.7", "::1"])
def test_unless_a_proxy_is_named_the_header_says_nothing(peer):
    assert origin(peer, "198.51.100.1") == peer


@pytest.mark.usefixtures("behind_proxies")
@pytest.mark.parametrize(
    ("said", "client"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("6.6.6.6, 198.51.100.1", "198.51.100.1"),
        ("6.6.6.6, 198.51.100.1, 10.1.2.3, 2001:db8::5", "198.51.100.1"),
        ("198.51.100.1:4711", "198.51.100.1"),
        ("[2001:DB9::1]:4711", "2001:db9::1"),
        ("::ffff:198.51.100.1", "198.51.100.1"),
        ("10.1.2.3", "10.1.2.3"),
        ("6.6.6.6, unknown", PROXY),
        ("6.6.6.6, unknown, 10.1.2.3", "10.1.2.3"),
        ("", PROXY),
        (",,", PROXY),
    ],
)
def test_the_last_hop_that_is_no_proxy_is_the_client(said, client):
    assert origin(PROXY, said) == client


@pytest.mark.usefixtures("behind_proxies")
def test_a_stranger_who_sends_the_header_gains_nothing():
    assert origin("192.0.2.7", "198.51.100.1") == "192.0.2.7"


def test_a_peer_that_has_no_address_is_told_as_it_is():
    assert origin("unix:" + "x" * 100) == "unix:" + "x" * 55
    assert origin("") == ""


@pytest.mark.parametrize("words", [["*"], ["proxy.example"], ["10.0.0.1/8"], ["10.0.0.0/99"]])
def test_what_is_no_address_stops_the_start(words):
    with pytest.raises(ImproperlyConfigured, match="TRUSTED_PROXIES"):
        networks(words)
