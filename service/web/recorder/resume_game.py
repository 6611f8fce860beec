"""The shortcut of the installed app to the current game."""

from litestar import get
from litestar.response import Redirect

from service.access.admission import Access
from service.dependencies import PageRequest, TheHistory, see_other
from service.store.read_models.listing import GameFilter


@get("/go-on", opt={"access": Access.KNOWN})
async def go_on(request: PageRequest, history: TheHistory) -> Redirect:
    """Redirect to the latest open game, or to the first page if there is none."""
    if request.user.club is None:
        which = GameFilter(games=request.user.games, set_aside="include")
        found = (await history.page(which, None, 2)).games
        return see_other(f"/games/{found[0].id}" if len(found) == 1 else "/")
    page = await history.page(GameFilter(status="open"), None, 1)
    return see_other(f"/games/{page.games[0].id}" if page.games else "/")
