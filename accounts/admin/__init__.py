"""The admin's view of people, teams, money and audit."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

from accounts.admin.audited import Audited, Remembering, actor_of
from accounts.admin.others import audit_others
from accounts.models import (
    ApiToken,
    AuditEvent,
    Budget,
    LedgerEntry,
    Membership,
    ModelCall,
    ModelPrice,
    Team,
    User,
)
from accounts.services import people
from flux_site.kernel.clients import origin_of
from flux_site.kernel.errors import Conflict

admin.site.site_header = "Flux administration"
admin.site.site_title = "Flux"
admin.site.index_title = "Everything a site admin looks after"
audit_others()


class ReadOnly:
    """Rows that are looked at and never changed here."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Nobody adds one by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody edits one."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody removes one."""
        return False


class MembershipInline(Remembering, admin.StackedInline):
    """Who belongs to a team."""

    model = Membership
    extra = 0
    raw_id_fields = ("user",)


@admin.register(User)
class UserAdmin(Audited):
    """People."""

    list_display = ("email", "name", "is_superuser", "is_active", "last_login")
    list_filter = ("is_superuser", "is_active")
    search_fields = ("email", "name")
    readonly_fields = ("public_id", "date_joined", "last_login", "password")
    fields = ("email", "name", "is_active", "is_staff", "is_superuser", *readonly_fields)
    ordering = ("email",)
    actions = ("deactivate",)

    @admin.action(description="Close accounts: sign out, revoke tokens", permissions=["change"])
    def deactivate(self, request: HttpRequest, queryset: Any) -> None:
        """What is usually meant by deleting somebody: what they made stays, and the audit too."""
        for user in queryset:
            try:
                by, origin = actor_of(request), origin_of(request)
                revoked = people.deactivate(user, by=by, origin=origin)
                self.message_user(request, f"{user} is closed; {revoked} tokens were revoked.")
            except Conflict as refused:
                self.message_user(request, refused.message, messages.ERROR)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Tokens go with their person, though no token is deleted by itself."""
        shown, counts, refused, protected = super().get_deleted_objects(objs, request)
        return shown, counts, refused - {ApiToken._meta.verbose_name}, protected


@admin.register(Team)
class TeamAdmin(Audited):
    """Teams and their members."""

    list_display = ("name", "slug", "personal_of", "created_at")
    search_fields = ("name", "slug")
    inlines = (MembershipInline,)
    raw_id_fields = ("personal_of",)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly, Audited):
    """Tokens by prefix; the secret is nowhere."""

    list_display = ("prefix", "user", "name", "scopes", "created_at", "last_used_at", "revoked_at")
    search_fields = ("prefix", "user__email")
    exclude = ("sha256",)


@admin.register(Budget)
class BudgetAdmin(Audited):
    """Caps, in micro-dollars."""

    list_display = ("kind", "period", "cap_microusd", "team", "user")
    list_filter = ("kind", "period")
    raw_id_fields = ("team", "user")


@admin.register(ModelPrice)
class ModelPriceAdmin(Audited):
    """Prices per million tokens, dated."""

    list_display = ("model", "valid_from", "input_microusd", "output_microusd")
    ordering = ("model", "-valid_from")


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnly, Audited):
    """What models were asked, and what it cost."""

    list_display = ("reserved_at", "purpose", "model", "state", "settled_microusd", "user", "team")
    list_filter = ("state", "model", "purpose")


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnly, Audited):
    """The ledger; the database lets no line be changed."""

    list_display = ("at", "budget", "kind", "micro_usd", "assumed", "call")
    list_filter = ("kind", "assumed")


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnly, Audited):
    """The audit trail; the database lets no line be changed."""

    list_display = ("at", "actor_email", "action", "target_kind", "target", "origin")
    list_filter = ("action", "target_kind")
    search_fields = ("actor_email", "target")
    date_hierarchy = "at"
