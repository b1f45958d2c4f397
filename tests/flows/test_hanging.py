"""A part that listens and does not answer any more is started again; one that is slow is not."""

import os
import signal
from functools import partial

import psutil

from flux_site.runtime import parts, ports, privileges
from flux_site.runtime.parts import Watch
from flux_site.runtime.runner import HANGS
from flux_site.runtime.state import Installation
from tests.support.supervised import Running, journal, of_part, plan, status, until

SERVER = """
import http.server, time
from flux_site.runtime.state import mark_ready
class Busy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep({takes_s})
        self.send_response(503)
        self.end_headers()
    def log_message(self, *_):
        with open({asked!r}, "a") as file:
            file.write("x")
server = http.server.HTTPServer(("127.0.0.1", {port}), Busy)
mark_ready()
server.serve_forever()
"""


def server(make_part, folder, *, takes_s=0.0, limit_s=0.3):
    """A part that answers by HTTP, badly and after a while."""
    port, asked = ports.choose(), str(folder.path / "asked")
    script = SERVER.format(port=port, takes_s=takes_s, asked=asked)
    silent = partial(parts.is_silent, port, parts.LIVE, limit_s=limit_s)
    return make_part("web", script, watch=Watch(silent, every_s=0.05))


async def test_a_part_that_hangs_is_started_again_and_the_others_are_left_alone(folder, make_part):
    wanted = plan((), [server(make_part, folder), make_part("beat")])
    async with Running(wanted, folder) as running:
        hanging, beat = of_part(folder, "web")["pid"], of_part(folder, "beat")
        os.kill(hanging, signal.SIGSTOP)
        await until(lambda: of_part(folder, "web")["restarts"] == 1)
        await until(lambda: status(folder)["state"] == "ready")
        again = of_part(folder, "web")
        assert again["pid"] not in (None, hanging)
        assert again["last_end"] == HANGS
        assert of_part(folder, "beat") == beat
    assert not psutil.pid_exists(hanging)
    told = [line for line in running.notes.lines if line.startswith("web:")]
    assert told[:3] == [f"web: silent, {n} of 3" for n in (1, 2, 3)]
    assert told[3].startswith(f"web: {HANGS}; starting it again in 0.5 s")


async def test_a_part_that_answers_late_and_badly_is_left_alone(folder, make_part):
    part = server(make_part, folder, takes_s=0.2, limit_s=30)
    async with Running(plan((), [part]), folder):
        pid = of_part(folder, "web")["pid"]
        await until(lambda: len((folder.path / "asked").read_text()) >= 8)
        assert of_part(folder, "web")["pid"] == pid
        assert of_part(folder, "web")["restarts"] == 0


async def test_silences_that_an_answer_comes_between_do_not_count_together(folder, make_part):
    asked = []

    async def is_silent():
        asked.append(len(asked) % 3 < 2)  # twice silent, then an answer
        return asked[-1]

    async with Running(
        plan((), [make_part("web", watch=Watch(is_silent, every_s=0.01))]), folder
    ) as running:
        await until(lambda: len(asked) >= 12)
        assert of_part(folder, "web")["restarts"] == 0
    assert "web: silent, 2 of 3" in running.notes.lines


async def test_one_that_hangs_each_time_is_waited_for_longer_each_time(
    folder, make_part, monkeypatch
):
    monkeypatch.setattr("flux_site.runtime.runner.SETTLED_S", 0.0)  # each life is a long one

    async def is_silent():
        return True

    part = make_part("web", watch=Watch(is_silent, every_s=0.01))
    async with Running(plan((), [part]), folder) as running:
        await until(lambda: of_part(folder, "web")["restarts"] == 2)
    waits = [line.rsplit(" in ")[1] for line in running.notes.lines if HANGS in line]
    assert waits[:2] == ["0.5 s", "1.0 s"]


async def test_a_stopped_part_hears_that_it_is_to_end(folder, make_part):
    async with Running(plan((), [make_part("web")]), folder):
        os.kill(of_part(folder, "web")["pid"], signal.SIGSTOP)
    assert journal(folder) == ["web starts", "web ends"]


async def test_only_silence_is_silence():
    ask = partial(parts.is_silent, question=parts.PING, limit_s=0.1)
    assert not await ask(ports.choose()), "a refusal is an answer"
    with ports.hold(ports.choose()) as held:
        assert await ask(held.getsockname()[1]), "nobody takes the call"


def test_web_and_valkey_are_watched_and_the_database_is_left_to_itself(folder):
    made, plain = Installation(), privileges.of_mode("plain")
    with ports.hold(ports.choose()) as held:
        every = parts.application_parts(made, folder, held)
    every += [parts.valkey_part(made, folder), parts.postgres_part(made, folder, plain)]
    assert {part.name for part in every if part.watch} == {"web", "valkey"}
