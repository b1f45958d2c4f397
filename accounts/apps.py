"""Registration of the app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, teams, tokens, money, audit."""

    name = "accounts"
    verbose_name = "Accounts"
