"""A large display of one game or all running games, without controls."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from litestar import get
from litestar.response import Response

from domain.table.rules import Status
from service.access.admission import Access, club_of, must_show
from service.club.evenings import Evenings
from service.dependencies import Id, Now, PageRequest, TheEvenings, TheGames, see_other
from service.errors import NotFound
from service.play.course import GameCourse
from service.play.views import game_view
from service.web.archive.moment import standing_variables
from service.web.format.render import Reader
from service.web.recorder.table.board import LATELY, board_of

TABLES_MAX = 6
MOVES_SHOWN = 4
# A table without entries for this time no longer counts as running.
IDLE_MAX = timedelta(hours=3)
# A finished game stays on the screen for this time, unless its players begin another.
ENDED_MAX = timedelta(minutes=20)


@get("/games/{game_id:uuid}/screen", opt={"access": Access.READER})
async def game_screen(
    request: PageRequest, games: TheGames, evenings: TheEvenings, now: Now, game_id: Id
) -> Response[Any]:
    """Show one game on a large display; after it, follow the players to their next game.

    A game that ended long ago stays.
    """
    snapshot = await games.snapshot(game_id)
    lately = now() - snapshot.loaded.rows[-1].recorded_at < IDLE_MAX
    is_over = snapshot.loaded.history.game.status is not Status.OPEN
    if is_over and lately and request.user.club is not None:
        after = await _later_game_of_evening(evenings, game_id)
        if after is not None:
            return see_other(f"/games/{after}/screen")
    return _page(
        Reader(request), (await games.course(snapshot),), live=f"/api/games/{game_id}/live"
    )


async def _later_game_of_evening(evenings: Evenings, game_id: UUID) -> UUID | None:
    try:
        games = (await evenings.evening(game_id)).evenings[0].games
    except NotFound:  # the game is set aside
        return None
    at = next(place for place, game in enumerate(games) if game.game_id == game_id)
    people = {*games[at].players}
    later = [one.game_id for one in games[at + 1 :] if not people.isdisjoint(one.players)]
    return later[-1] if later else None


@get("/screen", opt={"access": Access.MEMBER})
async def club_screen(request: PageRequest, games: TheGames, now: Now) -> Response[str]:
    if (page_of := request.headers.get("x-club")) is not None:
        await must_show(request, page_of)
    ids = await games.active_games(now() - IDLE_MAX, now() - ENDED_MAX, 4 * TABLES_MAX)
    snapshots = await games.snapshots(ids[:TABLES_MAX])
    return _page(Reader(request), tuple([await games.course(one) for one in snapshots]), live="")


def _page(reader: Reader, courses: tuple[GameCourse, ...], live: str) -> Response[str]:
    part = reader.request.headers.get("x-part") == "tables"
    tables = [_table(reader, one) for one in courses]
    club = club_of(reader.request).club_id
    page = "tables.html" if part else "screen.html"
    return reader.page(page, tables=tables, live=live, club=club)


def _table(reader: Reader, course: GameCourse) -> dict[str, Any]:
    snapshot = course.game
    reader.follow(snapshot)
    lately = snapshot.last_entries(LATELY)
    view = game_view(
        snapshot.id,
        snapshot.version,
        snapshot.loaded.history.game,
        (),
        snapshot.players,
        (),
        chain=snapshot.loaded.chain,
    )
    board = board_of(reader, view, "", lately=lately)
    moves = [reader.show(one, snapshot.ruleset, board.names) for one in lately[-MOVES_SHOWN:]]
    return {
        "board": board,
        "game": reader.game(snapshot.ruleset),
        "ruleset": snapshot.ruleset,
        "title_name": snapshot.title_name,
        "moves": moves[::-1],
        "standing": standing_variables(reader, course, board),
    }
