"""Forms of the account page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from accounts.models import User
from accounts.types import Scope

SCOPE_LABELS = {
    Scope.READ: "Read documents, search",
    Scope.ASK: "Ask questions",
    Scope.INGEST: "Upload and ingest",
    Scope.ADMIN: "Manage teams and corpora",
}
VALID_DAYS = [("30", "30 days"), ("90", "90 days"), ("365", "A year"), ("0", "Until revoked")]


class PreferencesForm(forms.Form):
    """Name and look of the pages."""

    display_name = forms.CharField(max_length=150, required=False)
    theme = forms.ChoiceField(choices=User.THEMES)
    density = forms.ChoiceField(choices=User.DENSITIES)
    single_keys = forms.BooleanField(required=False)


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        max_length=80,
        error_messages={"required": "Give the token a name, so that you know it again."},
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope.value, label) for scope, label in SCOPE_LABELS.items()],
        error_messages={"required": "Choose at least one thing that the token can do."},
    )
    days = forms.TypedChoiceField(choices=VALID_DAYS, coerce=int)


class PasswordForm(forms.Form):
    """The old password, and a new one twice."""

    current = forms.CharField(
        label="Current password",
        strip=False,
        error_messages={"required": "Enter your current password."},
    )
    new = forms.CharField(
        label="New password", strip=False, error_messages={"required": "Enter a new password."}
    )
    again = forms.CharField(
        label="New password, again",
        strip=False,
        error_messages={"required": "Enter the new password twice."},
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_current(self) -> str:
        """The old password must be right: an open tab is not enough to lock its owner out."""
        current: str = self.cleaned_data["current"]
        if not self.user.check_password(current):
            raise forms.ValidationError("This is not your current password.")
        return current

    def clean_new(self) -> str:
        """The new one must be strong enough."""
        new: str = self.cleaned_data["new"]
        validate_password(new, self.user)
        return new

    def clean(self) -> dict[str, Any]:
        """Both new ones must agree."""
        data = super().clean() or self.cleaned_data
        if data.get("new") and data.get("again") and data["new"] != data["again"]:
            self.add_error("again", "The two new passwords are not the same.")
        return data
