"""The first page: the game to go on with, big; the games played last; the ways on."""

from typing import Any

from litestar import get
from litestar.response import Response

from service.access.identity import Access
from service.store.listing import GameFilter
from service.web.dependencies import PageRequest, TheHistory, see_other
from service.web.format.game_rows import rows_of
from service.web.format.render import Reader
from service.web.recorder.game_page import game_address

GAMES_SHOWN = 6


@get("/", opt={"access": Access.KNOWN})
async def home(request: PageRequest, history: TheHistory) -> Response[Any]:
    """Show the last games; who came by a link has but one, and is led there."""
    if request.user.game_id is not None:
        return see_other(game_address(request.user.game_id))
    reader = Reader(request)
    latest = rows_of(reader, (await history.page(GameFilter(), None, GAMES_SHOWN)).games)
    resume = next((row for row in latest if row.game.status == "open"), None)
    return reader.page(
        "home.html",
        rows=[row for row in latest if row is not resume],
        resume=resume,
    )
