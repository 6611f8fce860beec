"""What if: hypothetical moves from any version, judged like real ones and never stored."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import DecodeError, json

from schemas.entries import Entry
from schemas.strict_json import Malformed, decode_strictly
from service.access.admission import Access
from service.dependencies import Asked, Id, Number, PageRequest, TheGames, see_other
from service.errors import Forbidden
from service.play.append import RefusedBatch
from service.play.possibilities import hidden_from_viewers
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot, Rejected
from service.play.views import GameView, game_view
from service.web.format.render import Reader
from service.web.recorder.forms import read_completed
from service.web.recorder.table.board import LATELY, board_of, place
from service.web.recorder.table.refusals import describe_refusal

MOVES_MAX = 60
REFUSED = 422
_PATH = "/games/{game_id:uuid}/at/{version:int}/what-if"
Moves = list[dict[str, Any]]


@get(_PATH, opt={"access": Access.READER})
async def what_if(
    request: PageRequest,
    games: TheGames,
    game_id: Id,
    version: Number,
    moves: Asked = "",
    tried: Asked = "",
) -> Response[str]:
    """Show the game after hypothetical `moves`; `tried` are refused entries to explain."""
    reader = Reader(request)
    now, then = await _open(request, games, game_id, version)
    supposed_moves = _read_moves(moves)
    view, refused = await _judge(games, then, supposed_moves)
    if refused is not None:  # an address edited by hand
        supposed_moves, tried = [], ""
    if tried:
        _, refused = await _judge(games, then, [*supposed_moves, *_read_moves(tried)])
    lately = then.last_entries(LATELY) + supposed_moves
    names = board_of(reader, view, "").names
    around: dict[str, Any] = {**place(now, request.user), "id": game_id}
    return reader.page(
        "what_if.html",
        REFUSED if refused else 200,
        **around,
        board=board_of(reader, view, "cards", lately=lately[-LATELY:]),
        game=reader.game(now.ruleset),
        version=version,
        moves=supposed_moves,
        words=[reader.show(one, now.ruleset, names) for one in supposed_moves],
        before=_address(game_id, version, supposed_moves[:-1]),
        refused=describe_refusal(reader, *refused) if refused else None,
    )


@post(_PATH, opt={"access": Access.READER, "stores_nothing": True})
async def suppose(request: PageRequest, game_id: Id, version: Number, games: TheGames) -> Redirect:
    """Redirect to the game after one more hypothetical move, or to the reason for its refusal."""
    fields = list((await request.form()).multi_items())
    moves = _read_moves(dict(fields).get("moves", ""))
    entries = read_completed(fields)
    new = [] if entries.lacks or entries.entries is None else entries.entries
    _, then = await _open(request, games, game_id, version)
    after = [*moves, *new][:MOVES_MAX]
    _, refused = await _judge(games, then, after)
    if refused is not None:
        return see_other(_address(game_id, version, moves, new))
    return see_other(_address(game_id, version, after))


async def _open(
    request: PageRequest, games: GameQueries, game_id: UUID, version: int
) -> tuple[GameSnapshot, GameSnapshot]:
    course = await games.course_of(game_id)
    now, at = course.locate(version)
    until = request.app.state["viewers_know"]
    if not request.user.may_write(game_id) and hidden_from_viewers(now, at, until):
        raise Forbidden
    return now, now.at(at)


def _address(game_id: UUID, version: int, moves: Moves, tried: Moves | None = None) -> str:
    parameters = {"moves": moves, "tried": tried}
    query = urlencode(
        {name: json.encode(some).decode() for name, some in parameters.items() if some}
    )
    return f"/games/{game_id}/at/{version}/what-if" + (f"?{query}" if query else "")


def _read_moves(text: object) -> Moves:
    try:
        return decode_strictly(str(text), Moves)[:MOVES_MAX] if text else []
    except DecodeError:
        return []


async def _judge(
    games: GameQueries, then: GameSnapshot, moves: Moves
) -> tuple[GameView, tuple[Rejected, tuple[Entry, ...]] | None]:
    game = then.loaded.history.game
    unchanged = game_view(then.id, then.version, game, (), then.players, ())
    if not moves:
        return await games.show(then), None
    entries = await games.decode(then.id, json.encode(moves))
    if isinstance(entries, Malformed):
        return unchanged, None
    view_after = await games.suppose(then, entries)
    if isinstance(view_after, RefusedBatch):
        return await games.show(then), (Rejected(refused=view_after, snapshot=then), entries)
    return view_after, None
