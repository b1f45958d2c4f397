"""bin/up as a person meets it: start, look, kill, stop, with the real parts."""

import http.client
import json
import os
import signal
import subprocess
import time
from urllib.parse import urlsplit

import psutil
import pytest

from flux_site.runtime import lock, processes
from flux_site.runtime.parts import NAMES
from flux_site.runtime.state import ROOT, Installation, StateFolder
from flux_site.runtime.testing import WITHHELD

pytestmark = pytest.mark.slow
PATIENCE_S = 120  # how long a part may take on a busy machine before the test fails
HIDDEN = {*WITHHELD, "DJANGO_SETTINGS_MODULE"}  # of the test session's own servers


class Up:
    """One installation under test."""

    def __init__(self, path):
        self.folder = StateFolder(path)
        kept = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        self.environment = kept | {"FLUX_STATE": str(path)}

    def run(self, command, *arguments, **options):
        return subprocess.run(
            [ROOT / "bin" / command, *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S * 2,
            **{"check": True, **options},
        )

    def status(self):
        return json.loads(self.run("up", "--status", "--json").stdout)

    def part(self, name):
        return next(one for one in self.status()["parts"] if one["name"] == name)

    def start(self, *arguments):
        return json.loads(self.run("up", "--detach", "--empty", "--json", *arguments).stdout)

    def until(self, condition):
        """The first status that fulfils the condition."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            status = self.status()
            if condition(status):
                return status
            time.sleep(0.2)
        raise AssertionError(f"still {status}")

    def left(self):
        """Processes that belong to the installation."""
        return processes.of_installation(self.folder.path) + processes.in_folder(self.folder.pgdata)


@pytest.fixture(scope="module")
def founded(tmp_path_factory):
    """The folder of an installation that was started once and stopped; made with --empty."""
    up = Up(tmp_path_factory.mktemp("founded") / "state")
    up.start()
    up.run("up", "--stop")
    assert up.left() == []
    return up.folder.path


@pytest.fixture
def make_up(founded, tmp_path):
    """Installations, each with a copy of the founded folder: same data, same saved ports."""
    made = []

    def make(name="state"):
        # Ownership counts: PostgreSQL's files may belong to another user.
        subprocess.run(["cp", "-a", founded, tmp_path / name], check=True)
        made.append(Up(tmp_path / name))
        return made[-1]

    yield make
    for one in made:
        one.run("up", "--stop", check=False)


def is_live(url):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    try:
        connection.request("GET", "/health/live")
        return connection.getresponse().status == 200
    finally:
        connection.close()


def test_it_starts_shows_its_parts_survives_kills_and_leaves_nothing_behind(make_up):
    up = make_up()
    started = up.start()
    assert is_live(started["url"])

    status = up.status()
    assert set(status) == {"state", "url", "parts"}
    assert (status["state"], status["url"]) == ("ready", started["url"])
    assert sorted(one["name"] for one in status["parts"]) == sorted(NAMES)
    for one in status["parts"]:
        assert set(one) == {"name", "pid", "state", "restarts", "last_end"}
        assert (one["state"], one["restarts"]) == ("ready", 0)
    postmaster = int((up.folder.pgdata / "postmaster.pid").read_text().split()[0])
    assert up.part("postgres")["pid"] == postmaster
    assert "valkey-server" in psutil.Process(up.part("valkey")["pid"]).name()

    for name in ("postgres", "valkey", "worker-interactive", "worker-bulk", "web", "lexical"):
        before = up.part(name)
        os.kill(before["pid"], signal.SIGKILL)
        status = up.until(
            lambda now, name=name, before=before: (
                now["state"] == "ready"
                and any(
                    one["name"] == name and one["restarts"] > before["restarts"]
                    for one in now["parts"]
                )
            )
        )
        assert status["url"] == started["url"]
        assert is_live(status["url"])

    again = up.run("up", "--detach", "--empty")
    assert "already running" in again.stderr
    assert started["url"] in again.stdout

    assert up.left()
    up.run("up", "--stop")
    assert up.left() == []
    assert up.status() == {"state": "stopped", "url": None, "parts": []}
    assert up.run("flux", "search", "x", check=False).returncode == 1


def test_two_installations_of_one_clone_live_side_by_side(make_up):
    first, second = make_up("first"), make_up("second")
    url = first.start()["url"]
    port = str(urlsplit(url).port)
    refused = second.run("up", "--detach", "--empty", "--json", "--port", port, check=False)
    assert refused.returncode == 1
    assert port in json.loads(refused.stdout)["error"]["message"]
    assert second.left() == []

    other_url = second.start()["url"]  # the ports that it had saved are taken
    assert other_url != url
    assert is_live(url)
    assert is_live(other_url)
    pids = [{one["pid"] for one in up.status()["parts"]} for up in (first, second)]
    assert not pids[0] & pids[1]

    first.run("up", "--stop")
    assert first.left() == []
    assert second.status()["state"] == "ready"


def test_after_a_kill_of_the_supervisor_all_data_is_found_and_a_term_signal_ends_in_order(make_up):
    up = make_up()
    up.start()
    up.run(
        *("flux", "create_user", "ada@example.org", "--password", "a long enough word"),
        *("--team", "lab", "--role", "owner", "--site-admin", "--json"),
    )
    before = Installation.load(up.folder)
    os.kill(lock.holder(up.folder), signal.SIGKILL)
    up.run("up", "--stop")
    assert up.left() == []
    assert up.status()["state"] == "stopped"

    with subprocess.Popen(
        [ROOT / "bin" / "up"],
        env=up.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as supervisor:
        any(line.startswith("Flux is ready") for line in supervisor.stdout)
        assert up.status()["state"] == "ready"
        assert Installation.load(up.folder) == before
        made = up.run("flux", "create_token", "ada@example.org", "--scopes", "read", "--json")
        assert json.loads(made.stdout)["token"]
        supervisor.send_signal(signal.SIGTERM)
        rest = supervisor.stdout.read()
    assert supervisor.returncode == 0
    assert "stopping" in rest
    assert up.left() == []
