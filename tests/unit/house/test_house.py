"""Rules of the house that no linter knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
APPS = ("flux_site", "accounts", "corpus", "retrieval", "agent")
MODULES = [
    path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts
]
READ = re.compile(r'env\.\w+\(\s*"([A-Z0-9_]+)"')


def test_no_module_passes_400_lines():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in MODULES
        if (lines := len(path.read_text().splitlines())) > 400
    }

    assert long == {}


def test_every_setting_of_the_environment_is_documented():
    documented = (ROOT / "docs" / "settings.md").read_text()
    read = {
        name
        for path in (ROOT / "flux_site" / "settings").glob("*.py")
        for name in READ.findall(path.read_text())
    }

    assert len(read) > 20
    assert {name for name in read if f"`{name}`" not in documented} == set()


def test_every_source_has_its_parts_and_its_tests():
    from corpus.sources.registry import SOURCES

    for name in SOURCES:
        folder = ROOT / "corpus" / "sources" / name
        assert (folder / "parser.py").exists(), name
        assert (folder / "normalizer.py").exists(), name
        assert list((ROOT / "tests" / "unit" / "corpus" / "sources").glob(f"test_{name}*.py")), name


@pytest.mark.parametrize("package", ["base", "dev"])
def test_every_package_has_its_line_on_why(package: str):
    documented = (ROOT / "docs" / "dependencies.md").read_text().lower()
    lines = (ROOT / "requirements" / f"{package}.txt").read_text().splitlines()
    names = {
        re.split(r"[\[<>=~; ]", line)[0].lower() for line in lines if line and line[0].isalpha()
    }

    assert {name for name in names if name not in documented} == set()


def test_locks_name_no_index():
    for path in (ROOT / "requirements").glob("*.txt"):
        assert not re.search(
            r"^\s*(--(extra-)?index-url|--find-links|.*://)", path.read_text(), re.M
        )
