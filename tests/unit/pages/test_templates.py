"""Rules of templates and static files that no browser test could check everywhere."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OURS = sorted((ROOT / "static" / "flux").iterdir())
HANDLER = re.compile(r"\s(?:on[a-z]+|hx-on[^=\s]*)\s*=", re.IGNORECASE)
STYLE = re.compile(r"\sstyle\s*=|<style\b", re.IGNORECASE)
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)", re.IGNORECASE)
LOADED = re.compile(r"<(?:script|link|img|source|iframe)[^>]*?(?:src|href)=\"(?:https?:)?//")
ICON = re.compile(r'href="#i-([a-z]+)"')
COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_nothing_is_inline_and_nothing_comes_from_elsewhere(path: Path) -> None:
    text = COMMENT.sub("", path.read_text())

    for rule in (HANDLER, STYLE, INLINE_SCRIPT, LOADED):
        assert rule.search(text) is None, rule.pattern


def test_every_icon_that_a_template_names_is_in_the_sprite() -> None:
    sprite = set(
        re.findall(r'id="i-([a-z]+)"', (ROOT / "templates/partials/icons.html").read_text())
    )
    named = {icon for path in TEMPLATES for icon in ICON.findall(path.read_text())}

    assert named <= sprite


def test_every_icon_that_a_view_names_is_in_the_sprite() -> None:
    from agent.web import answer, runs
    from corpus.web import jobs

    sprite = (ROOT / "templates/partials/icons.html").read_text()
    states = [
        *jobs.JOB_STATES.values(),
        *jobs.ITEM_STATES.values(),
        *runs.LIVE_STATES.values(),
        *runs.END_STATES.values(),
    ]
    icons = {state.icon for state in states}
    icons |= {icon for _, _, icon in (*answer.WORDS.values(), *answer.QUALITY.values())}

    assert {icon for icon in icons if f'id="i-{icon}"' not in sprite} == set()


def test_every_template_is_used() -> None:
    code = "".join(
        path.read_text()
        for app in ("flux_site", "accounts", "corpus", "retrieval", "agent", "templates")
        for path in (ROOT / app).rglob("*")
        if path.suffix in {".py", ".html"}
    )
    by_django = {"400.html", "403.html", "403_csrf.html", "404.html", "429.html", "500.html"}
    by_name = {"admin/base_site.html", "admin/search_form.html"}
    # The stream renders parts by their bare name.
    unused = [
        relative
        for path in TEMPLATES
        if (relative := str(path.relative_to(ROOT / "templates"))) not in by_django | by_name
        and f'"{relative}"' not in code
        and f'_html("{path.stem}"' not in code
    ]

    assert unused == []


def test_vendored_scripts_are_the_published_ones() -> None:
    vendor = ROOT / "static" / "vendor"
    listed = dict(
        re.findall(r"\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|", (vendor / "README.md").read_text())
    )
    scripts = {
        str(path.relative_to(vendor)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.rglob("*.js")
    }

    assert scripts == listed
    assert all((vendor / script).parent.joinpath("LICENSE").is_file() for script in scripts)


@pytest.mark.parametrize("path", OURS, ids=name)
def test_our_scripts_and_styles_load_nothing_and_evaluate_nothing(path: Path) -> None:
    text = path.read_text().replace("http://www.w3.org/2000/svg", "")

    assert not re.search(r"https?://|@import|\beval\(|new Function|innerHTML\s*=", text)
