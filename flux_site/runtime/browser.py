"""The browser of the page tests: Debian's Chromium, or Playwright's own where it can be fetched."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable

from flux_site.runtime import debian

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
    if path is None and debian.can_install():
        say("no Chromium here: installing Debian's")
        if debian.install(*DEBIAN_PACKAGES):
            path = installed()
    if path is not None:
        return {"FLUX_CHROMIUM": path}
    say("fetching Playwright's own Chromium")
    if debian.succeeds([sys.executable, "-m", "playwright", "install", "chromium"]):
        return {}
    raise NoBrowser(
        "There is no Chromium on PATH, and neither apt-get (as root) nor "
        "`playwright install chromium` could install one. The page tests cannot run."
    )
