"""Caches resolved secrets for a second, so that repeated taps need no query.

Promises: changes by this process count at once, changes by other processes after `CACHE_SECONDS`.
Secrets that open nothing are not cached. Bounded memory.
"""

from collections.abc import Awaitable, Callable

from service.access.principal import Principal
from service.store.access.grants import Changes

# A right that another process revoked is refused after this time.
CACHE_SECONDS = 1.0
_ENTRIES_MAX = 10_000


class IdentityCache:
    """Cached principals of one club, by token hash. `seconds`: a monotonic clock."""

    def __init__(self, changes: Changes, seconds: Callable[[], float]) -> None:
        self._changes = changes
        self._seconds = seconds
        self._counted = changes.count
        self._cached: dict[bytes, tuple[Principal, float]] = {}

    async def resolve(
        self, token_hash: bytes, look: Callable[[], Awaitable[Principal | None]]
    ) -> Principal | None:
        """Return the cached principal, or call `look` and cache its answer.

        None if it has no rights.
        """
        if self._counted != self._changes.count or len(self._cached) >= _ENTRIES_MAX:
            self._counted = self._changes.count
            self._cached.clear()
        cached = self._cached.get(token_hash)
        if cached is not None and self._seconds() - cached[1] < CACHE_SECONDS:
            return cached[0]
        began, counted = self._seconds(), self._counted
        found = await look()
        if found is None or not found.rights:
            self._cached.pop(token_hash, None)
        elif counted == self._changes.count:
            self._cached[token_hash] = (found, began)
        return found
