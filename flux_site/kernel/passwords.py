"""Password hashing that a crowd at the door cannot turn against the machine."""

from __future__ import annotations

import threading

from django.contrib.auth.hashers import Argon2PasswordHasher

AT_A_TIME = threading.BoundedSemaphore(2)


class ModestArgon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane, the least that OWASP's password storage cheat
    sheet advises; Django's default takes 100 MiB and eight lanes. Two at a time in a process.
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Hash, when it is our turn."""
        with AT_A_TIME:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Compare, when it is our turn."""
        with AT_A_TIME:
            return bool(super().verify(password, encoded))
