"""TCP ports on the loopback address."""

from __future__ import annotations

import random
import socket

LOOPBACK = "127.0.0.1"
# Below the range that Linux gives to outgoing connections (32768 up): a port kept between two
# starts is then not lost to one of them.
FIRST, LAST = 20_000, 32_000
TRIES = 200
QUEUE = 512  # callers that wait while the web process starts again


def bind(port: int, host: str = LOOPBACK) -> socket.socket:
    """A bound socket that does not listen yet. Raises OSError when the port is taken."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A port in TIME_WAIT is free for a server; one that somebody listens on is still refused.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((host, port))
    except OSError:
        taken.close()
        raise
    return taken


def hold(port: int) -> socket.socket:
    """A listening socket that nobody accepts from yet: callers wait, other servers are refused.

    Binding alone is no claim, since two sockets may be bound for reuse of the same port.

    Raises: OSError when the port is taken.
    """
    held = bind(port)
    try:
        held.listen(QUEUE)
    except OSError:
        held.close()
        raise
    return held


def is_free(port: int) -> bool:
    """True when a server could listen there now."""
    try:
        bind(port).close()
    except (OSError, OverflowError):
        return False
    return True


def is_answered(port: int, timeout_s: float = 1.0) -> bool:
    """True when somebody accepts connections there."""
    try:
        socket.create_connection((LOOPBACK, port), timeout=timeout_s).close()
    except OSError:
        return False
    return True


def choose(*wishes: int) -> int:
    """The first wish (0 is none) that is free, else a free port by chance.

    By chance rather than in order: two installations that start together then seldom meet, and the
    one that loses chooses again.

    Raises: OSError when nothing is free.
    """
    for wish in wishes:
        if wish and is_free(wish):
            return wish
    for _ in range(TRIES):
        port = random.randint(FIRST, LAST)
        if is_free(port):
            return port
    raise OSError(f"no free port between {FIRST} and {LAST}")
