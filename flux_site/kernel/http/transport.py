"""An httpx transport that connects to the address it has checked, inside the time that is left."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

import httpcore
import httpx

from flux_site.kernel.http.errors import Blocked
from flux_site.kernel.http.guard import Resolve, is_loopback, is_public
from flux_site.kernel.http.policy import Policy


class Deadline(threading.local):
    """When the request of this thread must be over, as time.monotonic()."""

    at: float = float("inf")

    def cap(self, timeout: float | None) -> float:
        """The shorter of a timeout and the time left. Raises httpcore.ReadTimeout when none is."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the total time is over")
        return left if timeout is None else min(timeout, left)


class PinnedBackend(httpcore.NetworkBackend):
    """Opens connections to public addresses only.

    A name is resolved once and the connection goes to what was checked, so a name that changes its
    address between check and use gains nothing. TLS still names and verifies the host.
    """

    def __init__(self, policy: Policy, deadline: Deadline, resolve: Resolve) -> None:
        self._policy, self._deadline, self._resolve = policy, deadline, resolve
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """See httpcore. Raises Blocked when any address of the name is not public."""
        failure: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in self._addresses(host, port):
            try:
                inner = self._sockets.connect_tcp(
                    address, port, self._deadline.cap(timeout), local_address, socket_options
                )
                return _CappedStream(inner, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError("the name has no address")

    def _addresses(self, host: str, port: int) -> list[str]:
        try:
            addresses = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError("the name has no address") from error
        may_be_here = self._policy.admits_loopback(host, port)
        for address in addresses:
            if not (is_public(address) or (may_be_here and is_loopback(address))):
                raise Blocked(
                    f"{host} points to {address}, which is not a public address: "
                    f"nothing was asked there. {self._policy.label} may be misconfigured, or the "
                    "name service of this network answers wrongly."
                )
        return addresses


class _CappedStream(httpcore.NetworkStream):
    """A connection whose reads and writes also end at the deadline."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.cap(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.cap(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        limit = self._deadline.cap(timeout)
        inner = self._inner.start_tls(ssl_context, server_hostname, limit)
        return _CappedStream(inner, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class PinnedTransport(httpx.BaseTransport):
    """httpx over a pool of pinned connections; failures leave as httpcore's own exceptions."""

    def __init__(self, backend: PinnedBackend, *, ssl_context: ssl.SSLContext) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl_context, network_backend=backend, keepalive_expiry=15.0
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; its body streams."""
        answer = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.read(),
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            answer.status,
            headers=answer.headers,
            stream=_Body(answer.stream),
            extensions=answer.extensions,
        )

    def close(self) -> None:
        """Close idle connections."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._stream.close()
