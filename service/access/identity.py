"""Who asks: the owner by the key, a scorer or a viewer by a link's token.

Promises: one answer for the API (`Authorization: Bearer …`) and for pages (cookies); whoever holds
several cookies is, for each game, who the strongest of them makes them; a handler that does not say
who may call it is the owner's alone; a link reaches its own game and learns nothing of what else
exists; a page of another site cannot write; a wrong key is compared in constant time and guessing
is slowed down. Assumes that `Identities` is in the application's state under `identities`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import quote, urlsplit
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from msgspec import Struct

from service.access.cookies import link_tokens, owner_secret
from service.access.known_links import KnownLinks
from service.access.throttle import Throttle
from service.errors import CarnetError, Forbidden, NotFound, TooManyRequests, Unauthorized
from service.store.links import Links
from service.store.records import Link, Role

_OWNER_SECONDS = 1.0
_PROVEN_MAX = 10_000
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_STRENGTH = ("viewer", "scorer", "owner")

Connection: TypeAlias = ASGIConnection[Any, Any, Any, Any]


class Identity(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who asks. Those who came by a link have one game; `link_id` is recorded beside entries.

    `token_hash` is that of the key or token they came with: it may stop counting while they stay.
    """

    role: Role | Literal["owner"]
    game_id: UUID | None = None
    link_id: UUID | None = None
    token_hash: bytes

    def may_write(self, game_id: UUID) -> bool:
        """Say whether this person may append to a game."""
        return self.role == "owner" or (self.role == "scorer" and self.game_id == game_id)

    @property
    def strength(self) -> int:
        """Order roles: more may do more."""
        return _STRENGTH.index(self.role)

    def covers(self, other: "Identity") -> bool:
        """Say whether somebody may already do whatever another may."""
        reaches = self.role == "owner" or self.game_id == other.game_id
        return reaches and self.strength >= other.strength


class Access(Enum):
    """Who may call a handler, from its `opt["access"]`; without it, the owner alone."""

    OWNER = "owner"
    WRITER = "writer"
    """The owner, or the scorer of the game in the path."""
    READER = "reader"
    """The owner, or anybody with a link to the game in the path."""
    KNOWN = "known"
    """Anybody with a key or a link."""


class OwnerHash:
    """The hash of the owner's key: a fixed one, or the stored one, at most `_OWNER_SECONDS` old."""

    def __init__(
        self, read: Callable[[], Awaitable[bytes | None]], seconds: Callable[[], float]
    ) -> None:
        self._read = read
        self._seconds = seconds
        self._read_at = float("-inf")
        self._hash = b""

    def read_last(self, hashed: bytes) -> bool:
        """Say whether this is the hash that counted when it was read last, however long ago."""
        return compare_digest(hashed, self._hash)

    async def current(self) -> bytes:
        """Return the hash of the key that counts.

        Raises: StoreUnavailable
        """
        if self._seconds() - self._read_at > _OWNER_SECONDS:
            self._hash = await self._read() or b""
            self._read_at = self._seconds()
        return self._hash


class Identities:
    """Knows the owner's key and the links."""

    def __init__(
        self,
        owner: OwnerHash,
        links: Links,
        known_links: KnownLinks,
        guesses: Throttle,
        writes: Throttle,
    ) -> None:
        self._owner = owner
        self._known_links = known_links
        # Secrets that were right once in this process: somebody else's guessing from the same
        # address, which behind a proxy is everybody's, does not shut their holders out.
        self._proven: set[bytes] = set()
        self._links = links
        self._guesses = guesses
        self._writes = writes

    async def identify(self, secret: str, client: str) -> Identity | None:
        """Find who holds a secret; None: nobody. `client` is the address the secret came from.

        Raises: TooManyRequests (after too many wrong ones from there), StoreUnavailable
        """
        hashed = token_hash(secret)
        wait = 0 if hashed in self._proven else self._guesses.wait_seconds(client)
        if wait:
            raise TooManyRequests(wait)
        found = await self._resolve(hashed, self._known_links)
        if found is None:
            self._proven.discard(hashed)
            self._guesses.take(client)
        elif len(self._proven) < _PROVEN_MAX:
            self._proven.add(hashed)
        return found

    async def identify_guests(self, tokens: Sequence[str], client: str) -> list[Identity]:
        """Find who holds the tokens of several links; those that open nothing are left out.

        Raises: TooManyRequests (no token was right before, and too many wrong ones came from
        there), StoreUnavailable
        """
        hashes = list(map(token_hash, tokens))
        wait = self._guesses.wait_seconds(client)
        looked_up = [one for one in hashes if not wait or one in self._proven]
        if hashes and not looked_up:
            raise TooManyRequests(wait)
        links = await self._links.find(looked_up)
        for hashed in looked_up:
            if hashed not in links:
                self._proven.discard(hashed)
                self._guesses.take(client)
            elif len(self._proven) < _PROVEN_MAX:
                self._proven.add(hashed)
        # A token that was good once is no guess, but it opens nothing any more.
        return [_guest(link, one) for one, link in links.items() if link.revoked_at is None]

    async def still(self, identity: Identity) -> bool:
        """Say whether an identity holds still: a link may have been revoked, a key replaced.

        Raises: StoreUnavailable
        """
        return await self._resolve(identity.token_hash, self._links) is not None

    def count_write(self, identity: Identity, game_id: UUID | None) -> None:
        """Count a write of somebody in a game, None: in none.

        Raises: TooManyRequests
        """
        wait = self._writes.take((identity.link_id, game_id))
        if wait:
            raise TooManyRequests(wait)

    async def _resolve(self, hashed: bytes, links: Links | KnownLinks) -> Identity | None:
        # What it was before is asked first, so that whoever is right costs one question at most.
        seemed_owner = self._owner.read_last(hashed)
        if not seemed_owner and (link := await links.resolve(hashed)):
            return _guest(link, hashed)
        if compare_digest(hashed, await self._owner.current()):
            return Identity(role="owner", token_hash=hashed)
        return None


def _guest(link: Link, hashed: bytes) -> Identity:
    return Identity(role=link.role, game_id=link.game_id, link_id=link.link_id, token_hash=hashed)


def token_hash(secret: str) -> bytes:
    """Hash a secret as links are stored."""
    return sha256(secret.encode("utf-8", "surrogateescape")).digest()


def login_path(secret: str) -> str:
    """Make the path that gives a browser its cookie: what links and QR codes lead to."""
    return f"/login?key={quote(secret, safe='')}"


async def identity_of(connection: Connection) -> Identity:
    """Find who asks, by header or by cookies; of several, the strongest for the game in the path.

    Raises: Unauthorized, Forbidden (a write that another site's page sent), TooManyRequests,
    StoreUnavailable
    """
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return await _bearer(connection, secret.strip())
    game_id: UUID | None = connection.path_params.get("game_id")
    held = await identities_held(connection)
    if not held:
        raise Unauthorized
    if _writes(connection) and not same_origin(connection):
        raise Forbidden
    return next((one for one in held if one.role == "owner" or one.game_id == game_id), held[0])


async def _bearer(connection: Connection, secret: str) -> Identity:
    if not secret:
        raise Unauthorized
    found = await _identities(connection).identify(secret, _client(connection))
    if found is None:
        raise Unauthorized
    return found


async def identities_held(connection: Connection) -> list[Identity]:
    """Find everybody that a browser's cookies make of whoever uses it, the strongest first.

    Raises: TooManyRequests (where none is right), StoreUnavailable
    """
    identities, client = _identities(connection), _client(connection)
    held: list[Identity] = []
    throttled: TooManyRequests | None = None
    try:
        if key := owner_secret(connection):
            found = await identities.identify(key, client)
            held += [found] if found else []
    except TooManyRequests as error:
        throttled = error
    if not held or held[0].role != "owner":
        try:
            held += await identities.identify_guests(link_tokens(connection), client)
        except TooManyRequests as error:
            throttled = error
    if throttled is not None and not held:
        raise throttled
    return sorted(held, key=lambda one: -one.strength)


def _identities(connection: Connection) -> Identities:
    identities: Identities = connection.app.state["identities"]
    return identities


def _client(connection: Connection) -> str:
    return connection.client.host if connection.client else ""


async def acquaint(connection: Connection, handler: BaseRouteHandler) -> None:
    """Know who asks where everybody may: `user` is set in the scope, or nobody was recognised."""
    del handler
    with suppress(CarnetError):
        connection.scope["user"] = await identity_of(connection)


def _writes(connection: Connection) -> bool:
    return cast("Mapping[str, Any]", connection.scope).get("method") not in _SAFE


def same_origin(connection: Connection) -> bool:
    """Say whether a browser sent this from one of our own pages, or no browser sent it.

    `Sec-Fetch-Site` where the browser tells (Fetch Metadata), else `Origin` (RFC 6454) against
    `Host`.
    """
    site = connection.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


async def refuse_other_sites(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let nobody's page but our own send forms, whether or not it comes with a cookie.

    Raises: Forbidden
    """
    del handler
    if _writes(connection) and not same_origin(connection):
        raise Forbidden


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit those a handler is open to; `request.user` is who it is.

    Raises: Unauthorized, Forbidden, NotFound (another game than the link's, or none),
    TooManyRequests, StoreUnavailable
    """
    identity = await identity_of(connection)
    connection.scope["user"] = identity
    access: Access = handler.opt.get("access", Access.OWNER)
    game_id: UUID | None = connection.path_params.get("game_id")
    if identity.role != "owner":
        if game_id is not None and game_id != identity.game_id:
            raise NotFound("game", game_id)
        if access is Access.OWNER or (access is Access.WRITER and identity.role != "scorer"):
            raise Forbidden
    if _writes(connection):
        _identities(connection).count_write(identity, game_id)
