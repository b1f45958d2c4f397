"""Where the tests of the sources find their files."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="session")
def data() -> Path:
    """The small fixtures of the repository, one folder a source."""
    return REPOSITORY / "tests" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The saved real records beside the repository; tests that need them say so by their marker."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real records: {folder} is absent", allow_module_level=False)
    return folder
