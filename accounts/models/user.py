"""A person. The e-mail address is the login."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


class UserManager(BaseUserManager["User"]):
    """Makes users by e-mail."""

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        """A user with that address, lower-cased; without a password nobody can sign in as them."""
        user = self.model(email=email.strip().lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        """A site admin: sees Django admin, has no wider view on pages and API."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)

    def get_by_natural_key(self, username: str | None) -> User:
        """Sign-in is indifferent to case."""
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person. `is_superuser` is the site admin."""

    THEMES = [("auto", "Like the device"), ("light", "Light"), ("dark", "Dark")]
    DENSITIES = [("comfortable", "Comfortable"), ("compact", "Compact")]

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150, blank=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    theme = models.CharField(max_length=8, choices=THEMES, default="auto")
    density = models.CharField(max_length=12, choices=DENSITIES, default="comfortable")
    single_key_shortcuts = models.BooleanField(default=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")), name="user_email_lower"
            )
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def display_name(self) -> str:
        """The name, or the address where none was given."""
        return self.name or self.email
