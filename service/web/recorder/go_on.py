"""Going on: the shortcut of the installed app to the game that is played."""

from litestar import get
from litestar.response import Redirect

from service.access.identity import Access
from service.dependencies import PageRequest, TheHistory, see_other
from service.store.listing import GameFilter
from service.web.recorder.game_page import game_address


@get("/go-on", opt={"access": Access.KNOWN})
async def go_on(request: PageRequest, history: TheHistory) -> Redirect:
    """Lead to the game begun last that is not over; to the first page where there is none."""
    if request.user.game_id is not None:
        return see_other(game_address(request.user.game_id))
    page = await history.page(GameFilter(status="open"), None, 1)
    return see_other(f"/games/{page.games[0].id}" if page.games else "/")
