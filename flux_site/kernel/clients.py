"""Where a request comes from: the one answer that limits of attempts, rates and the audit use."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any, Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
LONGEST = 60  # characters: what a column of the audit takes


class Asked(Protocol):
    """A request of Django's or of the REST framework's."""

    @property
    def META(self) -> dict[str, Any]: ...


def networks(words: Iterable[str]) -> list[Network]:
    """The addresses and networks of TRUSTED_PROXIES. Raises ImproperlyConfigured."""
    try:
        return [ipaddress.ip_network(word.strip()) for word in words if word.strip()]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"TRUSTED_PROXIES takes addresses and networks such as 10.0.0.0/8: {error}."
        ) from error


def origin_of(request: Asked) -> str:
    """The address of the client.

    `X-Forwarded-For` is anybody's to write: it counts from its end, as long as the hop that wrote
    it is one of TRUSTED_PROXIES; the first hop that is not is the client.
    """
    peer = str(request.META.get("REMOTE_ADDR") or "")
    known = peer[:LONGEST]
    said = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    for hop in (peer, *reversed(said)):
        address = _address(hop)
        if address is None:
            break  # no address: whoever passed it on is the last that is known
        known = str(address)
        if not any(address in network for network in settings.TRUSTED_PROXIES):
            break
    return known


def _address(hop: str) -> Address | None:
    """The address of a hop, which may be written with a port."""
    text = hop.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
