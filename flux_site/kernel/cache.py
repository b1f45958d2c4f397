"""A cache that may be lost: with Redis down, every read is a miss and every write is forgotten."""

from __future__ import annotations

import functools
import hashlib
import unicodedata
from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


def _forgiving(
    method: Callable[..., Any], missing: Callable[[tuple[Any, ...], dict[str, Any]], Any]
) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except (RedisError, OSError) as error:
            log.warning("cache.down", operation=method.__name__, error=str(error))
            return missing(args, kwargs)

    return call


def _default(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return kwargs.get("default", args[1] if len(args) > 1 else None)


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache, for which Redis being away is a miss and no error."""

    get = _forgiving(RedisCache.get, _default)
    get_many = _forgiving(RedisCache.get_many, lambda args, kwargs: {})
    set = _forgiving(RedisCache.set, lambda args, kwargs: None)
    add = _forgiving(RedisCache.add, lambda args, kwargs: True)
    set_many = _forgiving(RedisCache.set_many, lambda args, kwargs: [])
    delete = _forgiving(RedisCache.delete, lambda args, kwargs: False)
    touch = _forgiving(RedisCache.touch, lambda args, kwargs: False)
    has_key = _forgiving(RedisCache.has_key, lambda args, kwargs: False)
    incr = _forgiving(RedisCache.incr, lambda args, kwargs: kwargs.get("delta", 1))


def normalised(text: str) -> str:
    """A query as cache keys see it: case, white space and Unicode form do not matter."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def key(*parts: object) -> str:
    """A cache key of any parts: their SHA-256."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()
