"""The clubs that a browser has come into: which of them its pages are of."""

from typing import Any, cast

from litestar import post
from litestar.connection import ASGIConnection
from litestar.response import Redirect

from service.access.admission import sessions_of
from service.dependencies import PageRequest, see_other
from service.tenancy.club_services import ClubServices
from service.web.browser_sessions import in_front
from service.web.format.render import uuid_of


async def names_of_clubs(connection: ASGIConnection[Any, Any, Any, Any]) -> list[tuple[str, str]]:
    """Name the clubs of a browser, with their ids, the one shown first; []: it is in one only."""
    held = [one for one in await sessions_of(connection) if one.who.rights]
    if len(held) < 2:  # noqa: PLR2004 -- that is several
        return []
    rows = connection.app.state["clubs"].rows
    found: list[tuple[str, str]] = []
    for one in held:
        club_id = cast("ClubServices", one.club).club_id
        row = await rows.find(club_id)
        found.append((str(club_id), row.name if row is not None else ""))
    return found


@post("/settings/club", opt={"public": True})
async def show_other_club(request: PageRequest) -> Redirect:
    """Show another club's pages, of those that the browser has come into."""
    asked = uuid_of(str((await request.form()).get("club", "")))
    for held in await sessions_of(request):
        if cast("ClubServices", held.club).club_id == asked:
            return see_other("/", *await in_front(request, held.club))
    return see_other("/settings")
