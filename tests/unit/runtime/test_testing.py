"""What bin/test gives to pytest."""

from flux_site.runtime.state import ROOT
from flux_site.runtime.testing import EVERYTHING, FOLDERS, WORKERS, pytest_call, workers

UNIT = str(ROOT / "tests" / "unit")


def folders_of(call):
    return [one.rsplit("/", 1)[1] for one in call if one.startswith(str(ROOT))]


def test_without_a_set_everything_that_is_there_runs():
    call, has_pages = pytest_call([])
    present = [one for one in EVERYTHING if (ROOT / "tests" / one).is_dir()]
    assert folders_of(call) == present
    assert has_pages


def test_quick_is_unit_and_db_without_what_is_slow():
    call, has_pages = pytest_call(["quick", "-x"])
    assert set(folders_of(call)) <= set(FOLDERS["quick"])
    assert call[-3:] == ["-m", "not slow", "-x"]
    assert not has_pages


def test_a_set_is_its_folder_and_only_pages_need_a_browser():
    call, has_pages = pytest_call(["unit"])
    assert call[-1] == UNIT
    assert not has_pages
    assert pytest_call(["pages"])[1]


def test_a_set_runs_at_once_in_workers_and_named_files_in_one_process():
    named = "tests/unit/runtime/test_testing.py"
    assert any(one.startswith("--numprocesses=") for one in pytest_call(["unit"])[0])
    assert pytest_call([named])[0] == [named]


def test_there_are_servers_for_each_worker():
    named = "tests/unit/runtime/test_testing.py"
    assert workers(pytest_call([])[0]) == WORKERS
    assert workers(pytest_call(["-n", "3"])[0]) == 3
    assert workers(pytest_call([named, "-n4"])[0]) == 4
    assert workers(pytest_call([named])[0]) == workers(pytest_call(["-n0"])[0]) == 1


def test_named_files_replace_the_folders():
    named = "tests/unit/runtime/test_testing.py::test_quick"
    assert pytest_call([named, "-q"]) == ([named, "-q"], False)
    assert pytest_call(["tests/pages"]) == (["tests/pages"], True)


def test_the_value_of_an_option_is_no_file():
    call, has_pages = pytest_call(["-k", "stranger"])
    assert call[-2:] == ["-k", "stranger"]
    assert has_pages
