"""Parts that are forked from a process which has imported what they need."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import psutil
import pytest

from flux_site.runtime import processes
from flux_site.runtime.launchers import Nursery
from flux_site.runtime.state import ROOT
from flux_site.runtime.supervisor import Supervisor
from tests.support.supervised import (
    WELL_BEHAVED,
    Notes,
    Running,
    journal,
    of_part,
    plan,
    preparation,
    status,
    until,
)

pytestmark = pytest.mark.skipif(
    not processes.is_linux(), reason="the nursery is used on Linux only"
)


@pytest.fixture
def nursery(folder):
    """A nursery that has imported nothing but a module of the standard library."""
    variables = {"PYTHONPATH": str(ROOT), "JOURNAL": str(folder.path / "journal")}
    made = Nursery(lambda: variables, folder.log_file("nursery"), modules=["colorsys"])
    return made


@pytest.fixture
def make_forked(folder, make_part):
    """Parts whose program is a file, as the nursery runs it."""

    def make(name, script=WELL_BEHAVED, **options):
        path = folder.path / f"{name}.py"
        path.write_text(script)
        part = make_part(name, **options)
        return replace(part, command=lambda: [sys.executable, str(path), "word"], is_forked=True)

    return make


async def test_forked_parts_are_processes_of_their_own_with_all_that_was_imported(
    folder, make_forked, nursery
):
    script = (
        "import json, os, sys\n"
        "facts = [sys.argv[1:], 'colorsys' in sys.modules, os.getsid(0) == os.getpid()]\n"
        "print(json.dumps([*facts, os.environ['FLUX_PART']]), flush=True)\n" + WELL_BEHAVED
    )
    wanted = plan((), [make_forked("web", script), make_forked("beat")], nursery=nursery)
    async with Running(wanted, folder):
        web, beat = of_part(folder, "web")["pid"], of_part(folder, "beat")["pid"]
        assert psutil.Process(web).parent() == psutil.Process(beat).parent()
        assert psutil.Process(web).cwd() == str(ROOT)
    assert json.loads(folder.log_file("web").read_text()) == [["word"], True, True, "web"]
    assert sorted(journal(folder)[2:]) == ["beat ends", "web ends"]


async def test_a_killed_forked_part_is_forked_again(folder, make_forked, nursery):
    async with Running(plan((), [make_forked("web")], nursery=nursery), folder):
        os.kill(of_part(folder, "web")["pid"], signal.SIGKILL)
        await until(lambda: of_part(folder, "web")["restarts"] == 1)
        await until(lambda: status(folder)["state"] == "ready")


async def test_a_killed_nursery_takes_its_parts_along_and_all_come_back(
    folder, make_forked, nursery
):
    wanted = plan((), [make_forked("web"), make_forked("beat")], nursery=nursery)
    async with Running(wanted, folder):
        before = [one["pid"] for one in status(folder)["parts"]]
        psutil.Process(before[0]).parent().kill()
        await until(lambda: [one["restarts"] for one in status(folder)["parts"]] == [1, 1])
        await until(lambda: status(folder)["state"] == "ready")
        assert not any(processes.is_running(pid) for pid in before)


async def test_an_application_that_cannot_be_imported_fails_the_start_and_shows_why(folder):
    broken = Nursery(
        lambda: {"PYTHONPATH": str(ROOT)}, folder.log_file("nursery"), modules=["no_such_module"]
    )
    notes = Notes()
    wanted = plan(prepare=preparation("print('{}')"), nursery=broken)
    assert await Supervisor(wanted, folder, notes).run() == 1
    assert "No module named 'no_such_module'" in notes.failure[1]


async def test_the_nursery_starts_anew_when_a_port_has_changed_meanwhile(folder, make_forked):
    variables = {"PYTHONPATH": str(ROOT), "PORT": "1"}
    nursery = Nursery(lambda: dict(variables), folder.log_file("nursery"), modules=["colorsys"])
    nursery.begin()
    variables["PORT"] = "2"
    await nursery.settle()
    async with Running(plan((), [make_forked("beat")], nursery=nursery), folder):
        parent = psutil.Process(of_part(folder, "beat")["pid"]).parent()
        assert parent.environ()["PORT"] == "2"


def test_importing_the_application_loads_nothing_that_dislikes_a_fork():
    """Such libraries start threads when imported; they belong into the function that uses them."""
    script = (
        "import sys\n"
        "from flux_site.runtime import nursery\n"
        "nursery.preload(nursery.APPLICATION)\n"
        "print(*({'onnxruntime', 'torch', 'neo4j'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []
