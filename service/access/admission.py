"""Who is let in where.

Promises: one answer for the API (`Authorization: Bearer …`) and for pages (the session's cookie); a
handler that does not say who may call it is the owner's alone; a link reaches its own game and
learns nothing of what else exists; a page of another site cannot write; the secret that somebody
brings, and nothing else, decides which club a request is of. A browser may hold sessions of several
clubs: a game is looked for in all of them, so that what was opened in one takes nothing away in
another. Assumes that the clubs are in the application's state under `clubs`.
"""

from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from typing import Any, Protocol, TypeAlias, cast
from urllib.parse import urlsplit
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from msgspec import Struct

from service.access.cookies import session_secrets
from service.access.identities import Identities
from service.access.last_seen import LastSeen
from service.access.principal import Principal
from service.errors import CarnetError, Forbidden, NotFound, Suspended, Unauthorized

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

Connection: TypeAlias = ASGIConnection[Any, Any, Any, Any]


class Access(Enum):
    """Who may call a handler, from its `opt["access"]`; without it, the owner alone."""

    OWNER = "owner"
    STARTER = "starter"
    """Whoever may start games: an owner or a scorer of the club."""
    WRITER = "writer"
    """Whoever may record the game in the path."""
    MEMBER = "member"
    """Whoever is of the club, readers included."""
    READER = "reader"
    """Whoever may look at the game in the path."""
    KNOWN = "known"
    """Anybody with a right, whichever."""


class Club(Protocol):
    """What is asked here of the services of a club."""

    @property
    def club_id(self) -> UUID:
        """Which club it is."""
        ...

    @property
    def identities(self) -> Identities:
        """Who holds its secrets."""
        ...

    @property
    def seen(self) -> LastSeen:
        """When who holds one was seen."""
        ...

    async def has_game(self, game_id: UUID) -> bool:
        """Say whether a game is the club's."""
        ...


class ClubDirectory(Protocol):
    """What is asked here of the clubs of the process."""

    @property
    def first(self) -> Club:
        """The club of whoever names none."""
        ...

    async def of_secret(self, secret: str, client: str) -> Club:
        """Find the club that a secret names, the first one where it names none there is."""
        ...


class BrowserSession(Struct, frozen=True, kw_only=True):
    """A session of a browser, by the secret in its cookie."""

    secret: str
    club: Club
    who: Principal


async def who_asks(connection: Connection) -> Principal:
    """Find who asks, by header or by a session; the request is of their club from then on.

    Raises: Unauthorized, Forbidden (a write that another site's page sent), TooManyRequests,
    StoreUnavailable
    """
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return await _bearer(connection, secret.strip())
    found = await _chosen(connection)
    enter(connection, found.club)
    if writes(connection) and not same_origin(connection):
        raise Forbidden
    found.club.seen.note(found.who)
    return found.who


async def _bearer(connection: Connection, secret: str) -> Principal:
    if not secret:
        raise Unauthorized
    club = await club_of_secret(connection, secret)
    found = await club.identities.identify(secret, client_of(connection))
    if found is None:
        raise Unauthorized
    enter(connection, club)
    club.seen.note(found)
    return found


async def _chosen(connection: Connection) -> BrowserSession:
    """Choose a session of a browser: that of the club whose game is asked for, else the first.

    Raises: Unauthorized, StoreUnavailable
    """
    held = [one for one in await sessions_of(connection) if one.who.rights]
    if not held:
        raise Unauthorized
    game_id = game_asked(connection) if len(held) > 1 else None
    if game_id is not None:
        for one in held:
            if game_id in one.who.games or (one.who.club and await one.club.has_game(game_id)):
                return one
    return held[0]


def game_asked(connection: Connection) -> UUID | None:
    """Return the game that an address is of: to look at, to record, or to play again."""
    for name in ("game_id", "old_id"):
        game_id: UUID | None = connection.path_params.get(name)
        if game_id is not None:
            return game_id
    with suppress(ValueError):
        return UUID(connection.query_params.get("game", ""))
    return None


async def sessions_of(connection: Connection) -> list[BrowserSession]:
    """Find the sessions of a browser, one a club, whatever they may still do."""
    held: list[BrowserSession] = []
    for secret in session_secrets(connection):
        club = await club_of_secret(connection, secret)
        who = await club.identities.of_session(secret)
        if who is not None and all(club is not other.club for other in held):
            held.append(BrowserSession(secret=secret, club=club, who=who))
    return held


async def club_of_secret(connection: Connection, secret: str) -> Club:
    """Find the club that a secret names, the first one where it names none there is."""
    clubs: ClubDirectory = connection.app.state["clubs"]
    return await clubs.of_secret(secret, client_of(connection))


def enter(connection: Connection, club: Club) -> None:
    """Make a request one of a club: nothing that handles it reaches another."""
    cast("dict[str, Any]", connection.scope)["club"] = club
    connection.scope["state"]["club_id"] = club.club_id


def club_of(connection: Connection) -> Club:
    """Return the club that a request is of, the first one until it brought a secret."""
    clubs: ClubDirectory = connection.app.state["clubs"]
    club: Club = cast("Mapping[str, Any]", connection.scope).get("club", clubs.first)
    return club


def client_of(connection: Connection) -> str:
    """Return the address that somebody asks from."""
    return connection.client.host if connection.client else ""


async def acquaint(connection: Connection, handler: BaseRouteHandler) -> None:
    """Know who asks where everybody may: `user` is set in the scope, or nobody was recognised."""
    del handler
    with suppress(CarnetError):
        connection.scope["user"] = await who_asks(connection)


def writes(connection: Connection) -> bool:
    """Say whether a request may change something."""
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


def led_from_elsewhere(connection: Connection) -> bool:
    """Return whether a page of another site led here.

    By plain http in a home network a browser sends no Fetch Metadata; then by `Referer`, which
    that page can withhold.
    """
    site = connection.headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    referer = connection.headers.get("referer")
    return referer is not None and urlsplit(referer).netloc != connection.headers.get("host")


async def enter_by_token(connection: Connection, handler: BaseRouteHandler) -> None:
    """Make a request one of the club that the token in its path names."""
    del handler
    enter(connection, await club_of_secret(connection, connection.path_params["token"]))


async def refuse_other_sites(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let nobody's page but our own send forms, whether or not it comes with a cookie.

    Raises: Forbidden
    """
    del handler
    if writes(connection) and not same_origin(connection):
        raise Forbidden


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit those a handler is open to; `request.user` is who it is.

    Raises: Unauthorized, Forbidden, NotFound (a game they may not look at, or none), Suspended,
    TooManyRequests, StoreUnavailable
    """
    who = await who_asks(connection)
    connection.scope["user"] = who
    game_id: UUID | None = connection.path_params.get("game_id")
    if game_id is not None and not who.may_read(game_id):
        raise NotFound("game", game_id)
    if not admits(handler.opt.get("access", Access.OWNER), who, game_id):
        raise Forbidden
    if writes(connection):
        if who.suspended and not handler.opt.get("stores_nothing", False):
            raise Suspended
        club_of(connection).identities.count_write(who, game_id)


def admits(access: Access, who: Principal, game_id: UUID | None) -> bool:
    """Say whether somebody may call a handler, for a game that they may look at."""
    match access:
        case Access.OWNER:
            return who.owner
        case Access.STARTER:
            return who.may_start
        case Access.WRITER:
            return game_id is not None and who.may_write(game_id)
        case Access.MEMBER:
            return who.club is not None
        case Access.READER | Access.KNOWN:
            return True
