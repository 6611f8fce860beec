"""Authentication and authorization of requests, for API and pages alike.

Promises: API requests authenticate by `Authorization: Bearer …`, pages by the session cookie.
A handler without `opt["access"]` is open to the owner only. A link reaches its own game, and
every other game answers 404. Cross-site writes are refused. The secret alone decides the club of a
request. A browser may have a session in several clubs: a game is looked up in all of them.
Assumes a club directory in the application's state under `clubs`.
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
from service.access.identities import Identities, LastSeen
from service.access.principal import Principal
from service.access.shares import KINDS, Share, Shares
from service.errors import CarnetError, Forbidden, NotFound, OtherClub, Suspended, Unauthorized

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

Connection: TypeAlias = ASGIConnection[Any, Any, Any, Any]


class Access(Enum):
    """The caller a handler requires, from its `opt["access"]`; the default is OWNER."""

    OWNER = "owner"
    STARTER = "starter"
    """May start games: an owner or scorer of the club."""
    WRITER = "writer"
    """May record the game in the path."""
    MEMBER = "member"
    """Has a role in the club, readers included."""
    READER = "reader"
    """May read the game in the path."""
    KNOWN = "known"
    """Has any right."""


class Club(Protocol):
    @property
    def club_id(self) -> UUID: ...

    @property
    def identities(self) -> Identities: ...

    @property
    def seen(self) -> LastSeen: ...

    async def has_game(self, game_id: UUID) -> bool: ...


class ClubDirectory(Protocol):
    """The clubs of this process."""

    @property
    def first(self) -> Club: ...

    async def find_by_secret(self, secret: str, client: str) -> Club:
        """Find the club named in a secret; the first club if it names none that exists."""
        ...


class BrowserSession(Struct, frozen=True, kw_only=True):
    secret: str
    club: Club
    who: Principal


async def authenticate(connection: Connection) -> Principal:
    """Authenticate by header or session, and bind the request to the caller's club.

    Raises: Unauthorized, Forbidden (a cross-site write), TooManyRequests
    """
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return await _bearer(connection, secret.strip())
    session = await _choose_session(connection)
    bind_club(connection, session.club)
    if is_write(connection) and not same_origin(connection):
        raise Forbidden
    session.club.seen.note(session.who)
    return session.who


async def _bearer(connection: Connection, secret: str) -> Principal:
    if not secret:
        raise Unauthorized
    club = await club_of_secret(connection, secret)
    principal = await club.identities.identify(secret, client_of(connection))
    if principal is None:
        raise Unauthorized
    bind_club(connection, club)
    club.seen.note(principal)
    return principal


async def _choose_session(connection: Connection) -> BrowserSession:
    sessions = [session for session in await sessions_of(connection) if session.who.rights]
    if not sessions:
        raise Unauthorized
    game_id = requested_game(connection) if len(sessions) > 1 else None
    if game_id is not None:
        for session in sessions:
            if game_id in session.who.games or (
                session.who.club and await session.club.has_game(game_id)
            ):
                return session
    return sessions[0]


def requested_game(connection: Connection) -> UUID | None:
    """Return the game in the path or in the query parameter `game`."""
    for name in ("game_id", "old_id"):
        game_id: UUID | None = connection.path_params.get(name)
        if game_id is not None:
            return game_id
    with suppress(ValueError):
        return UUID(connection.query_params.get("game", ""))
    return None


async def sessions_of(connection: Connection) -> list[BrowserSession]:
    """List the valid sessions of a browser, one per club, including those without rights."""
    sessions: list[BrowserSession] = []
    for secret in session_secrets(connection):
        club = await club_of_secret(connection, secret)
        who = await club.identities.of_session(secret)
        if who is not None and all(club is not other.club for other in sessions):
            sessions.append(BrowserSession(secret=secret, club=club, who=who))
    return sessions


async def club_of_secret(connection: Connection, secret: str) -> Club:
    clubs: ClubDirectory = connection.app.state["clubs"]
    return await clubs.find_by_secret(secret, client_of(connection))


def bind_club(connection: Connection, club: Club) -> None:
    """Bind a request to a club: its handler gets the services of this club only."""
    cast("dict[str, Any]", connection.scope)["club"] = club
    connection.scope["state"]["club_id"] = club.club_id


def club_of(connection: Connection) -> Club:
    clubs: ClubDirectory = connection.app.state["clubs"]
    club: Club = cast("Mapping[str, Any]", connection.scope).get("club", clubs.first)
    return club


def client_of(connection: Connection) -> str:
    return connection.client.host if connection.client else ""


async def authenticate_optionally(connection: Connection, handler: BaseRouteHandler) -> None:
    """Set `user` in the scope if the caller can be authenticated; never refuse."""
    del handler
    with suppress(CarnetError):
        connection.scope["user"] = await authenticate(connection)


def is_write(connection: Connection) -> bool:
    return cast("Mapping[str, Any]", connection.scope).get("method") not in _SAFE


def same_origin(connection: Connection) -> bool:
    """Return whether a request comes from one of our own pages, or from no browser.

    Reads `Sec-Fetch-Site` (Fetch Metadata), else compares `Origin` (RFC 6454) with `Host`.
    """
    site = connection.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


def linked_from_other_site(connection: Connection) -> bool:
    """Return whether a page of another site linked here.

    Over plain http, browsers send no Fetch Metadata; then `Referer` decides, which the other page
    can suppress.
    """
    site = connection.headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    referer = connection.headers.get("referer")
    return referer is not None and urlsplit(referer).netloc != connection.headers.get("host")


async def enter_by_token(connection: Connection, handler: BaseRouteHandler) -> None:
    """Bind a request to the club named in the token of its path."""
    del handler
    bind_club(connection, await club_of_secret(connection, connection.path_params["token"]))


async def refuse_other_sites(connection: Connection, handler: BaseRouteHandler) -> None:
    """Refuse forms sent from another site, with or without a cookie. Raises: Forbidden."""
    del handler
    if is_write(connection) and not same_origin(connection):
        raise Forbidden


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Authenticate and authorize; afterwards `request.user` is the caller.

    The route's share of the caller is taken until the request ends.

    Raises: Unauthorized, Forbidden, NotFound (an unknown game, or one the caller may not read),
    Suspended, TooManyRequests
    """
    who = await authenticate(connection)
    connection.scope["user"] = who
    game_id: UUID | None = connection.path_params.get("game_id")
    if game_id is not None and not who.may_read(game_id) and who.games:
        # The game may have begun as the one with which theirs goes on.
        who = (await club_of(connection).identities.now([who.token_hash])).get(who.token_hash, who)
        connection.scope["user"] = who
    if game_id is not None and not who.may_read(game_id):
        raise NotFound("game", game_id)
    if not admits(handler.opt.get("access", Access.OWNER), who, game_id):
        raise Forbidden
    kind = KINDS.get(cast("Mapping[str, Any]", connection.scope).get("path_template", ""))
    if kind is not None:
        shares: Shares = connection.app.state["shares"]
        taken: list[Share] = connection.scope["state"]["shares"]
        taken.append(await shares.take(who.token_hash, kind))
    if is_write(connection):
        if who.suspended and not handler.opt.get("stores_nothing", False):
            raise Suspended
        club_of(connection).identities.count_write(who, game_id)


