"""The club that a page shows, and the check that forms write to no other club.

A browser with sessions in several clubs shows one of them at a time. The query parameter `club` of
a form names the club it was rendered for; if another club is shown now, the form is refused.

Promises: a browser with a session in the first club only needs no `club`; a form without it belongs
to the first club. Paths below a game are handled in the game's club.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast
from uuid import UUID

from litestar.handlers import BaseRouteHandler

from service.access.admission import (
    Connection,
    club_of,
    guard,
    is_write,
    requested_game,
    sessions_of,
)
from service.access.cookies import session_secrets
from service.errors import Forbidden, OtherClub, Suspended

FIELD = "club"


def form_club(connection: Connection) -> UUID | None:
    """Return the club that forms of a page must name; None if they need not."""
    sessions = len(session_secrets(connection))
    if sessions == 0:  # no browser, or nobody's
        return None
    club = club_of(connection)
    alone = sessions == 1 and club is connection.app.state["clubs"].first
    return None if alone else club.club_id


async def guard_page(connection: Connection, handler: BaseRouteHandler) -> None:
    """Authorize a page as `guard` does, and refuse forms of a club that is not shown.

    Raises: OtherClub (also instead of Forbidden and Suspended), and the errors of `guard`
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
    if known and is_write(connection) and requested_game(connection) is None:
        await must_show(connection, connection.query_params.get(FIELD))


async def must_show(connection: Connection, named: str | None) -> None:
    """Check that the browser shows the named club; None names the first. Raises: OtherClub."""
    meant: UUID | None = connection.app.state["clubs"].first.club_id
    if named is not None:
        meant = None
        with suppress(ValueError):
            meant = UUID(named)
    if meant != club_of(connection).club_id:
        sessions = [one.club.club_id for one in await sessions_of(connection) if one.who.rights]
        raise OtherClub(meant if meant in sessions else None)
