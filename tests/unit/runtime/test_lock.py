"""One supervisor per state folder."""

import os

import pytest

from flux_site.runtime import lock
from flux_site.runtime.state import StateFolder


@pytest.fixture
def folder(tmp_path):
    return StateFolder(tmp_path)


def test_a_folder_nobody_ever_used_is_not_held(folder):
    assert not lock.is_held(folder)
    assert lock.holder(folder) is None


def test_the_lock_names_its_holder_and_ends_with_it(folder):
    with lock.supervising(folder):
        assert lock.is_held(folder)
        assert lock.holder(folder) == os.getpid()
    assert not lock.is_held(folder)


def test_a_second_supervisor_is_refused_and_told_who_the_first_is(folder):
    with (
        lock.supervising(folder),
        pytest.raises(lock.AlreadyRunning) as refusal,
        lock.supervising(folder, patience_s=0.1),
    ):
        pass
    assert refusal.value.pid == os.getpid()


def test_a_dead_supervisors_number_in_the_file_holds_nothing(folder):
    folder.lock_file.write_text("1\n")
    assert not lock.is_held(folder)
    with lock.supervising(folder):
        assert lock.holder(folder) == os.getpid()
