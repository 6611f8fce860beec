"""Knows who holds a secret: the owner's key, a link's or program's token, a browser's session.

Promises: a session may do what the secrets that were opened in it open now, added up; a wrong key
is compared in constant time and guesses are counted; no secret of another club opens
anything.
"""

from collections.abc import Sequence
from hmac import compare_digest
from uuid import UUID

from msgspec import structs

from service.access.failed_logins import FailedLogins
from service.access.known_holders import KnownHolders
from service.access.principal import AnyRole, Principal, Right, added_up
from service.access.secrets import of_club, token_hash
from service.access.throttle import Throttle
from service.errors import TooManyRequests
from service.store.access.grants import Grants, Opened, Session

_PROVEN_MAX = 10_000


class Identities:
    """Knows the holders of one club's secrets.

    `given_key`: the hash of the owner's key in the settings; None: the stored one counts. `first`:
    the club has the secrets that name none.
    """

    def __init__(
        self,
        club_id: UUID,
        given_key: bytes | None,
        grants: Grants,
        known: KnownHolders,
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
        # Secrets that were right once in this process need not wait beside guesses.
        self._proven: set[bytes] = set()
        self._failed_logins = failed_logins
        self._writes = writes

    async def identify(self, secret: str, client: str) -> Principal | None:
        """Find who holds a key or token; None: nobody. `client` is the address it came from.

        Raises: TooManyRequests (it is wrong, as too many were before), StoreUnavailable
        """
        hashed = token_hash(secret)
        if hashed in self._proven:
            found = await self._resolve(secret, hashed)
        else:
            async with self._failed_logins.looked_at(client):
                found = await self._resolve(secret, hashed)
        if found is None:
            self._proven.discard(hashed)
            self._failed_logins.count(client)
        elif len(self._proven) < _PROVEN_MAX:
            self._proven.add(hashed)
        # What was good once is no guess, but it opens nothing any more.
        return found if found and found.rights else None

    async def of_session(self, secret: str) -> Principal | None:
        """Find whose session a browser's secret is; None: it is no session, or an ended one.

        A session may have no rights left. Nobody guesses a session: they are not counted.
        """
        found = await self._resolve(secret, token_hash(secret))
        return found if found and found.session_id else None

    async def now(self, token_hashes: Sequence[bytes]) -> dict[bytes, Principal]:
        """Say what secrets open at this moment, whatever was known before; one question for all."""
        rows = await self._grants.opened(token_hashes)
        found = {one: self._added_up(one, rows) for one in token_hashes}
        return {hashed: who for hashed, who in found.items() if who is not None}

    def is_given(self, hashed: bytes) -> bool:
        """Say whether a hash is that of the owner's key in the settings."""
        return self._given_key is not None and compare_digest(hashed, self._given_key)

    def opened_by_owner(self, session: Session) -> bool:
        """Say whether the owner's key that counts was opened in a session."""
        return session.owner if self._given_key is None else self._given_key in session.opened

    async def still(self, who: Principal, game_id: UUID | None) -> bool:
        """Say whether somebody may still see as much of a game; None: is as much in the club.

        What was known of them before does not count.
        """
        now = (await self.now([who.token_hash])).get(who.token_hash)
        if now is None:
            return False
        return now.club == who.club if game_id is None else who.holds_in(now, game_id)

    def count_write(self, who: Principal, game_id: UUID | None) -> None:
        """Count a write of somebody in a game, None: in none.

        Raises: TooManyRequests
        """
        wait = self._writes.take((self._club_id, who.by(game_id), game_id))
        if wait:
            raise TooManyRequests(wait)

    async def _resolve(self, secret: str, hashed: bytes) -> Principal | None:
        if self.is_given(hashed):
            return added_up(hashed, [Right(role="owner", token_hash=hashed)])
        if not of_club(secret, self._club_id, first=self._first):
            return None

        async def look() -> Principal | None:
            return (await self.now([hashed])).get(hashed)

        return await self._known.resolve(hashed, look)

    def _added_up(self, hashed: bytes, rows: Sequence[Opened]) -> Principal | None:
        held = [row for row in rows if row.asked == hashed]
        rights = [right for row in held for right in self._rights(row)]
        suspended = any(row.suspended for row in held)
        used = next((row for row in held if row.session_id or row.kind == "token"), None)
        found = structs.replace(added_up(hashed, rights), suspended=suspended)
        if used is None:
            # A link that ended is no guess; the hash of anything else that ended is nobody's.
            known = rights or any(row.kind == "link" for row in held)
            return found if known else None
        return structs.replace(
            found,
            session_id=used.session_id,
            token_id=used.holder_id if used.session_id is None else None,
            seen_at=used.seen_at,
        )

    def _rights(self, row: Opened) -> list[Right]:
        if row.secret_hash is None:
            return []
        if self.is_given(row.secret_hash):
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
        # Whoever reads one game is no reader of the club.
        role: AnyRole = "viewer" if row.role == "reader" else row.role
        return [structs.replace(right, role=role, game_id=game_id) for game_id in row.games]
