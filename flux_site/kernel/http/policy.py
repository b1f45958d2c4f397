"""How one upstream is to be treated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import httpx

from flux_site.kernel.http.errors import Blocked

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class QuotaHeaders:
    """Where an upstream tells its quota (lower case); `reset` holds seconds to go, or a Unix
    time.
    """

    left: str
    needed: str
    reset: str


@dataclass(frozen=True, slots=True)
class Policy:
    """One upstream: where it is, how fast and how long it may be asked.

    `per_second` and `burst` hold for all workers together. Without Redis each process takes
    `alone_share` of the rate, which is safe for four processes. A request with all its tries ends
    after `total_s`. `hosts` are further names that a redirect may lead to; nothing else is ever
    contacted. `allow_loopback` is for tests: it opens the loopback address for exactly the host and
    port of `base_url`.
    """

    name: str
    label: str
    base_url: str
    user_agent: str = "Flux"
    hosts: frozenset[str] = field(default=frozenset())
    per_second: float = 3.0
    burst: int = 1
    alone_share: float = 0.25
    connect_s: float = 10.0
    read_s: float = 30.0
    total_s: float = 50.0  # below the lease of a worker: longer waits are for who schedules it
    max_bytes: int = 64 * 1024 * 1024
    tries: int = 5
    first_pause_s: float = 0.5
    most_pause_s: float = 30.0
    credits: QuotaHeaders | None = None
    allow_loopback: bool = False

    def admit(self, url: httpx.URL) -> None:
        """Raise Blocked unless the URL belongs to this upstream.

        Its host is the base's or one of `hosts`; its scheme is https, or http where the base says
        so; its port is the scheme's own, or the base's on the base's host.
        """
        base = httpx.URL(self.base_url)
        if url.scheme not in DEFAULT_PORTS or (url.scheme == "http" and base.scheme != "http"):
            raise self._blocked(f"to {url.scheme or 'no'} addresses")
        if url.userinfo:
            raise self._blocked("with a name or password in the address")
        if url.host != base.host and url.host not in self.hosts:
            raise self._blocked(f"to {url.host or 'no host'}")
        if port_of(url) == DEFAULT_PORTS[url.scheme]:
            return
        if url.host != base.host or port_of(url) != port_of(base):
            raise self._blocked(f"to port {port_of(url)} of {url.host}")

    def admits_loopback(self, host: str, port: int) -> bool:
        """Whether this very host and port may resolve to the loopback address."""
        base = httpx.URL(self.base_url)
        own = (base.host, port_of(base))
        return self.allow_loopback and base.host in LOOPBACK_NAMES and (host, port) == own

    def _blocked(self, what: str) -> Blocked:
        return Blocked(
            f"{self.label} led {what}, which is not part of this source: nothing was asked there. "
            "If the source has moved, its address must be changed in the settings."
        )


def port_of(url: httpx.URL) -> int:
    """The port a URL means, its scheme's own where it names none."""
    return url.port or DEFAULT_PORTS.get(url.scheme, 0)
