"""Resolves secrets to principals: owner key, tokens of links and programs, sessions.

Promises: a session has the sum of the current rights of the secrets opened in it. Keys are compared
in constant time, and failed logins are counted. Secrets of another club open nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hmac import compare_digest
from uuid import UUID

from msgspec import structs

from service.access.principal import AnyRole, Principal, Right, combine
from service.access.secrets import may_belong_to, token_hash
from service.access.throttle import FailedLogins, Throttle
from service.errors import StoreUnavailable, TooManyRequests
from service.store.access.grants import GrantChanges, Grants, ResolvedGrant, Session
from service.tasks import start_for_all

# A right that another process revoked is refused after this time.
CACHE_SECONDS = 1.0
_ENTRIES_MAX = 10_000


class IdentityCache:
    """Cached principals of one club, by token hash. `seconds`: a monotonic clock."""

    def __init__(self, changes: GrantChanges, seconds: Callable[[], float]) -> None:
        self._changes = changes
        self._seconds = seconds
        self._changes_seen = changes.count
        self._cached: dict[bytes, tuple[Principal, float]] = {}

    async def resolve(
        self, token_hash: bytes, load: Callable[[], Awaitable[Principal | None]]
    ) -> Principal | None:
        """Return the cached principal, or call `load` and cache its answer.

        None if it has no rights.
        """
        if self._changes_seen != self._changes.count or len(self._cached) >= _ENTRIES_MAX:
            self._changes_seen = self._changes.count
            self._cached.clear()
        cached = self._cached.get(token_hash)
        if cached is not None and self._seconds() - cached[1] < CACHE_SECONDS:
            return cached[0]
        began, changes_seen = self._seconds(), self._changes_seen
        principal = await load()
        if principal is None or not principal.rights:
            self._cached.pop(token_hash, None)
        elif changes_seen == self._changes.count:
            self._cached[token_hash] = (principal, began)
        return principal


_PROVEN_MAX = 10_000


class Identities:
    """Resolves the secrets of one club.

    `given_key`: the hash of the owner key from the settings; None: the stored key counts. `first`:
    secrets without a club's name belong to this club.
    """

    def __init__(
        self,
        club_id: UUID,
        given_key: bytes | None,
        grants: Grants,
        known: IdentityCache,
        failed_logins: FailedLogins,
        writes: Throttle,
        *,
        first: bool = False,
    ) -> None:
        self._club_id = club_id
        self._first = first
        self._given_key = given_key
        self._grants = grants
        self._known = known
        # Secrets that were valid once in this process skip the slots for guesses.
        self._proven: set[bytes] = set()
        self._failed_logins = failed_logins
        self._writes = writes

    async def identify(self, secret: str, client: str) -> Principal | None:
        """Resolve a key or token; None if it opens nothing. `client`: the caller's IP address.

        Raises: TooManyRequests (after too many wrong secrets)
        """
        hashed = token_hash(secret)
        if hashed in self._proven:
            principal = await self._resolve(secret, hashed)
        else:
            async with self._failed_logins.checking(client):
                principal = await self._resolve(secret, hashed)
        if principal is None:
            self._proven.discard(hashed)
            self._failed_logins.count(client)
        elif len(self._proven) < _PROVEN_MAX:
            self._proven.add(hashed)
        # A secret that was valid once is no guess, although it opens nothing any more.
        return principal if principal and principal.rights else None

    async def of_session(self, secret: str) -> Principal | None:
        """Resolve a session's secret; None if there is no such session.

        A session may have lost all its rights. Session secrets are not counted as failed logins.
        """
        principal = await self._resolve(secret, token_hash(secret))
        return principal if principal and principal.session_id else None

    async def now(self, token_hashes: Sequence[bytes]) -> dict[bytes, Principal]:
        """Resolve secrets by one query, bypassing the cache; omit those that open nothing."""
        rows = await self._grants.resolve(token_hashes)
        principals = {hashed: self._combine_rows(hashed, rows) for hashed in token_hashes}
        return {hashed: who for hashed, who in principals.items() if who is not None}

    def is_configured_key(self, hashed: bytes) -> bool:
        return self._given_key is not None and compare_digest(hashed, self._given_key)

    def opened_by_owner(self, session: Session) -> bool:
        """Return whether a session was opened with the current owner key."""
        return session.owner if self._given_key is None else self._given_key in session.opened

    async def still(self, who: Principal, game_id: UUID | None) -> bool:
        """Return, bypassing the cache, whether a caller has kept their rights.

        In a game: to see as much as before. Without a game: the same role in the club.
        """
        now = (await self.now([who.token_hash])).get(who.token_hash)
        if now is None:
            return False
        return now.club == who.club if game_id is None else who.still_covered_by(now, game_id)

    def count_write(self, who: Principal, game_id: UUID | None) -> None:
        """Throttle the writes of a caller, separately for each game. Raises: TooManyRequests."""
        wait = self._writes.take((self._club_id, who.recorded_as(game_id), game_id))
        if wait:
            raise TooManyRequests(wait)

    async def _resolve(self, secret: str, hashed: bytes) -> Principal | None:
        if self.is_configured_key(hashed):
            return combine(hashed, [Right(role="owner", token_hash=hashed)])
        if not may_belong_to(secret, self._club_id, first=self._first):
            return None

        async def load() -> Principal | None:
            return (await self.now([hashed])).get(hashed)

        return await self._known.resolve(hashed, load)

    def _combine_rows(self, hashed: bytes, rows: Sequence[ResolvedGrant]) -> Principal | None:
        """Return the principal of a secret; None if it is unknown or expired."""
        opened = [row for row in rows if row.asked == hashed]
        rights = [right for row in opened for right in self._rights_of(row)]
        suspended = any(row.suspended for row in opened)
        holder = next((row for row in opened if row.session_id or row.kind == "token"), None)
        principal = structs.replace(combine(hashed, rights), suspended=suspended)
        if holder is None:
            # The token of an expired link is no guess; other expired secrets count as unknown.
            known = rights or any(row.kind == "link" for row in opened)
            return principal if known else None
        return structs.replace(
            principal,
            session_id=holder.session_id,
            token_id=holder.holder_id if holder.session_id is None else None,
            seen_at=holder.seen_at,
        )

    def _rights_of(self, row: ResolvedGrant) -> list[Right]:
        if row.secret_hash is None:
            return []
        if self.is_configured_key(row.secret_hash):
            return [Right(role="owner", token_hash=row.secret_hash)]
        key = row.kind == "owner_key"
        if row.role is None or row.role == "public" or row.ended:
            return []
        if key and self._given_key is not None:
            return []
        right = Right(
            role=row.role, holder_id=None if key else row.holder_id, token_hash=row.secret_hash
        )
        if not row.games:
            return [right]
        # A link to read one game gives no right to read the club.
        role: AnyRole = "viewer" if row.role == "reader" else row.role
        return [structs.replace(right, role=role, game_id=game_id) for game_id in row.games]


SELDOM = timedelta(minutes=10)
_NOTED_MAX = 10_000


class LastSeen:
    def __init__(self, grants: Grants, now: Callable[[], datetime]) -> None:
        self._grants = grants
        self._now = now
        self._noted: dict[UUID, datetime] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, who: Principal) -> None:
        if (grant_id := who.session_id or who.token_id) is None:
            return
        now = self._now()
        last = max(filter(None, (who.seen_at, self._noted.get(grant_id))), default=None)
        if last is not None and now - last < SELDOM:
            return
        if len(self._noted) >= _NOTED_MAX:
            self._noted.clear()
        self._noted[grant_id] = now
        task = start_for_all(self._write(grant_id))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    def has_returned(self, who: Principal) -> bool:
        """Return whether a session is used again after at least `SELDOM`."""
        if who.session_id is None or who.seen_at is None:
            return False
        return self._now() - who.seen_at >= SELDOM

    async def _write(self, grant_id: UUID) -> None:
        with suppress(StoreUnavailable):
            await self._grants.record_use(grant_id)
