"""What every test has: markers by folder, a closed network, a media folder of its own, a quiet
encoder.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

pytest_plugins = ["tests.plugins.page_count"]

# A busy machine is slow at everything: that says nothing about an example.
hypothesis_settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile(
    "quick", hypothesis_settings.get_profile("untimed"), max_examples=25
)
QUICK = "not slow"  # the -m of `bin/test quick`


def pytest_configure(config: pytest.Config) -> None:
    """The quick part tries fewer examples of each property."""
    is_quick = config.getoption("-m") == QUICK
    hypothesis_settings.load_profile("quick" if is_quick else "untimed")


SHARED = Path(os.environ.get("FLUX_SHARED", Path(__file__).resolve().parents[2] / "shared"))
BY_FOLDER = {"db": "db", "flows": "flow", "pages": "pages", "live": "live", "device": "device"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test's folder says what it needs; one that reads shared data skips where there is none."""
    here = Path(__file__).parent
    for item in items:
        folder = item.path.relative_to(here).parts[0]
        if folder in BY_FOLDER:
            item.add_marker(BY_FOLDER[folder])
        for kind, reason in {
            "live": "asks real sources: run by hand with -m live",
            "device": "needs an accelerator: run by hand with -m device",
        }.items():
            if item.get_closest_marker(kind) and not item.config.getoption("-m"):
                item.add_marker(pytest.mark.skip(reason=reason))
        if item.get_closest_marker("shared_data") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason=f"NO SHARED DATA at {SHARED}"))
    # The longest first: else the last worker is alone with them.
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of saved records."""
    return SHARED / "data"


@pytest.fixture(autouse=True)
def own_folders(settings: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Blobs and indexes of one test are not another's."""
    root = tmp_path_factory.mktemp("state")
    settings.MEDIA_ROOT = str(root / "media")  # type: ignore[attr-defined]
    settings.LEXICAL_ROOT = root / "lexical"  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def empty_cache(request: pytest.FixtureRequest) -> None:
    """Throttles and cached answers do not pass from test to test."""
    if not {"unit"} & set(Path(str(request.node.path)).parts):
        cache.clear()