def admits(access: Access, who: Principal, game_id: UUID | None) -> bool:
    """Return whether a caller who may read the game may call a handler."""
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


FIELD = "club"


def form_club(connection: Connection) -> UUID | None:
    """Return the club that forms of a page must name; None if they need not."""
    sessions = len(session_secrets(connection))
    if sessions == 0:  # no browser session
        return None
    club = club_of(connection)
    alone = sessions == 1 and club is connection.app.state["clubs"].first
    return None if alone else club.club_id


async def guard_page(connection: Connection, handler: BaseRouteHandler) -> None:
    """Authorize a page as `guard` does, and refuse forms of a club that is not shown.

    Raises: OtherClub (also instead of Forbidden and Suspended), and the errors of `guard`
    """
    refused: CarnetError | None = None
    try:
        await guard(connection, handler)
    except (Forbidden, Suspended) as error:
        refused = error
    who = cast("Mapping[str, Any]", connection.scope).get("user")
    known = who is not None and who.session_id is not None
    if known and is_write(connection) and requested_game(connection) is None:
        await must_show(connection, connection.query_params.get(FIELD))
    if refused is not None:
        raise refused


async def must_show(connection: Connection, named: str | None) -> None:
    """Check that the browser shows the named club; None names the first. Raises: OtherClub."""
    meant: UUID | None = connection.app.state["clubs"].first.club_id
    if named is not None:
        meant = None
        with suppress(ValueError):
            meant = UUID(named)
    if meant != club_of(connection).club_id:
        sessions = [
            session.club.club_id for session in await sessions_of(connection) if session.who.rights
        ]
        raise OtherClub(meant if meant in sessions else None)
