"""What an answer was made with: data, pipeline, prompts, models."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.models import Corpus
from retrieval.services.search import index_version

PROMPTS = Path(settings.ROOT) / "templates" / "prompts"
_CONFIGURED = ("MODEL_TIERS", "DEFAULT_ENCODER", "DEFAULT_FUSION")


def versions_of(scope: Sequence[Corpus]) -> dict[str, Any]:
    """Stamps of a run that begins now. `dataset` is the index version of its corpora."""
    revisions = {str(corpus.public_id): corpus.revision for corpus in scope}
    return {
        "dataset": index_version(scope),
        "corpora": revisions,
        "pipeline": f"{settings.VERSION}+{_config_hash()}",
        "prompts": prompts_hash(),
        "models": {"encoder": settings.DEFAULT_ENCODER, "answer": None},
    }


def _config_hash() -> str:
    return _hash({name: getattr(settings, name, None) for name in _CONFIGURED})[:12]


@lru_cache(maxsize=1)
def prompts_hash() -> str:
    """Of all prompts, by name and text."""
    files = sorted(PROMPTS.glob("*.md"))
    return _hash([(file.name, file.read_text(encoding="utf-8")) for file in files])[:12]


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
