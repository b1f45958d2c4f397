"""What a site admin does with an account as a whole."""

from __future__ import annotations

from django.db import transaction

from accounts.models import ApiToken, User
from accounts.services import tokens
from accounts.services.audit import record
from flux_site.kernel.errors import Conflict


@transaction.atomic
def deactivate(user: User, *, by: User, origin: str = "") -> int:
    """Close an account: nobody signs in with it, its sessions and open streams end, its tokens are
    revoked; how many were. What the person made stays. Raises Conflict for one's own.
    """
    if user.pk == by.pk:
        raise Conflict("Another site admin has to close your own account.")
    row: User = User.objects.select_for_update().get(pk=user.pk)
    live = list(ApiToken.objects.filter(user=row, revoked_at=None))
    for token in live:
        tokens.revoke(token, by=by, origin=origin)
    row.is_active = False
    row.save(update_fields=["is_active"])
    record(
        by,
        "account.deactivate",
        row,
        origin=origin,
        before={"is_active": user.is_active},
        after={"is_active": False, "tokens_revoked": len(live)},
    )
    return len(live)
