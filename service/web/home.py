"""The first page: the game to continue, the latest games, links to other pages."""

from typing import Any

from litestar import get
from litestar.response import Response

from service.access.admission import Access
from service.club.score_history import ScoreHistory
from service.dependencies import PageRequest, TheDeliverer, TheHistory, see_other
from service.store.read_models.listing import GameFilter
from service.web.format.game_rows import rows_of
from service.web.format.render import Reader
from service.web.recorder.table.game_page import game_address

GAMES_SHOWN = 6


@get("/", opt={"access": Access.KNOWN})
async def home(request: PageRequest, history: TheHistory, deliverer: TheDeliverer) -> Response[Any]:
    """Show the latest games; a guest sees the games of their links, and a single one directly."""
    if request.user.club is None:
        return await _guests_home(request, history)
    reader = Reader(request)
    page = await history.page(GameFilter(), None, GAMES_SHOWN)
    latest = rows_of(reader, page.games)
    resume = next((row for row in latest if row.game.status == "open"), None)
    return reader.page(
        "home.html",
        rows=[row for row in latest if row is not resume],
        resume=resume,
        set_aside=page.set_aside,
        webhooks_given_up=deliverer.given_up if request.user.owner else 0,
    )


async def _guests_home(request: PageRequest, history: ScoreHistory) -> Response[Any]:
    games = request.user.games
    if len(games) == 1:
        return see_other(game_address(games[0]))
    reader = Reader(request)
    filters = [GameFilter(game_id=game_id, set_aside="include") for game_id in games]
    pages = [await history.page(which, None, 1) for which in filters]
    games_shown = [game for page in pages for game in page.games]
    latest = sorted(games_shown, key=lambda game: game.started_at, reverse=True)
    return reader.page("guests_home.html", rows=rows_of(reader, latest))
