"""Who was here a moment ago: whoever taps and taps again is looked up once.

Promises: what this process changed counts from then on, what another process changed
`KNOWN_SECONDS` later; what opens nothing is never kept. Bounded memory.
"""

from collections.abc import Awaitable, Callable

from service.access.principal import Principal
from service.store.access.grants import Changes

# What somebody does a second after their link was revoked elsewhere is refused.
KNOWN_SECONDS = 1.0
_HOLDERS_MAX = 10_000


class KnownHolders:
    """Those who hold secrets of one club, by hash. `seconds` is a clock that only goes forward."""

    def __init__(self, changes: Changes, seconds: Callable[[], float]) -> None:
        self._changes = changes
        self._seconds = seconds
        self._counted = changes.count
        self._kept: dict[bytes, tuple[Principal, float]] = {}

    async def resolve(
        self, token_hash: bytes, look: Callable[[], Awaitable[Principal | None]]
    ) -> Principal | None:
        """Say who holds a secret; None: nobody does who may do anything. `look` looks it up."""
        if self._counted != self._changes.count or len(self._kept) >= _HOLDERS_MAX:
            self._counted = self._changes.count
            self._kept.clear()
        kept = self._kept.get(token_hash)
        if kept is not None and self._seconds() - kept[1] < KNOWN_SECONDS:
            return kept[0]
        began, counted = self._seconds(), self._counted
        found = await look()
        if found is None or not found.rights:
            self._kept.pop(token_hash, None)
        elif counted == self._changes.count:
            self._kept[token_hash] = (found, began)
        return found
