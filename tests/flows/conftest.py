"""What tests of the supervisor share: a folder of state, and parts that run in it."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support import supervised
from tests.support.supervised import make_folder


@pytest.fixture
def folder(tmp_path):
    return make_folder(tmp_path)


@pytest.fixture
def make_part(folder):
    return partial(supervised.make_part, folder)
