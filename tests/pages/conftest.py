"""A real browser on a real server: Chromium, uvicorn, PostgreSQL, Valkey; nothing is replaced."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import uvicorn
from django.conf import settings as django_settings
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from accounts.models import User

pytest.register_assert_rewrite("tests.pages.checks")

START_S = 20.0
WIDE = (1440, 900)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for the tests of a module; each test has contexts of its own.

    Playwright runs an event loop in this thread, beside which Django would refuse queries and
    asynchronous tests could not run: so it ends with the module.
    """
    path = os.environ.get("FLUX_CHROMIUM") or shutil.which("chromium")
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The address of the application, served from a thread of this process."""
    from flux_site.asgi import application

    # Connections end with their request: idle ones would keep the test database from being emptied.
    before = connections.settings["default"]["CONN_MAX_AGE"]
    connections.settings["default"]["CONN_MAX_AGE"] = 0
    config = uvicorn.Config(
        application, host="127.0.0.1", port=0, lifespan="off", log_level="error"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, name="site", daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{_port(server, thread)}"
    server.should_exit = server.force_exit = True
    thread.join(START_S)
    connections.settings["default"]["CONN_MAX_AGE"] = before


def _port(server: uvicorn.Server, thread: threading.Thread) -> int:
    deadline = time.monotonic() + START_S
    while not server.started:
        assert thread.is_alive(), "the server ended while it started"
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.02)
    port: int = server.servers[0].sockets[0].getsockname()[1]
    return port


Opener = Callable[..., Page]


@pytest.fixture
def open_page(chromium: Browser, site: str) -> Iterator[Opener]:
    """Opens a path, signed in as `user` if one is given. What the console complains of is kept."""
    contexts: list[BrowserContext] = []

    def opener(
        path: str,
        user: User | None = None,
        *,
        size: tuple[int, int] = WIDE,
        theme: str = "light",
        scripts: bool = True,
    ) -> Page:
        context = chromium.new_context(
            base_url=site,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,  # type: ignore[arg-type]
            java_script_enabled=scripts,
            has_touch=size[0] < 500,
        )
        contexts.append(context)
        if user is not None:
            context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": site}])
        page = context.new_page()
        page.set_default_timeout(10_000)
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.complaints = complaints  # type: ignore[attr-defined]
        page.goto(path)
        return page

    yield opener
    for context in contexts:
        context.close()


def session_of(user: User) -> str:
    """The session cookie of someone who has signed in."""
    client = Client()
    client.force_login(user, backend=django_settings.AUTHENTICATION_BACKENDS[0])
    return client.cookies["sessionid"].value
