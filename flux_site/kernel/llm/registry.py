"""Providers of language models by name. Whether one is configured is a setting, never a guess."""

from __future__ import annotations

from typing import Final

from django.conf import settings

from flux_site.kernel.llm.anthropic import AnthropicModel, Endpoint
from flux_site.kernel.llm.base import LanguageModel
from flux_site.kernel.registry import Registry

ANTHROPIC: Final = "anthropic"
providers: Final[Registry[LanguageModel]] = Registry("model provider")


def anthropic_endpoint() -> Endpoint:
    """The endpoint that the settings name; read at each call, so that a change needs no restart of
    tests.
    """
    return Endpoint(
        api_key=getattr(settings, "ANTHROPIC_API_KEY", "") or "",
        base_url=getattr(settings, "ANTHROPIC_BASE_URL", "") or "",
    )


def is_configured() -> bool:
    """Whether a model may be called at all: a key, or the address of a server that wants none."""
    endpoint = anthropic_endpoint()
    return bool(endpoint.api_key or endpoint.base_url)


providers.register(ANTHROPIC, lambda: AnthropicModel(anthropic_endpoint))
