"""The first page: the game to go on with, big; then every game, the newest first."""

from typing import Any

from litestar import get
from litestar.response import Response

from service.errors import MalformedCursor
from service.identity import Access
from service.store.listing import GameCursor, GameFilter
from service.web.asking import MaybeAsked, PageRequest, TheGames, see_other
from service.web.render import Reader, names_of, playable
from service.web.table import game_address

GAMES_SHOWN = 20


@get("/", opt={"access": Access.KNOWN})
async def home(request: PageRequest, games: TheGames, after: MaybeAsked = None) -> Response[Any]:
    """Show the games; who came by a link has but one, and is led there."""
    if request.user.game_id is not None:
        return see_other(game_address(request.user.game_id))
    reader = Reader(request)
    try:
        cursor = GameCursor.parse(after) if after else None
    except MalformedCursor:
        cursor = None
    page = await games.list(GameFilter(), cursor, GAMES_SHOWN)
    resume = next((game for game in page.games if game.status == "open"), None)
    return reader.page(
        "home.html",
        games=[game for game in page.games if cursor or game is not resume],
        resume=None if cursor else resume,
        names={game.id: names_of(reader, game.players) for game in page.games},
        after=page.after,
        rulesets=playable(),
    )
