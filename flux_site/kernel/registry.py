"""Things by name, built once, when first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from flux_site.kernel.errors import NotFound

T = TypeVar("T")


class Registry(Generic[T]):
    """Maps a name to an object that its factory builds on first use; safe from several threads."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._factories: dict[str, Callable[[], T]] = {}
        self._built: dict[str, T] = {}
        self._lock = threading.RLock()

    def register(self, name: str, factory: Callable[[], T]) -> None:
        """Add or replace the factory of a name; an object already built under it is dropped."""
        with self._lock:
            self._factories[name] = factory
            self._built.pop(name, None)

    def get(self, name: str) -> T:
        """The object of that name. Raises NotFound with the names there are."""
        with self._lock:
            if name not in self._built:
                if name not in self._factories:
                    known = ", ".join(sorted(self._factories)) or "none"
                    raise NotFound(f"No {self._kind} is called {name!r}; there are: {known}.")
                self._built[name] = self._factories[name]()
            return self._built[name]

    def names(self) -> list[str]:
        """All registered names, sorted."""
        return sorted(self._factories)
