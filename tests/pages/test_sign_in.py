"""Getting in and out."""

from __future__ import annotations

import pytest

from accounts.models import AuditEvent
from tests.factories import TeamFactory, UserFactory
from tests.factories.accounts import PASSWORD
from tests.pages.checks import LOOKS, assert_sound


def sign_in(page, email: str, password: str) -> None:
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_sign_in_page_is_sound(open_page, size, theme):
    assert_sound(open_page("/login/", size=size, theme=theme))


def test_whoever_knows_the_password_comes_to_the_page_they_wanted(open_page):
    user = UserFactory()
    page = open_page("/account/")
    assert "/login/" in page.url

    sign_in(page, user.email, PASSWORD)

    assert page.url.endswith("/account/")
    assert page.get_by_role("heading", level=1).inner_text() == user.name


def test_a_wrong_address_and_a_wrong_password_get_the_same_words(open_page):
    user = UserFactory()
    said = []
    for email, password in [(user.email, "not the password"), ("no@example.org", PASSWORD)]:
        page = open_page("/login/")
        sign_in(page, email, password)
        said.append(page.locator(".errsum").inner_text())
        assert page.evaluate("document.activeElement.className") == "errsum"
        assert_sound(page)

    assert said[0] == said[1]


def test_guessing_is_slowed_down_even_for_the_right_password(open_page):
    user = UserFactory()
    page = open_page("/login/")
    for _ in range(6):
        sign_in(page, user.email, "not the password")

    sign_in(page, user.email, PASSWORD)

    assert "/login/" in page.url
    assert "Too many" in page.locator("main").inner_text()


def test_signing_in_and_out_works_without_scripts(open_page):
    user = UserFactory()
    page = open_page("/account/", scripts=False)
    sign_in(page, user.email, PASSWORD)

    page.get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()
    page.goto("/account/")

    assert "/login/" in page.url


def test_every_page_asks_a_stranger_to_sign_in(open_page):
    page = open_page("/login/")
    for path in ["/", "/runs/", "/library/", "/search/?q=x", "/account/"]:
        page.goto(path)
        assert "/login/" in page.url, path


def test_what_does_not_exist_is_said_plainly(open_page):
    page = open_page("/nothing/here/", UserFactory())

    assert page.get_by_role("heading", level=1).inner_text() == "There is nothing here"


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_owners_decide_on_quotes_on_their_account_page(open_page, size, theme):
    owner = UserFactory()
    team = TeamFactory(owners=[owner], name="The department of immunology and haematology")
    TeamFactory(researchers=[owner])
    page = open_page("/account/", owner, size=size, theme=theme)
    assert_sound(page)

    page.get_by_role("button", name=f"Drop quotes of {team.name}").click()
    page.wait_for_load_state()

    assert_sound(page)
    assert page.get_by_role("button", name=f"Keep quotes of {team.name}").count() == 1
    assert page.get_by_role("button", name="Drop quotes").count() == 0


def test_preferences_are_kept_and_shown(open_page):
    user = UserFactory()
    page = open_page("/account/", user)

    page.get_by_label("Name that others see").fill("Ada")
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Compact").check()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("button", name="Save preferences").click()
    page.wait_for_load_state()

    root = page.locator("html")
    assert root.get_attribute("data-theme") == "dark"
    assert root.get_attribute("data-density") == "compact"
    assert root.get_attribute("data-keys") == "off"
    assert page.get_by_role("heading", level=1).inner_text() == "Ada"
    page.keyboard.press("?")
    assert not page.locator("#keys").is_visible()


def test_the_moon_switches_the_theme_at_once_and_for_good(open_page):
    page = open_page("/account/", UserFactory())

    with page.expect_response("**/account/theme/"):
        page.get_by_role("button", name="Switch between light and dark").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"

    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_token_is_shown_once_and_can_be_revoked(open_page):
    user = UserFactory()
    page = open_page("/account/", user)
    page.get_by_label("Name", exact=True).fill("Notebook")
    page.get_by_label("Upload and ingest").check()
    page.get_by_role("button", name="Make token").click()
    page.wait_for_load_state()

    secret = page.locator("#new-token").inner_text()
    assert secret.startswith("flux_")
    assert_sound(page)
    page.goto("/account/")
    assert secret not in page.content()
    page.get_by_role("button", name="Revoke Notebook").click()
    page.wait_for_load_state()

    assert "You have no tokens" in page.locator("#tokens").inner_text()
    assert AuditEvent.objects.filter(action="token.revoke").count() == 1


def test_a_nameless_token_is_refused_with_the_field_named(open_page):
    page = open_page("/account/", UserFactory())

    page.evaluate("document.querySelector('[name=name]').removeAttribute('required')")
    page.get_by_role("button", name="Make token").click()
    page.wait_for_load_state()

    page.locator(".errsum a").click()
    assert page.evaluate("document.activeElement.name") == "name"
    page.complaints.clear()  # the 422 itself is written to the console
    assert_sound(page)


def test_changing_the_password_needs_the_old_one_and_ends_other_sessions(open_page):
    user = UserFactory()
    elsewhere = open_page("/account/", user)
    page = open_page("/account/", user)

    page.get_by_label("Current password").fill("wrong")
    page.get_by_label("New password", exact=True).fill("another-long-password")
    page.get_by_label("New password, again").fill("another-long-password")
    page.get_by_role("button", name="Change password").click()
    page.wait_for_load_state()
    assert "not your current password" in page.locator(".errsum").inner_text()

    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("another-long-password")
    page.get_by_label("New password, again").fill("another-long-password")
    page.get_by_role("button", name="Change password").click()
    page.wait_for_load_state()

    assert "Your password is changed" in page.locator("main").inner_text()
    elsewhere.reload()
    assert "/login/" in elsewhere.url


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_account_page_is_sound(open_page, size, theme):
    user = UserFactory()
    TeamFactory(owners=[user])

    assert_sound(open_page("/account/", user, size=size, theme=theme))
