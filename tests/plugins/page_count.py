"""Says before pytest's summary how many page tests ran in a browser."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

PAGES = "tests/pages/"
MADE = pytest.StashKey[Counter[str]]()


class PageCount:
    """Counts the reports that arrive; with pytest-xdist they come from all workers."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # A test that fails in its set-up, or is skipped there, never reaches the call.
        is_final = report.when == "call" or (report.when == "setup" and not report.passed)
        if is_final and report.nodeid.startswith(PAGES):
            self._counts[report.outcome] += 1


def pytest_configure(config: pytest.Config) -> None:
    config.stash[MADE] = Counter()
    config.pluginmanager.register(PageCount(config.stash[MADE]), "page-count-reports")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    counts = config.stash[MADE]
    parts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items()))
    total = sum(counts.values())
    terminalreporter.write_line(f"page tests: {total}" + (f" ({parts})" if parts else ""))
