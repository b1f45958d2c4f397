"""What `bin/*` installs and when; the installing itself is run on a requirement made here."""

import base64
import hashlib
import json
import os
import subprocess
import sys
import zipfile

import pytest

from flux_site.runtime import environment
from flux_site.runtime.environment import Environment, EnvironmentFailed, Requirements
from flux_site.runtime.state import ROOT

LOCK = Requirements("requirements/lock.txt", ("--require-hashes", "--no-index"), may_use_uv=False)


@pytest.fixture
def clone(tmp_path):
    """A folder with a lock file that names one package, which lies beside it."""
    root = tmp_path / "clone"
    (root / "requirements").mkdir(parents=True)
    wheel = make_wheel(root)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (root / LOCK.file).write_text(f"flux-probe @ {wheel.as_uri()} --hash=sha256:{digest}\n")
    return root


def make_wheel(folder):
    """A wheel with one empty module `flux_probe`."""
    info = "flux_probe-1.dist-info"
    contents = {
        "flux_probe.py": "",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: flux-probe\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = []
    for name, text in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        lines.append(f"{name},sha256={digest.decode()},{len(text)}\n")
    record = f"{info}/RECORD"
    path = folder / "flux_probe-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in (contents | {record: "".join(lines) + f"{record},,\n"}).items():
            wheel.writestr(name, text)
    return path


def stamp(made: Environment, clone) -> None:
    """Make an environment look as if the lock had been installed."""
    made.python.parent.mkdir(parents=True)
    made.python.symlink_to(sys.executable)
    made.stamp.write_text(json.dumps({LOCK.file: environment.digest(clone / LOCK.file)}))


def test_an_unchanged_environment_needs_nothing(clone):
    made = Environment(clone / ".venv", clone)
    stamp(made, clone)
    assert made.is_ready([LOCK])
    made.ensure([LOCK])  # there is no pip in it: anything but doing nothing would fail


def test_a_changed_lock_is_installed_anew_and_only_that(clone):
    made = Environment(clone / ".venv", clone)
    stamp(made, clone)
    other = Requirements("requirements/weights.txt")
    (clone / other.file).write_text("other==1\n")
    assert made.missing([LOCK, other]) == [other]
    (clone / LOCK.file).write_text("flux-probe==2\n")
    assert made.missing([LOCK, other]) == [LOCK, other]


@pytest.mark.parametrize("text", ["", "{", "null"])
def test_an_unreadable_stamp_means_that_nothing_is_known(clone, text):
    made = Environment(clone / ".venv", clone)
    stamp(made, clone)
    made.stamp.write_text(text)
    assert made.missing([LOCK]) == [LOCK]


def test_an_environment_under_change_is_not_ready(clone):
    made = Environment(clone / ".venv", clone)
    stamp(made, clone)
    made.unfinished.touch()
    assert not made.is_ready([LOCK])


@pytest.mark.slow
def test_a_half_made_environment_is_made_anew_and_then_costs_nothing(clone, capsys):
    made = Environment(clone / ".venv", clone)
    made.python.parent.mkdir(parents=True)
    made.python.symlink_to("/nowhere/python")
    leftover = made.path / "leftover"
    leftover.touch()

    made.ensure([LOCK])
    assert not leftover.exists()
    assert not made.unfinished.exists()
    subprocess.run([made.python, "-c", "import flux_probe"], check=True)
    assert "half made or broken" in capsys.readouterr().err

    made.ensure([LOCK])
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_package_with_another_hash_is_refused_with_the_installers_words(clone):
    text = (clone / LOCK.file).read_text()
    (clone / LOCK.file).write_text(text.rsplit(":", 1)[0] + ":" + "0" * 64 + "\n")
    made = Environment(clone / ".venv", clone)
    with pytest.raises(EnvironmentFailed, match=r"(?s)requirements/lock.txt.*DO NOT MATCH"):
        made.ensure([LOCK])
    assert made.missing([LOCK]) == [LOCK]


def test_commands_run_in_the_environment_and_python_takes_its_arguments_as_they_are(tmp_path):
    made = Environment(tmp_path)
    python = str(tmp_path / "bin" / "python")
    assert environment.command_line(made, ["python", "-c", "1"]) == [python, "-c", "1"]
    assert environment.command_line(made, ["flux", "search", "x"]) == [
        *(python, "-P", "-m", "flux_site.runtime", "flux", "search", "x")
    ]


def test_the_repository_comes_first_on_the_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/other")
    path = environment.surrounding_variables(ROOT)["PYTHONPATH"]
    assert path.split(os.pathsep) == [str(ROOT), "/other"]


def test_every_named_requirements_file_is_in_the_repository():
    for one in environment.BASE + environment.DEVELOPMENT:
        text = (ROOT / one.file).read_text()
        assert ("--hash=sha256:" in text) == ("--require-hashes" in one.options)
        assert "index-url" not in text  # a lock must not say where packages come from


@pytest.mark.parametrize("name", ["up", "flux", "python", "test", "lint", "fix", "bench"])
def test_commands_are_short_executable_shell(name):
    path = ROOT / "bin" / name
    assert os.access(path, os.X_OK)
    assert path.read_text().startswith("#!/bin/sh\n")
    assert f" {name} " in path.read_text().splitlines()[-1]


def test_what_only_looks_works_without_an_environment(tmp_path):
    done = subprocess.run(
        [ROOT / "bin" / "up", "--status", "--json"],
        env={
            "PATH": os.environ["PATH"],
            "FLUX_VENV": str(tmp_path / "none"),
            "FLUX_STATE": str(tmp_path / "state"),
            "FLUX_PYTHON": sys.executable,
        },
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"state": "stopped", "url": None, "parts": []}
    assert list(tmp_path.iterdir()) == []
