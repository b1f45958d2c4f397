"""Addresses of sign-in and account. allauth knows its login view as `account_login`."""

from __future__ import annotations

from django.urls import include, path

from accounts.web import views

account_patterns = (
    [
        path("", views.account, name="account"),
        path("preferences/", views.preferences, name="preferences"),
        path("theme/", views.theme, name="theme"),
        path("password/", views.password, name="password"),
        path("tokens/", views.make_token, name="tokens"),
        path("teams/<uuid:team>/quotes/", views.quotes, name="quotes"),
        path("tokens/<uuid:token>/revoke/", views.revoke_token, name="revoke_token"),
    ],
    "accounts",
)

urlpatterns = [
    path("login/", views.SignInView.as_view(), name="account_login"),
    path("logout/", views.sign_out, name="account_logout"),
    path("account/", include(account_patterns)),
]
