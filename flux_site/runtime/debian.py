"""Programs of the system that the tests need, from Debian's packages where we are root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence


def can_install() -> bool:
    """Whether packages can be asked for at all."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(*packages: str) -> bool:
    """Install packages; whether it went well."""
    return succeeds(["apt-get", "update", "-qq"]) and succeeds(
        ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages]
    )


def succeeds(call: Sequence[str]) -> bool:
    """Run an installer, its output on standard error."""
    done = subprocess.run(
        call,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        check=False,
    )
    return done.returncode == 0
