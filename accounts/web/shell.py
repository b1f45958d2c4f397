"""What surrounds every page: the reader's name, role, look and budget."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest

from accounts.models import Membership, User
from accounts.web import formats, spend


@dataclass
class Shell:
    """The frame of one reader's page. The database is asked only for what the page shows."""

    user: User

    @property
    def theme(self) -> str:
        """auto, light or dark."""
        return self.user.theme

    @property
    def density(self) -> str:
        """comfortable or compact."""
        return self.user.density

    @property
    def keys(self) -> bool:
        """Whether single keys are shortcuts."""
        return self.user.single_key_shortcuts

    @property
    def is_staff(self) -> bool:
        """Whether the admin is linked."""
        return self.user.is_staff

    @property
    def name(self) -> str:
        """What others see."""
        return self.user.display_name

    @property
    def initials(self) -> str:
        """Two letters."""
        return formats.initials(self.user.display_name)

    @cached_property
    def role(self) -> str:
        """Role and team of the first team that is not the personal one."""
        membership = (
            Membership.objects.filter(user=self.user, team__personal_of=None)
            .select_related("team")
            .order_by("id")
            .first()
        )
        if membership is None:
            return "Own workspace"
        return f"{membership.get_role_display()}, {membership.team.name}"

    @cached_property
    def budget(self) -> spend.Spend:
        """Today's spend of the reader."""
        return spend.spend_of(self.user)


def shell(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `shell` for a signed-in reader; a stranger's page has the defaults."""
    user = getattr(request, "user", None)
    return {"shell": Shell(user)} if user is not None and user.is_authenticated else {}
