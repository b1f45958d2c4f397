"""Asking an upstream: in turn, again when it pays, within limits of time and size."""

from __future__ import annotations

import functools
import random
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Self

import httpcore
import httpx
import structlog

from flux_site.kernel.http import guard
from flux_site.kernel.http.body import read_whole, too_large
from flux_site.kernel.http.errors import (
    BadAnswer,
    SourceExhausted,
    SourceRefused,
    SourceUnavailable,
)
from flux_site.kernel.http.policy import Policy
from flux_site.kernel.http.quota import Quota
from flux_site.kernel.http.transport import Deadline, PinnedBackend, PinnedTransport
from flux_site.kernel.http.waits import exhausted_s, pause_s, retry_after_s

log = structlog.get_logger(__name__)

MAX_REDIRECTS: Final = 5
LATER: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_FAILURES: Final = (httpcore.NetworkError, httpcore.ProtocolError)
_ADVICE: Final = {
    400: "It cannot read the request: check the query and the ids.",
    401: "It wants a key: check the key in the settings.",
    403: "It refuses us: check the key and the contact in the settings, or ask its makers.",
    404: "It has nothing of that name: check the ids.",
    410: "It has withdrawn what was asked for.",
    413: "The request is too long: ask for less at a time.",
    414: "The request is too long: ask for less at a time.",
}

Params = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, unpacked. Keep `etag` and `last_modified` with it to ask for changes
    only.
    """

    status: int
    body: bytes
    media_type: str = ""
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class NotModified:
    """What the caller holds is still current."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class _Call:
    method: str
    url: httpx.URL
    form: Params | None = None
    expects: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


@functools.cache
def _certificates() -> ssl.SSLContext:
    """The known authorities; reading their list takes 20 ms."""
    return httpx.create_ssl_context()


