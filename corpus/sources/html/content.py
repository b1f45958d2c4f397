"""Where on a page its article stands: what is around it is taken away, then the fullest part."""

from __future__ import annotations

import re
from typing import Final

from corpus.sources.html.hidden import empty
from corpus.sources.markup import Element, tag

_AROUND_NAMES = """
    nav footer aside form button select textarea input script style iframe object embed svg
    canvas audio video dialog menu
"""
_AROUND: Final = frozenset(_AROUND_NAMES.split())
_ROLES_NAMES = """
    navigation banner contentinfo complementary search dialog alertdialog alert menu menubar
    toolbar tablist form
"""
_ROLES: Final = frozenset(_ROLES_NAMES.split())
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|menu|breadcrumbs?|cookies?|consent|gdpr|newsletter|subscribe|social|"
    r"share|sharing|sidebar|related|recommend(?:ed|ations?)|promo|advert(?:isement)?s?|ads?|popup|"
    r"modal|toolbar|skip-link|skiplink|pagination)(?:$|[\s_-])",
    re.IGNORECASE,
)
_BOXES: Final = frozenset({"div", "section", "center", "table", "tbody", "tr", "td", "form"})
_ENOUGH: Final = 0.8


def take_away_surroundings(body: Element) -> None:
    """Empty navigation, banners, forms, scripts and the like."""
    sizes = text_sizes(body)
    most = 0.3 * sizes.get(body, 0)
    for element in [item for item in body.iter() if tag(item)]:
        if element is body or element.getparent() is None:
            continue
        if _is_around(element) or (_is_named(element) and sizes.get(element, 0) < most):
            empty(element)


def _is_around(element: Element) -> bool:
    name, role = tag(element), element.get("role", "").lower()
    if name in _AROUND or role in _ROLES:
        return True
    # A header inside an article has its title; that of the page has the site's.
    return name == "header" and not any(
        tag(above) in ("article", "main") for above in element.iterancestors()
    )


def _is_named(element: Element) -> bool:
    if tag(element) not in ("div", "ul", "ol", "section", "p", "span"):
        return False
    return _NAMED.search(f"{element.get('class', '')} {element.get('id', '')}") is not None


def text_sizes(root: Element, *, without: str = "") -> dict[Element, int]:
    """How many characters of text each element holds, white space at the ends apart; none where it
    is called `without`.
    """
    sizes: dict[Element, int] = {}
    for element in reversed([item for item in root.iter() if tag(item)]):
        if tag(element) == without:
            continue
        own = len((element.text or "").strip())
        sizes[element] = own + sum(
            sizes.get(child, 0) + len((child.tail or "").strip()) for child in element
        )
    return sizes


def main_content(body: Element) -> Element:
    """The element that holds the article: `main` or `article`, else the innermost block with
    most of the text.
    """
    sizes = text_sizes(body)
    whole = sizes.get(body, 0)
    told = [item for item in body.iter() if tag(item) in ("main", "article") or _is_main(item)]
    best = max(told, key=lambda item: sizes[item], default=None)
    if best is not None and sizes[best] >= 0.25 * whole:
        return best
    return _densest(body)


def _is_main(element: Element) -> bool:
    return bool(tag(element)) and element.get("role", "").lower() == "main"


def _densest(body: Element) -> Element:
    """The innermost element that still holds most of the text; links (menus) do not count."""
    sizes = text_sizes(body, without="a")
    enough = _ENOUGH * sizes.get(body, 0)
    best = body
    while enough:
        inner = [child for child in best if sizes.get(child, 0) >= enough and tag(child) in _BOXES]
        if not inner:
            break
        best = inner[0]
    return best
