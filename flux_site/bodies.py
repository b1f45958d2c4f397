"""How long the body of a request may be: said before it is read, not after.

Django takes a whole body in before a view or its permissions are asked, so what is too long has to
be turned away in front of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings

from flux_site.kernel import api

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

MANY_FILES = re.compile(r"/library/[^/]+/upload/")  # a form of files, each within the limit
ENVELOPE_BYTES = 64 << 10  # a form's own lines around one file of the greatest size


class _TooLong(Exception):
    """The body has passed the limit while it came in."""


class BoundedBodies:
    """An ASGI application that refuses with 413 what is longer than a file may be; only the form of
    a corpus takes many files at once.

    By Content-Length before a byte is read; without one as soon as the limit is passed.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or MANY_FILES.fullmatch(scope["path"]):
            await self.application(scope, receive, send)
            return
        limit = settings.UPLOAD_MAX_BYTES + ENVELOPE_BYTES
        if _declared(scope) > limit:
            await _refuse(send)
            return
        try:
            await self.application(scope, _counted(receive, limit), send)
        except _TooLong:  # raised while the body is read, so nothing has been answered yet
            await _refuse(send)


def _declared(scope: Scope) -> int:
    given = dict(scope["headers"]).get(b"content-length", b"0")
    return int(given) if given.isdigit() else 0


def _counted(receive: Receive, limit: int) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise _TooLong
        return message

    return counted


async def _refuse(send: Send) -> None:
    """The server drops what still comes, so that the caller gets to read the answer."""
    most = settings.UPLOAD_MAX_BYTES >> 20
    detail = f"The body is larger than {most} MB: split the file, or ask an admin for more."
    content = json.dumps(api.body(413, "too_large", detail)).encode()
    headers = [
        (b"content-type", api.PROBLEM.encode()),
        (b"content-length", str(len(content)).encode()),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": content})
