"""A worker that kills itself with SIGKILL at a chosen moment: python -m tests.support.dying_worker
FUNCTION N

Works off all open jobs and deletions; when FUNCTION (dotted) is called for the Nth time, the
process is gone, as if the machine had been switched off there. Without arguments it works to the
end.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any

import django


def kill_at(dotted: str, times: int) -> None:
    """Replace a function by one that kills the process at its Nth call, before doing anything."""
    module_name, _, name = dotted.rpartition(".")
    module = importlib.import_module(module_name)
    original = getattr(module, name)
    left = times

    def dying(*args: Any, **kwargs: Any) -> Any:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*args, **kwargs)

    setattr(module, name, dying)


def main() -> None:
    """Set Django up, arm, work."""
    django.setup()
    from corpus.models import Deletion, IngestJob
    from corpus.services import deletion, jobs

    if len(sys.argv) > 1:
        kill_at(sys.argv[1], int(sys.argv[2]))
    for job in IngestJob.objects.filter(state__in=["queued", "running"]):
        jobs.work_off(job)
    for row in Deletion.objects.exclude(state="done"):
        deletion.work_off(row)


if __name__ == "__main__":
    main()
