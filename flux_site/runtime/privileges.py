"""How to start PostgreSQL: it refuses to run as root, and needs to reach its files.

Modes, in the order they are tried; later starts keep to those with the owner of the data folder.

plain   not root: started as it is.
nobody  root: started as the user nobody, when that user can reach binaries and data.
userns  root below a folder that others cannot enter: a user namespace of its own, in which root's
        files belong to user 1000.
setpriv as userns where namespaces are switched off (most containers): the user nobody, who keeps
        the one capability to pass closed folders.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

NOBODY = 65534
MODES_OF_ROOT = ("nobody", "userns", "setpriv")
# Modes under which the files of a data folder belong to the same user.
SAME_OWNER = {
    "nobody": ("nobody", "setpriv"),
    "setpriv": ("nobody", "setpriv"),
    "userns": ("userns",),
}


class NoPrivileges(Exception):
    """PostgreSQL cannot be started here at all; the message says what would help."""


@dataclass(frozen=True)
class Privileges:
    """A way to start PostgreSQL.

    prefix goes before its command; uid and gid (None: unchanged) are given to the new process and
    own what it writes; changes_user says that the process itself is started as them.
    """

    mode: str
    prefix: tuple[str, ...] = ()
    uid: int | None = None
    gid: int | None = None
    changes_user: bool = False

    def spawn_options(self) -> dict[str, object]:
        """Keyword arguments for subprocess."""
        if not self.changes_user:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Hand a file or folder to the user that PostgreSQL runs as."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)


def of_mode(mode: str) -> Privileges:
    """The privileges of a mode. Raises KeyError for a name that is none."""
    try:
        entry = pwd.getpwnam("nobody")
        uid, gid = entry.pw_uid, entry.pw_gid
    except KeyError:
        uid = gid = NOBODY
    keep = "-all,+dac_override"
    return {
        "plain": Privileges("plain"),
        "nobody": Privileges("nobody", (), uid, gid, changes_user=True),
        "userns": Privileges(
            "userns", ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")
        ),
        "setpriv": Privileges(
            "setpriv",
            (
                *("setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups"),
                *(f"--inh-caps={keep}", f"--ambient-caps={keep}"),
                # without this bit access(2), by which PostgreSQL looks for itself, ignores it
                *("--securebits=+no_setuid_fixup", "--pdeathsig=INT", "--"),
            ),
            uid,
            gid,
        ),
    }[mode]


def find(kept: str, *, binary: Path, folder: Path) -> Privileges:
    """The first mode, of the same owner as the kept one, that can run the binary on the folder.

    Raises: NoPrivileges when none can.
    """
    if os.geteuid() != 0:
        return of_mode("plain")
    for mode in SAME_OWNER.get(kept, MODES_OF_ROOT):
        privileges = of_mode(mode)
        if _runs(privileges, [str(binary), "--version"]) and _runs(
            privileges, ["test", "-e", f"{folder}/."]
        ):
            return privileges
    raise NoPrivileges(
        "PostgreSQL does not run as root, and neither the user nobody nor a user namespace can "
        f"reach {folder} and {binary.parent}. Start Flux as an ordinary user, put the clone and "
        "FLUX_STATE into folders that others may pass (chmod o+x), or set DATABASE_URL."
    )


def _runs(privileges: Privileges, call: Sequence[str]) -> bool:
    try:
        done = subprocess.run(
            [*privileges.prefix, *call],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
            **privileges.spawn_options(),  # type: ignore[call-overload]
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return bool(done.returncode == 0)
