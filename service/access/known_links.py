"""The links whose tokens were shown a moment ago: whoever taps and taps again is looked up once.

Promises: a link that was revoked by this process opens nothing from then on, one that another
process revoked nothing `KNOWN_SECONDS` later; what opens nothing is never kept. Bounded memory.
"""

from collections.abc import Callable

from service.store.links import Links
from service.store.records import Link

# As long as a key of the owner's is believed.
KNOWN_SECONDS = 1.0
_LINKS_MAX = 10_000


class KnownLinks:
    """The links of one club. `seconds` is a clock that only goes forward."""

    def __init__(self, links: Links, seconds: Callable[[], float]) -> None:
        self._links = links
        self._seconds = seconds
        self._revocations = links.revocations
        self._kept: dict[bytes, tuple[Link, float]] = {}

    async def resolve(self, token_hash: bytes) -> Link | None:
        """Find the link of a token; None if nobody gave it out or it was revoked.

        Raises: StoreUnavailable
        """
        if self._revocations != self._links.revocations or len(self._kept) >= _LINKS_MAX:
            self._revocations = self._links.revocations
            self._kept.clear()
        kept = self._kept.get(token_hash)
        if kept is not None and self._seconds() - kept[1] < KNOWN_SECONDS:
            return kept[0]
        began, revocations = self._seconds(), self._revocations
        found = await self._links.resolve(token_hash)
        if found is None:
            self._kept.pop(token_hash, None)
        elif revocations == self._links.revocations:
            self._kept[token_hash] = (found, began)
        return found
