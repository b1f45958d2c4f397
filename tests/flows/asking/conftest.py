"""A reader, a scripted endpoint, and no thread that outlives its test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import User
from agent.live import database
from agent.services import leases
from tests.factories import UserFactory
from tests.support.anthropic_server import AnthropicServer


@pytest.fixture(autouse=True)
def quiet_threads() -> Iterator[None]:
    """Threads that outlive a test would keep its database open."""
    yield
    thread = leases.keeper._thread
    if thread is not None:
        thread.join(10)
    database.close()


@pytest.fixture
def reader() -> User:
    return UserFactory()


@pytest.fixture
def server(settings: Any) -> Iterator[AnthropicServer]:
    with AnthropicServer() as running:
        settings.ANTHROPIC_BASE_URL = running.url
        settings.ANTHROPIC_API_KEY = "key"
        yield running
