"""Sign-in and the account page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.views import LoginView
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from accounts.models import ApiToken, Membership, Team, User
from accounts.services import members, profile, tokens
from accounts.types import Role
from accounts.web import spend
from accounts.web.formats import ago, choices, counted, day, money
from accounts.web.forms import SCOPE_LABELS, VALID_DAYS, PasswordForm, PreferencesForm, TokenForm
from accounts.web.requests import SignedInRequest
from flux_site.kernel.clients import origin_of

SOON = timedelta(days=7)
INVALID = 422


class SignInView(LoginView):
    """E-mail and password: one message for a wrong address and a wrong password.

    allauth slows guessing down (ACCOUNT_RATE_LIMITS).
    """

    template_name = "accounts/login.html"


@require_POST
def sign_out(request: SignedInRequest) -> HttpResponse:
    """End the session. Only by POST, so that no link of another site can do it."""
    logout(request)
    return redirect("account_login")


@login_required
@require_safe
def account(request: SignedInRequest) -> HttpResponse:
    """Everything that the reader may set or see about themselves."""
    return _page(request)


@login_required
@require_POST
def preferences(request: SignedInRequest) -> HttpResponse:
    """Save name, theme, density and shortcuts."""
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return _page(request, preferences=form)
    profile.save_preferences(
        request.user,
        name=form.cleaned_data["display_name"],
        theme=form.cleaned_data["theme"],
        density=form.cleaned_data["density"],
        single_key_shortcuts=form.cleaned_data["single_keys"],
    )
    messages.success(request, "Your preferences are saved.")
    return HttpResponseRedirect(reverse("accounts:account") + "#preferences")


@login_required
@require_POST
def theme(request: SignedInRequest) -> HttpResponse:
    """Switch between light and dark, then back to where the reader was."""
    profile.set_theme(request.user, request.POST.get("theme", ""))
    target = request.POST.get("next", "/")
    safe = url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()})
    return HttpResponseRedirect(target if safe else "/")


@login_required
@require_POST
def password(request: SignedInRequest) -> HttpResponse:
    """Change the password; this session goes on, all others end."""
    form = PasswordForm(request.user, request.POST)
    if not form.is_valid():
        return _page(request, password=form)
    profile.change_password(request.user, form.cleaned_data["new"], origin=origin_of(request))
    update_session_auth_hash(request, request.user)
    text = "Your password is changed. Other devices are signed out; API tokens stay."
    messages.success(request, text)
    return HttpResponseRedirect(reverse("accounts:account") + "#sign-in")


@login_required
@require_POST
def make_token(request: SignedInRequest) -> HttpResponse:
    """Make an API token. Its secret is in this one reply and nowhere else."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, token=form)
    days = form.cleaned_data["days"]
    _, secret = tokens.create(
        request.user,
        form.cleaned_data["scopes"],
        name=form.cleaned_data["name"],
        expires_at=timezone.now() + timedelta(days=days) if days else None,
        origin=origin_of(request),
    )
    return _page(request, new_token=secret)


@login_required
@require_POST
def revoke_token(request: SignedInRequest, token: str) -> HttpResponse:
    """End one of the reader's own tokens; anyone else's does not exist."""
    live = ApiToken.objects.visible_to(request.user).filter(revoked_at=None)
    found = get_object_or_404(live, public_id=token)
    tokens.revoke(found, by=request.user, origin=origin_of(request))
    messages.success(request, f"The token {found.name or found.prefix} is revoked.")
    return HttpResponseRedirect(reverse("accounts:account") + "#tokens")


@login_required
@require_POST
def quotes(request: SignedInRequest, team: str) -> HttpResponse:
    """Whether quotes in saved answers go with a deleted document: what owners of a team decide."""
    found = get_object_or_404(Team.objects.visible_to(request.user), public_id=team)
    drops = "drops" in request.POST
    members.set_drops_quotes(found, drops, by=request.user, origin=origin_of(request))
    what = "go with a document that is deleted" if drops else "stay when a document is deleted"
    messages.success(request, f"Quotes from {found.name} {what}.")
    return HttpResponseRedirect(reverse("accounts:account") + "#teams")


def _page(
    request: SignedInRequest,
    *,
    preferences: PreferencesForm | None = None,
    password: PasswordForm | None = None,
    token: TokenForm | None = None,
    new_token: str = "",
) -> HttpResponse:
    user = request.user
    failed = preferences or password or token
    preferences = preferences or PreferencesForm(initial=_preferences_of(user))
    token = token or TokenForm(initial={"scopes": ["read", "ask"], "days": "90"})
    context = {
        "nav": "account",
        "crumbs": [{"label": "Account"}],
        "profile": {"name": user.display_name, "email": user.email, "line": user.email},
        "shown_form": failed,
        "budget": _budget(user),
        "preferences": preferences,
        "theme_choices": choices(User.THEMES, preferences["theme"].value() or user.theme),
        "density_choices": choices(User.DENSITIES, preferences["density"].value() or user.density),
        "tokens": [_token_row(row) for row in _live_tokens(user)],
        "token": token,
        "scope_choices": choices(
            [(scope.value, label) for scope, label in SCOPE_LABELS.items()],
            token["scopes"].value() or [],
        ),
        "day_choices": choices(VALID_DAYS, str(token["days"].value() or "90")),
        "new_token": new_token,
        "password": password or PasswordForm(user),
        "teams": _teams(user),
        "api_docs_url": "/api/v1/docs",
    }
    response = render(request, "accounts/account.html", context, status=INVALID if failed else 200)
    response.headers["Cache-Control"] = "no-store"
    return response


def _preferences_of(user: User) -> dict[str, Any]:
    return {
        "display_name": user.name,
        "theme": user.theme,
        "density": user.density,
        "single_keys": user.single_key_shortcuts,
    }


def _budget(user: User) -> dict[str, Any]:
    spent = spend.spend_of(user)
    return {
        "percent": spent.percent,
        "figures": [
            {"label": "Today", "value": spent.spent, "of": spent.cap},
            {"label": "This month", "value": money(spent.month)},
            {"label": "Model calls this month", "value": counted(spent.calls, "call")},
        ],
    }


def _live_tokens(user: User) -> list[ApiToken]:
    return list(ApiToken.objects.visible_to(user).filter(revoked_at=None))


def _token_row(token: ApiToken) -> dict[str, Any]:
    now = timezone.now()
    expires = token.expires_at
    return {
        "name": token.name or "Unnamed",
        "prefix": f"{token.prefix}…",
        "scopes": ", ".join(token.scopes),
        "expires": _expiry(token),
        "expiring": bool(expires and expires - now < SOON),
        "last_used": ago(token.last_used_at, now) if token.last_used_at else "never",
        "revoke_url": reverse("accounts:revoke_token", args=[token.public_id]),
    }


def _expiry(token: ApiToken) -> str:
    if token.expires_at is None:
        return "never"
    return "expired" if token.expires_at <= timezone.now() else day(token.expires_at)


def _teams(user: User) -> list[dict[str, Any]]:
    rows = Membership.objects.filter(user=user, team__personal_of=None).select_related("team")
    return [
        {
            "name": row.team.name,
            "role": row.get_role_display(),
            "drops_quotes": row.team.drops_quotes,
            "quotes_url": reverse("accounts:quotes", args=[row.team.public_id])
            if row.role == Role.OWNER.value
            else "",
        }
        for row in rows.order_by("id")
    ]
