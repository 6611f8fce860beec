"""A screen for the room: a game, or all that are going on, large and without anything to press.

Promises: nothing can be entered; what is shown is what any viewer may see. Assumes a script that
asks anew when something was entered (`X-Part`).
"""

from datetime import timedelta
from typing import Any

from litestar import get
from litestar.response import Response

from service.access.identity import Access
from service.dependencies import Id, Now, PageRequest, TheGames
from service.play.moments import Moment
from service.play.views import game_view
from service.web.format.render import Reader
from service.web.recorder.board import read_entry
from service.web.recorder.game_page import LATELY, board_of

TABLES_MAX = 6
MOVES_SHOWN = 4
# Tables at which nothing was entered for so long are not going on.
QUIET = timedelta(hours=3)


@get("/games/{game_id:uuid}/screen", opt={"access": Access.READER})
async def game_screen(request: PageRequest, games: TheGames, game_id: Id) -> Response[str]:
    """Show one game for a television or a tablet; it follows by itself."""
    return _page(Reader(request), [await games.moment(game_id)], live=f"/api/games/{game_id}/live")


@get("/screen")
async def club_screen(request: PageRequest, games: TheGames, now: Now) -> Response[str]:
    """Show every game that is going on, side by side."""
    ids = await games.going_on(now() - QUIET, 4 * TABLES_MAX)
    moments = [await games.moment(one) for one in ids[:TABLES_MAX]]
    return _page(Reader(request), moments, live="")


def _page(reader: Reader, moments: list[Moment], live: str) -> Response[str]:
    part = reader.request.headers.get("x-part") == "tables"
    tables = [_table(reader, one) for one in moments]
    return reader.page("tables.html" if part else "screen.html", tables=tables, live=live)


def _table(reader: Reader, moment: Moment) -> dict[str, Any]:
    """Gather what is shown of one game."""
    lately = [read_entry(line) for line in moment.log(effective=True)[-LATELY:]]
    view = game_view(moment.id, moment.version, moment.folded.history.game, (), moment.players, ())
    board = board_of(reader, view, "", lately=lately)
    moves = [reader.draw(one, moment.ruleset, board.names) for one in lately[-MOVES_SHOWN:]]
    return {
        "board": board,
        "game": reader.game(moment.ruleset),
        "ruleset": moment.ruleset,
        "moves": moves[::-1],
    }
