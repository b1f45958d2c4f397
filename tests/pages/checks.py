"""What must hold on every page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE = (390, 844)
NARROW = (320, 800)
WIDE = (1440, 900)
LOOKS = [(WIDE, "light"), (WIDE, "dark"), (PHONE, "light"), (PHONE, "dark"), (NARROW, "light")]


def assert_sound(page: Page) -> None:
    """No accessibility violation with every `details` open, no sideways scroll, a quiet console."""
    assert page.locator("h1").count() == 1
    unfold(page)
    assert violations(page) == []
    assert wider_than(page) == []
    assert page.complaints == []  # type: ignore[attr-defined]


def wider_than(page: Page) -> list[str]:
    """Elements that push the page sideways; none when it does not scroll that way."""
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
            [...document.querySelectorAll('body *')]
                .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
                    && getComputedStyle(one).overflowX === 'visible')
                .slice(-3).map(one => `${one.tagName}.${one.className} ${one.scrollWidth}`)"""
    )
    return found


def unfold(page: Page) -> None:
    """Open every `details`, also those that take turns."""
    page.evaluate(
        """document.querySelectorAll('details').forEach(
            part => { part.removeAttribute('name'); part.open = true }
        )"""
    )


def violations(page: Page) -> list[str]:
    """What axe-core finds, one line a rule with the first element it means."""
    # For a rule that is not among these it would copy imported style sheets into the page, which
    # the page's policy rightly refuses.
    options = {"runOnly": RULES, "preload": False}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in found]
