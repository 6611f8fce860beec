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
from service.access.principal import AnyRole, ClubRole, Principal, Right, added_up
from service.access.secrets import of_club, token_hash
from service.access.throttle import Throttle
from service.errors import TooManyRequests
from service.store.access.secret_holders import Opened, SecretHolders
from service.store.access.sessions import Session

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
        holders: SecretHolders,
        known: KnownHolders,
        failed_logins: FailedLogins,
        writes: Throttle,
        *,
        first: bool = False,
    ) -> None:
        self._club_id = club_id
        self._first = first
        self._given_key = given_key
        self._holders = holders
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
        rows = await self._holders.find(token_hashes)
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
        used = next((row for row in held if row.session_id or row.token_id), None)
        if used is None:
            known = rights or any(row.link_id is not None for row in held)
            found = structs.replace(added_up(hashed, rights), suspended=suspended)
            return found if known else None
        return structs.replace(
            added_up(hashed, rights),
            suspended=suspended,
            session_id=used.session_id,
            token_id=used.token_id,
            seen_at=used.seen_at,
        )

    def _rights(self, row: Opened) -> list[Right]:
        if row.token_hash is None:
            return []
        owner = row.owner
        if self._given_key is not None:
            owner = compare_digest(row.token_hash, self._given_key)
        if owner:
            return [Right(role="owner", token_hash=row.token_hash)]
        if row.member_role is not None:
            return [Right(role=row.member_role, holder_id=row.member_id, token_hash=row.token_hash)]
        if row.token_role is not None:
            return [] if row.token_ended else _of_program(row.token_role, row)
        if row.role is None or row.revoked_at is not None or row.ended:
            return []
        return [
            Right(
                role=row.role, game_id=row.game_id, holder_id=row.link_id, token_hash=row.token_hash
            )
        ]


def _of_program(role: ClubRole, row: Opened) -> list[Right]:
    hashed = row.token_hash or b""
    if not row.token_games:
        return [Right(role=role, holder_id=row.token_id, token_hash=hashed)]
    of_game: AnyRole = "viewer" if role == "reader" else role
    return [
        Right(role=of_game, game_id=game_id, holder_id=row.token_id, token_hash=hashed)
        for game_id in row.token_games
    ]
