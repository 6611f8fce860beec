"""The clubs in which a browser has a session, and the choice between them."""

from typing import Any, cast

from litestar import post
from litestar.connection import ASGIConnection
from litestar.response import Redirect

from service.access.admission import sessions_of
from service.dependencies import PageRequest, see_other
from service.tenancy.club_services import ClubServices
from service.web.browser_sessions import switch_club
from service.web.format.render import uuid_of


async def clubs_of_browser(connection: ASGIConnection[Any, Any, Any, Any]) -> list[tuple[str, str]]:
    """Return ids and names of a browser's clubs, the current one first; empty for a single club."""
    sessions = [one for one in await sessions_of(connection) if one.who.rights]
    if len(sessions) < 2:  # noqa: PLR2004 -- more than one
        return []
    rows = connection.app.state["clubs"].rows
    clubs: list[tuple[str, str]] = []
    for one in sessions:
        club_id = cast("ClubServices", one.club).club_id
        row = await rows.find(club_id)
        clubs.append((str(club_id), row.name if row is not None else ""))
    return clubs


@post("/settings/club", opt={"public": True})
async def show_other_club(request: PageRequest) -> Redirect:
    chosen_id = uuid_of(str((await request.form()).get("club", "")))
    for session in await sessions_of(request):
        if cast("ClubServices", session.club).club_id == chosen_id:
            return see_other("/", *await switch_club(request, session.club))
    return see_other("/settings")
