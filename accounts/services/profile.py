"""What a person sets about themselves: name, look of the pages, password."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import ApiToken, User
from accounts.services.audit import record
from flux_site.kernel.errors import InvalidInput

THEMES = [value for value, _ in User.THEMES]
DENSITIES = [value for value, _ in User.DENSITIES]


def save_preferences(
    user: User, *, name: str, theme: str, density: str, single_key_shortcuts: bool
) -> None:
    """Keep how the person is called and how the pages look.

    Raises InvalidInput for a choice that is not offered.
    """
    if theme not in THEMES or density not in DENSITIES:
        raise InvalidInput("Choose one of the themes and densities that are offered.")
    user.name = name.strip()
    user.theme, user.density = theme, density
    user.single_key_shortcuts = single_key_shortcuts
    user.save(update_fields=["name", "theme", "density", "single_key_shortcuts"])


def set_theme(user: User, theme: str) -> None:
    """Keep the theme; `toggle` turns dark to light and anything else to dark."""
    if theme == "toggle":
        theme = "light" if user.theme == "dark" else "dark"
    if theme not in THEMES:
        raise InvalidInput("Choose one of the themes that are offered.")
    user.theme = theme
    user.save(update_fields=["theme"])


@transaction.atomic
def change_password(user: User, password: str, *, origin: str = "") -> None:
    """Set a new password, which ends the person's other sessions.

    API tokens stay; the audit says how many.

    Raises InvalidInput for a weak one.
    """
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidInput(" ".join(error.messages)) from error
    user.set_password(password)
    user.save(update_fields=["password"])
    kept = ApiToken.objects.visible_to(user).filter(revoked_at=None).count()
    after = {"other_sessions": "ended", "api_tokens_kept": kept}
    record(user, "password.change", user, origin=origin, after=after)
