"""Order, readiness, restarts and stops, with small real processes in place of the real parts."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from flux_site.runtime import parts, processes
from flux_site.runtime.runner import describe_exit
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

DEAF = """
import signal
from flux_site.runtime.state import mark_ready
signal.signal(signal.SIGTERM, signal.SIG_IGN)
mark_ready()
while True:
    signal.pause()
"""
BROKEN = "import sys; sys.exit('no configuration')"


async def test_servers_come_before_the_preparation_and_that_before_the_application(
    folder, make_part
):
    note = f"open({str(folder.path / 'journal')!r}, 'a').write('prepare\\n'); print('{{}}')"
    wanted = plan([make_part("postgres")], [make_part("web"), make_part("beat")], preparation(note))
    async with Running(wanted, folder):
        assert status(folder)["state"] == "ready"
        assert [one["name"] for one in status(folder)["parts"]] == ["postgres", "web", "beat"]
        before, after = journal(folder)[:2], journal(folder)[2:]
    assert before == ["postgres starts", "prepare"]
    assert sorted(after) == ["beat starts", "web starts"]


async def test_the_stop_goes_from_followers_to_the_database(folder, make_part):
    names = ["postgres", "valkey", "web", "worker-a", "beat", "lexical"]
    wanted = plan([make_part(name) for name in names[:2]], [make_part(name) for name in names[2:]])
    async with Running(wanted, folder) as running:
        pids = [one["pid"] for one in status(folder)["parts"]]
    ends = [line.split()[0] for line in journal(folder) if line.endswith("ends")]
    assert ends == ["lexical", "beat", "worker-a", "web", "valkey", "postgres"]
    assert running.code == 0
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert not folder.status_file.exists()


async def test_a_killed_part_is_started_again_and_the_others_are_left_alone(folder, make_part):
    async with Running(plan((), [make_part("web"), make_part("beat")]), folder):
        web, beat = of_part(folder, "web")["pid"], of_part(folder, "beat")["pid"]
        os.kill(web, signal.SIGKILL)
        await until(lambda: of_part(folder, "web")["restarts"] == 1)
        await until(lambda: status(folder)["state"] == "ready")
        assert of_part(folder, "web")["pid"] not in (None, web)
        assert of_part(folder, "beat") == {
            "name": "beat",
            "pid": beat,
            "state": "ready",
            "restarts": 0,
            "last_end": "",
        }


async def test_while_a_part_is_down_the_whole_is_not_ready(folder, make_part):
    async with Running(plan((), [make_part("web")]), folder):
        os.kill(of_part(folder, "web")["pid"], signal.SIGKILL)
        await until(lambda: of_part(folder, "web")["pid"] is None)
        assert status(folder)["state"] == "starting"


async def test_what_a_killed_part_leaves_behind_is_ended_with_it(folder, make_part):
    parent = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'])\n"
        "open(os.environ['JOURNAL'], 'w').write(str(child.pid))\n" + WELL_BEHAVED
    )
    part = make_part("worker-bulk", parent)
    async with Running(plan((), [part]), folder):
        child = int(journal(folder)[0].split("worker")[0])
        os.kill(of_part(folder, "worker-bulk")["pid"], signal.SIGKILL)
        await until(lambda: not processes.is_running(child))


async def test_a_part_that_does_not_hear_is_killed_after_its_grace(folder, make_part):
    deaf = make_part("web", DEAF, stop=((signal.SIGTERM, 0.1),))
    async with Running(plan((), [deaf]), folder) as running:
        pid = of_part(folder, "web")["pid"]
    assert not psutil.pid_exists(pid)
    assert "web: SIGTERM did not end it in 0 s" in running.notes.lines


async def test_a_part_that_never_starts_fails_the_start_with_its_last_words(folder, make_part):
    notes = Notes()
    wanted = plan([make_part("postgres")], [make_part("web", BROKEN, attempts=2)])
    code = await Supervisor(wanted, folder, notes).run()
    message, log = notes.failure
    assert code == 1
    assert message.startswith("web does not start")
    assert log.splitlines() == ["no configuration"] * 2
    assert journal(folder) == ["postgres starts", "postgres ends"]


async def test_a_part_that_never_answers_is_ended_and_fails_the_start(folder, make_part):
    mute = make_part("web", "import time; time.sleep(60)", attempts=1, start_limit_s=0.2)
    notes = Notes()
    assert await Supervisor(plan((), [mute]), folder, notes).run() == 1
    assert "web: did not answer within 0 s; giving up" in notes.lines


async def test_facts_of_the_preparation_reach_the_reporter(folder):
    prepare = preparation('print(\'noise\'); print(\'{"admin": "a@b.c", "password": "pw"}\')')
    async with Running(plan(prepare=prepare), folder) as running:
        assert running.notes.facts == {"admin": "a@b.c", "password": "pw"}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("import sys; sys.exit('migration 3 fails')", "prepare failed"),
        ("print('done')", "prepare gave no JSON"),
    ],
)
async def test_a_failed_preparation_fails_the_start(folder, make_part, script, message):
    notes = Notes()
    wanted = plan([make_part("postgres")], [make_part("web")], preparation(script))
    assert await Supervisor(wanted, folder, notes).run() == 1
    assert notes.failure[0].startswith(message)
    assert journal(folder) == ["postgres starts", "postgres ends"]


async def test_a_stop_during_the_start_is_heard(folder, make_part):
    notes = Notes()
    supervisor = Supervisor(
        plan([make_part("postgres")], (), preparation("import time; time.sleep(60)")), folder, notes
    )
    task = asyncio.create_task(supervisor.run())
    await until(lambda: "preparing database and models" in notes.lines)
    supervisor.stop()
    assert await task == 0
    assert not notes.is_ready.is_set()
    assert journal(folder) == ["postgres starts", "postgres ends"]


async def test_work_begun_when_ready_is_given_up_at_the_stop(folder):
    notes, log = Notes(), []

    async def work():
        try:
            log.append("begins")
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            log.append("given up")
            raise

    supervisor = Supervisor(plan(), folder, notes)
    task = asyncio.create_task(supervisor.run(work))
    await until(lambda: log == ["begins"])
    os.kill(os.getpid(), signal.SIGTERM)
    assert await task == 0
    assert log == ["begins", "given up"]


def test_a_kill_of_the_supervisor_takes_its_parts_along(folder, tmp_path):
    """The kernel tells the parts; what ignored it would be found by the sweep."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the death of a parent is announced on Linux only")
    script = """
import signal, subprocess, sys
from flux_site.runtime import processes
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"],
                         preexec_fn=processes.die_with_parent(signal.SIGTERM))
print(child.pid, flush=True)
signal.pause()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    psutil.wait_procs([child], timeout=10)
    assert not child.is_running()


def test_the_sweep_ends_parts_of_this_installation_and_of_no_other(folder, tmp_path):
    def begin(state):
        return subprocess.Popen(
            [sys.executable, "-S", "-c", "print(1, flush=True); import time; time.sleep(60)"],
            env={"FLUX_PART": "web", "FLUX_STATE": str(state)},
            stdout=subprocess.PIPE,
        )

    ours, theirs = begin(folder.path), begin(tmp_path / "other")
    try:
        for process in (ours, theirs):
            process.stdout.readline()
        parts.sweep(folder)
        assert ours.wait(5) == -signal.SIGTERM
        assert theirs.poll() is None
    finally:
        for process in (ours, theirs):
            process.kill()
            process.communicate()


@pytest.mark.parametrize(
    ("code", "words"),
    [(3, "ended with exit code 3"), (-9, "was ended by SIGKILL"), (-250, "exit code -250")],
)
def test_an_exit_is_told_in_words(code, words):
    assert words in describe_exit(code)


def test_every_part_has_its_place_in_the_stop():
    ranks = [parts.stop_rank(name) for name in parts.NAMES]
    assert sorted(parts.NAMES, key=parts.stop_rank)[0] == "lexical"
    assert ranks[0] == max(ranks)
    assert Path(parts.ROOT / "manage.py").exists()
