"""Files of a folder on this machine, in a fixed order, each told so that a change of it shows.

Links are followed to files below the root only: whoever may write into a watched folder must not
make Flux read what lies elsewhere.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

UNFINISHED: Final = ("~", ".part", ".partial", ".crdownload", ".download", ".tmp", ".swp", ".lock")
MAX_DEPTH: Final = 40
MAX_NAME: Final = 600
LEADS_OUT: Final = "It is a link that leads out of the watched folders, so it is not followed."


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it lies there. `place` is its path in the folder, by which a round is resumed."""

    place: str
    path: Path
    stamp: str
    size: int = 0
    refused: str = ""  # why it cannot be taken, in a sentence

    @property
    def name(self) -> str:
        """The place, short enough to be a key."""
        if len(self.place) <= MAX_NAME:
            return self.place
        digest = hashlib.sha256(self.place.encode()).hexdigest()
        return f"{self.place[: MAX_NAME - 65]} {digest}"


class Changed(Exception):
    """The file is being written: its bytes are not those that were seen."""


def below(path: Path, roots: list[Path]) -> Path | None:
    """The root that a path lies in once its links are followed, None outside of all."""
    real = Path(os.path.realpath(path))
    return next((r for root in roots if real.is_relative_to(r := root.resolve())), None)


def walk(folder: Path, root: Path, after: str = "") -> Iterator[Seen]:
    """Files of a folder and its subfolders behind the place `after`, in the order of names.

    Hidden and unfinished ones are left out. Raises OSError when the folder itself cannot be read.
    """
    yield from _walk(folder, root.resolve(), (), tuple(after.split("/")) if after else ())


def _walk(
    folder: Path, root: Path, parts: tuple[str, ...], after: tuple[str, ...]
) -> Iterator[Seen]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: _text(entry.name))
    for entry in entries:
        here = (*parts, _text(entry.name))
        if is_ignored(entry.name) or here < after[: len(here)]:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _inside(Path(entry.path), root, here, after)
        elif here > after and (seen := _seen(entry, root, "/".join(here))):
            yield seen


def _inside(
    folder: Path, root: Path, here: tuple[str, ...], after: tuple[str, ...]
) -> Iterator[Seen]:
    """A subfolder's files; one that cannot be read is told in their place."""
    if len(here) > MAX_DEPTH:
        why = f"It lies more than {MAX_DEPTH} folders deep: move it up."
        yield Seen("/".join(here), folder, "deep", refused=why)
        return
    try:
        yield from _walk(folder, root, here, after)
    except OSError as error:
        if here > after:
            yield Seen("/".join(here), folder, f"folder {error.errno}", refused=why_not(error))


def is_ignored(name: str) -> bool:
    """Whether a name is hidden or that of a file still on its way."""
    return name.startswith((".", "~$")) or name.lower().endswith(UNFINISHED)


def _text(name: str) -> str:
    """A name as the database can keep it, whatever its bytes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _seen(entry: os.DirEntry[str], root: Path, place: str) -> Seen | None:
    """The file at an entry; None when it is gone by now, or no file."""
    path = Path(entry.path)
    try:
        own = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(own.st_mode):
            return _linked(path, root, place, stamp_of(own))
    except FileNotFoundError:
        return None
    except OSError as error:
        return Seen(place, path, f"file {error.errno}", refused=why_not(error))
    if not stat.S_ISREG(own.st_mode):
        return None
    return Seen(place, path, stamp_of(own), own.st_size)


def _linked(path: Path, root: Path, place: str, own: str) -> Seen | None:
    try:
        target = path.resolve(strict=True)
        if not target.is_relative_to(root):
            return Seen(place, path, own, refused=LEADS_OUT)
        found = target.stat()
    except (OSError, RuntimeError):
        return Seen(place, path, own, refused="It is a link that leads nowhere: remove it.")
    if not stat.S_ISREG(found.st_mode):
        return Seen(place, path, own, refused="It is a link to a folder: have that watched itself.")
    return Seen(place, target, stamp_of(found), found.st_size)


def stamp_of(found: os.stat_result) -> str:
    """Size and times of a file; the time of its change of state cannot be set back."""
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


def read(seen: Seen) -> bytes:
    """The bytes of a file that has not changed since it was seen.

    Raises Changed when it has, OSError when it cannot be read.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(seen.path, flags), "rb") as stream:  # noqa: PTH123  # a descriptor
        if stamp_of(os.fstat(stream.fileno())) != seen.stamp:
            raise Changed
        data = stream.read(seen.size + 1)
        if len(data) != seen.size or stamp_of(os.fstat(stream.fileno())) != seen.stamp:
            raise Changed
    return data


def why_not(error: OSError) -> str:
    """Why a file or folder cannot be read, in a sentence with what to do."""
    if isinstance(error, PermissionError):
        return "Flux may not read it: change its permissions."
    return f"It could not be read ({error.strerror or error}): look at the disk that it lies on."