class Client:
    """The client of one upstream; safe from several threads.

    `sleep` and `resolve` are parameters for tests; `ssl_context` verifies certificates.
    """

    def __init__(
        self,
        policy: Policy,
        quota: Quota,
        *,
        sleep: Callable[[float], object] = time.sleep,
        resolve: guard.Resolve = guard.resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self.policy = policy
        self._quota, self._sleep = quota, sleep
        self._deadline = Deadline()
        backend = PinnedBackend(policy, self._deadline, resolve)
        context = ssl_context or _certificates()
        self._transport = PinnedTransport(backend, ssl_context=context)
        self._headers = {
            "User-Agent": policy.user_agent,
            "Accept": "*/*",
            "Accept-Encoding": "gzip",
        }
        self._timeouts = httpx.Timeout(policy.read_s, connect=policy.connect_s).as_dict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close idle connections."""
        self._transport.close()

    def get(
        self, path: str, params: Params | None = None, *, expects: Iterable[str] = ()
    ) -> Answer:
        """GET a path below the base URL.

        `expects`: parts of media types, any of which the answer's must hold ("json", "xml"); none
        accepts all. Raises SourceUnavailable, SourceExhausted, SourceRefused, BadAnswer, TooLarge,
        Blocked.
        """
        answer = self._ask(_Call("GET", self._url(path, params), expects=tuple(expects)))
        assert isinstance(answer, Answer)
        return answer

    def get_if_changed(
        self,
        path: str,
        params: Params | None = None,
        *,
        etag: str = "",
        last_modified: str = "",
        expects: Iterable[str] = (),
    ) -> Answer | NotModified:
        """As `get`, but NotModified when what the caller holds (with these marks) is current."""
        marks = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in marks.items() if value}
        return self._ask(
            _Call("GET", self._url(path, params), expects=tuple(expects), headers=headers)
        )

    def post(self, path: str, form: Params, *, expects: Iterable[str] = ()) -> Answer:
        """POST a form, for questions too long for an address; it is repeated like a GET."""
        answer = self._ask(_Call("POST", self._url(path, None), form, tuple(expects)))
        assert isinstance(answer, Answer)
        return answer

    def _url(self, path: str, params: Params | None) -> httpx.URL:
        url = httpx.URL(f"{self.policy.base_url.rstrip('/')}/{path.lstrip('/')}")
        return url.copy_merge_params(params) if params else url

    def _ask(self, call: _Call) -> Answer | NotModified:
        """Try until it succeeds, cannot succeed, or the tries or the time are used up."""
        deadline = time.monotonic() + self.policy.total_s
        attempt = 0
        while True:
            attempt += 1
            self._take_turn(deadline)
            try:
                return self._once(call, deadline)
            except SourceUnavailable as failed:
                pause = max(failed.wait_s, pause_s(self.policy, attempt, random.random()))
                ends = time.monotonic() + pause >= deadline
                log.info("http.failed", upstream=self.policy.name, attempt=attempt, **failed.detail)
                if ends or attempt >= self.policy.tries:
                    raise
            self._sleep(pause)

    def _take_turn(self, deadline: float) -> None:
        """Wait for a slot. Raises SourceUnavailable when it lies beyond the time that is left."""
        while True:
            left = deadline - time.monotonic()
            turn = self._quota.take(self.policy, most_s=left)
            if turn.kind == "spent":
                raise self._exhausted(turn.wait_s)
            if turn.kind == "busy":
                raise SourceUnavailable(
                    f"Many requests to {self.policy.label} are waiting already. Try again later.",
                    wait_s=turn.wait_s,
                )
            if turn.wait_s > left:
                raise self._must_wait(turn.wait_s)
            if turn.wait_s > 0:
                self._sleep(turn.wait_s)
            if turn.kind == "go" and not (turn.wait_s and self._quota.is_held(self.policy)):
                return

    def _once(self, call: _Call, deadline: float) -> Answer | NotModified:
        self._deadline.at = deadline
        try:
            return self._follow(call)
        except httpcore.TimeoutException as error:
            raise SourceUnavailable(
                f"{self.policy.label} took too long to answer. Try again later.", why="timeout"
            ) from error
        except _FAILURES as error:
            raise self._broken(error) from error

    def _follow(self, call: _Call) -> Answer | NotModified:
        """Send, and follow redirects; each address is checked before it is asked."""
        url = call.url
        for _ in range(MAX_REDIRECTS + 1):
            self.policy.admit(url)
            response = self._transport.handle_request(self._request(call, url))
            try:
                if not response.has_redirect_location:
                    return self._read(call, response)
                if call.method != "GET" and response.status_code not in (307, 308):
                    raise self._changed("it sends the request elsewhere")
                url = self._next(url, response.headers["location"])
            finally:
                response.close()
        raise self._changed("it redirects in a circle")

    def _request(self, call: _Call, url: httpx.URL) -> httpx.Request:
        return httpx.Request(
            call.method,
            url,
            headers=self._headers | dict(call.headers),
            data=dict(call.form) if call.form is not None else None,
            extensions={"timeout": self._timeouts},
        )

    def _next(self, url: httpx.URL, location: str) -> httpx.URL:
        try:
            return url.join(location)
        except (httpx.InvalidURL, ValueError) as error:
            raise self._changed("it redirects to what is no address") from error

    def _read(self, call: _Call, response: httpx.Response) -> Answer | NotModified:
        headers = response.headers
        marks = headers.get("etag", ""), headers.get("last-modified", "")
        if response.status_code == httpx.codes.NOT_MODIFIED and call.headers:
            return NotModified(*marks)
        if not response.is_success:
            raise self._refusal(response)
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type and call.expects and not any(part in media_type for part in call.expects):
            wanted = " or ".join(call.expects)
            raise self._changed(f"it sent {media_type[:60]} where {wanted} was asked for")
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > self.policy.max_bytes:
            raise too_large(self.policy.label, self.policy.max_bytes)
        body = read_whole(
            response.iter_raw(),
            encoding=headers.get("content-encoding", "").strip().lower(),
            limit=self.policy.max_bytes,
            label=self.policy.label,
        )
        return Answer(response.status_code, body, media_type, *marks)

    def _refusal(self, response: httpx.Response) -> Exception:
        status, label, now = response.status_code, self.policy.label, datetime.now(UTC)
        if status == httpx.codes.TOO_MANY_REQUESTS:
            renews_s = exhausted_s(response.headers, self.policy.credits, now=now)
            if renews_s is not None:
                self._quota.spend(self.policy, renews_s)
                return self._exhausted(renews_s)
        if status in LATER:
            asked_s = retry_after_s(response.headers.get("retry-after", ""), now=now)
            if asked_s:
                self._quota.pause(self.policy, asked_s)
                return self._must_wait(asked_s, answered=status)
            return SourceUnavailable(
                f"{label} cannot answer now ({status}). Try again later.", answered=status
            )
        advice = _ADVICE.get(status, "The same request would be refused again.")
        return SourceRefused(f"{label} answered {status}. {advice}", answered=status)

    def _must_wait(self, seconds: float, **detail: object) -> SourceUnavailable:
        shown = max(1, round(seconds))
        return SourceUnavailable(
            f"{self.policy.label} asks to wait {shown} second{'s' * (shown != 1)}.",
            wait_s=seconds,
            **detail,
        )

    def _exhausted(self, seconds: float) -> SourceExhausted:
        until = datetime.now(UTC) + timedelta(seconds=seconds)
        return SourceExhausted(
            f"The quota at {self.policy.label} is used up; it renews at "
            f"{until:%Y-%m-%d %H:%M} UTC. Nothing is asked there until then.",
            until=until,
        )

    def _changed(self, what: str) -> BadAnswer:
        return BadAnswer(
            f"{self.policy.label} did not answer as agreed: {what}. "
            "Try again later; if it stays, the source has changed."
        )

    def _broken(self, error: Exception) -> Exception:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return SourceRefused(
                f"The certificate of {self.policy.label} cannot be verified: nothing was sent. "
                "Check the clock and the network of this machine."
            )
        return SourceUnavailable(
            f"The connection to {self.policy.label} failed or broke off. "
            "Check the network, or try again later.",
            why=type(error).__name__,
        )
