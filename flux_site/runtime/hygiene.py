"""What no commit may carry, checked on the files given: a private key, a huge file, loose ends."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

LARGEST = 1_000_000  # bytes
MAY_BE_LARGE = ("flux_site/demo/data/", "static/vendor/", "docs/screenshots/")
AS_THEY_CAME = ("static/vendor/", "LICENSE", "tests/data/")  # files of others keep their spaces
PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----")
CONFLICT = re.compile(rb"^(?:<{7} |>{7} )", re.MULTILINE)
TRAILING = re.compile(rb"[ \t\r]+$", re.MULTILINE)


def complaints(path: Path, name: str) -> Iterator[str]:
    """What is wrong with one file; `name` is its path in the repository."""
    content = path.read_bytes()
    if len(content) > LARGEST and not name.startswith(MAY_BE_LARGE):
        yield f"{len(content)} bytes are more than {LARGEST}"
    if PRIVATE_KEY.search(content):
        yield "a private key"
    if b"\0" in content or name.startswith(AS_THEY_CAME):
        return
    if CONFLICT.search(content):
        yield "an unresolved conflict"
    if found := TRAILING.search(content):
        line = content.count(b"\n", 0, found.start()) + 1
        yield f"spaces at the end of line {line}"
    if content and not content.endswith(b"\n"):
        yield "no newline at the end"
    if content.endswith(b"\n\n"):
        yield "empty lines at the end"


def main(names: Sequence[str]) -> int:
    """Print each complaint; 1 when there is any."""
    found = [
        f"{name}: {complaint}"
        for name in names
        if Path(name).is_file() and not Path(name).is_symlink()
        for complaint in complaints(Path(name), name)
    ]
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
