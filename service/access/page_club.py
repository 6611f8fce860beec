"""Which club a page is of, and that its forms write in no other.

A browser that came into several clubs shows one of them. A form that was opened before it showed
another says so by its address (`?club=`): it writes nothing, and who sent it is told.

Promises: a page of the first club, in a browser that came into no other, says nothing of clubs; a
form that names none is of the first. What is below a game is written where that game is.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast
from uuid import UUID

from litestar.handlers import BaseRouteHandler

from service.access.admission import (
    Connection,
    club_of,
    game_asked,
    guard,
    sessions_of,
    writes,
)
from service.access.cookies import session_secrets
from service.errors import Forbidden, OtherClub, Suspended

FIELD = "club"


def told_club(connection: Connection) -> UUID | None:
    """Return the club that the forms of a page have to name; None: they need not."""
    held = len(session_secrets(connection))
    if held == 0:  # no browser, or nobody's
        return None
    club = club_of(connection)
    alone = held == 1 and club is connection.app.state["clubs"].first
    return None if alone else club.club_id


async def guard_page(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit to a page as `guard` does, but no form of another club than the browser shows.

    Raises: OtherClub, also where they may not do there what the form is for, and what `guard` does
    """
    try:
        await guard(connection, handler)
    except (Forbidden, Suspended):
        await _refuse_other_clubs(connection)
        raise
    await _refuse_other_clubs(connection)


async def _refuse_other_clubs(connection: Connection) -> None:
    who = cast("Mapping[str, Any]", connection.scope).get("user")
    known = who is not None and who.session_id is not None
    if known and writes(connection) and game_asked(connection) is None:
        await must_show(connection, connection.query_params.get(FIELD))


async def must_show(connection: Connection, named: str | None) -> None:
    """Go on only where a browser shows the club that is named, None: the first.

    Raises: OtherClub, StoreUnavailable
    """
    meant: UUID | None = connection.app.state["clubs"].first.club_id
    if named is not None:
        meant = None
        with suppress(ValueError):
            meant = UUID(named)
    if meant != club_of(connection).club_id:
        held = [one.club.club_id for one in await sessions_of(connection) if one.who.rights]
        raise OtherClub(meant if meant in held else None)
