"""The browser of the page tests: Debian's Chromium, or Playwright's own where it can be fetched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
DEBIAN_PACKAGES = ("chromium", "fonts-dejavu-core")


class NoBrowser(Exception):
    """No browser is here and none could be installed; the message names what was tried."""


def installed() -> str | None:
    """The path of a Chromium on this machine (FLUX_CHROMIUM first), None when there is none."""
    found = (shutil.which(name) for name in (os.environ.get("FLUX_CHROMIUM") or "", *NAMES))
    return next((path for path in found if path), None)


def ensure(say: Callable[[str], None]) -> dict[str, str]:
    """Find or install a browser and return the variables by which the tests find it.

    An empty result means Playwright's own. Raises NoBrowser.
    """
    path = installed()
    if path is None and os.geteuid() == 0 and shutil.which("apt-get"):
        say("no Chromium here: installing Debian's")
        if _install_from_debian():
            path = installed()
    if path is not None:
        return {"FLUX_CHROMIUM": path}
    say("fetching Playwright's own Chromium")
    if _succeeds([sys.executable, "-m", "playwright", "install", "chromium"]):
        return {}
    raise NoBrowser(
        "There is no Chromium on PATH, and neither apt-get (as root) nor "
        "`playwright install chromium` could install one. The page tests cannot run."
    )


def _install_from_debian() -> bool:
    return _succeeds(["apt-get", "update", "-qq"]) and _succeeds(
        ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *DEBIAN_PACKAGES]
    )


def _succeeds(call: Sequence[str]) -> bool:
    """Run an installer, its output on standard error."""
    done = subprocess.run(
        call,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        check=False,
    )
    return done.returncode == 0
