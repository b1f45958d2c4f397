"""The web process: one uvicorn server on the socket that the supervisor holds.

The supervisor keeps the port while this process is down, so no other program takes it and callers
wait in the queue of the socket instead of being refused.
"""

from __future__ import annotations

import socket
import sys
from typing import Any

import uvicorn

STREAM_GRACE_S = 5  # open event streams are cut after this; readers resume them by event id


def configured(application: Any = "flux_site.asgi:application") -> uvicorn.Config:
    """How the site is served."""
    return uvicorn.Config(
        application,
        access_log=False,  # the site logs its own requests, with user and run
        log_config=None,
        timeout_graceful_shutdown=STREAM_GRACE_S,
        timeout_keep_alive=15,
        server_header=False,
        proxy_headers=False,  # whom to believe is TRUSTED_PROXIES' to say (kernel/clients)
    )


def main(descriptor: int) -> None:
    """Serve until SIGTERM."""
    uvicorn.Server(configured()).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
