"""Which network addresses may be contacted: public ones only."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

Resolve = Callable[[str, int], list[str]]

# Forms of IPv6 that carry an IPv4 address: what they reach depends on a gateway that we cannot see.
_CARRIERS: Final = tuple(
    map(
        IPv6Network,
        (
            "::/96",
            "::ffff:0:0/96",
            "::ffff:0:0:0/96",
            "64:ff9b::/96",
            "64:ff9b:1::/48",
            "2001::/32",
            "2002::/16",
        ),
    )
)
_SITE_LOCAL: Final = IPv6Network("fec0::/10")


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name in the system's order. Raises OSError when it has none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether an address is out on the internet.

    Not so are private, loopback, link-local, shared, multicast, reserved and unspecified ones, and
    IPv6 forms of an IPv4 address (mapped, compatible, translated, NAT64, 6to4, Teredo).
    """
    ip = _parse(address)
    if ip is None or not ip.is_global or ip.is_multicast or ip.is_reserved or ip.is_unspecified:
        return False
    if isinstance(ip, IPv4Address):
        return True
    return ip not in _SITE_LOCAL and not any(ip in network for network in _CARRIERS)


def is_loopback(address: str) -> bool:
    """Whether an address is this machine's own (127.0.0.0/8 or ::1)."""
    ip = _parse(address)
    return ip is not None and ip.is_loopback


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address.partition("%")[0])  # a zone (fe80::1%eth0) tells only the card
    except ValueError:
        return None
