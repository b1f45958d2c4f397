"""How bin/test comes by a browser, with small programs in place of the system's."""

import pytest

from flux_site.runtime import browser


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """An empty PATH, and a function that puts a shell script there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("FLUX_CHROMIUM", raising=False)

    def add(name, script):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    return add


def test_a_browser_on_the_path_is_taken_and_a_named_one_before_it(programs, monkeypatch):
    assert browser.installed() is None
    chrome = programs("google-chrome", "")
    assert browser.ensure(print) == {"FLUX_CHROMIUM": chrome}
    chromium = programs("chromium", "")
    assert browser.installed() == chromium
    monkeypatch.setenv("FLUX_CHROMIUM", chrome)
    assert browser.installed() == chrome


def test_root_on_debian_installs_chromium_and_fonts(programs, tmp_path, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    log = tmp_path / "calls"
    programs(
        "apt-get",
        f'echo "$@" >> {log}; case "$1" in install) : > {tmp_path}/chromium;'
        f" /bin/chmod 755 {tmp_path}/chromium;; esac",
    )
    said = []
    assert browser.ensure(said.append) == {"FLUX_CHROMIUM": str(tmp_path / "chromium")}
    update, install = log.read_text().splitlines()
    assert update.startswith("update")
    assert install.endswith("chromium fonts-dejavu-core")
    assert said
