"""A broken deal given by its result, so that the deals after it are kept.

Promises: what is stored is the way out as it was shown, with the result that was filled in; nothing
is stored where the game has gone on meanwhile, or the result does not fit.
"""

from typing import Any

from litestar import get, post
from litestar.response import Response
from msgspec import DecodeError, json

from domain.table.ways_out import WayOut
from schemas.malformed import Malformed
from service.access.identity import Access
from service.dependencies import Asked, Id, NewId, PageRequest, TheCommands, TheGames, see_other
from service.errors import KeyReused, VersionConflict
from service.play.moments import Appended, Moment
from service.play.queries import GameQueries
from service.web.format.drafts import read_draft
from service.web.format.render import Reader, uuid_of, version_of
from service.web.recorder.corrections import PROPOSED, show_consequences
from service.web.recorder.forms import read_entries
from service.web.recorder.game_page import board_of, game_address, place


@get("/games/{game_id:uuid}/preview/keep", opt={"access": Access.WRITER})
async def keep(
    request: PageRequest, games: TheGames, new_id: NewId, game_id: Id, draft: Asked = ""
) -> Response[Any]:
    """Ask how the deal ended that a correction breaks."""
    entry = read_draft(request, PROPOSED, dict[str, Any], draft)
    moment = await games.moment(game_id)
    way = None if entry is None else await _way(games, moment, entry)
    if way is None or len(way.gaps) != 1:
        return see_other(f"/games/{game_id}/log")
    reader = Reader(request)
    view = await games.view_of(moment, way.gaps[0].game)
    return reader.page(
        "keep.html",
        **place(moment, request.user),
        board=board_of(reader, view, "result"),
        game=reader.game(moment.ruleset),
        version=moment.version,
        command=new_id(),
        entry=entry,
    )


@post("/games/{game_id:uuid}/preview/keep", opt={"access": Access.WRITER})
async def keep_with(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId, game_id: Id
) -> Response[Any]:
    """Store a correction with the result of the deal it breaks."""
    fields = list((await request.form()).multi_items())
    given = {name: value for name, value in fields if isinstance(value, str)}
    version, command = version_of(given.get("version", "")), uuid_of(given.get("command", ""))
    results = read_entries([pair for pair in fields if pair[0] != "correction"])
    try:
        entry = json.decode(given.get("correction", ""), type=dict[str, Any])
    except DecodeError:
        entry = None
    moment = await games.moment(game_id)
    way = None if entry is None else await _way(games, moment, entry)
    if entry is None or way is None or len(way.gaps) != 1 or version is None or command is None:
        return see_other(f"/games/{game_id}/log")
    raw: list[dict[str, Any]] = json.decode(json.encode(way.entries))
    gap = way.gaps[0]
    if results:
        raw[gap.entry]["moves"][gap.move] = results[0]
    entries = await games.decode(game_id, json.encode(raw))
    if results and not isinstance(entries, Malformed):
        try:
            done = await commands.append(game_id, version, command, request.user.link_id, entries)
        except (VersionConflict, KeyReused):
            return see_other(game_address(game_id))
        if isinstance(done, Appended):
            return see_other(f"/games/{game_id}/log")
    return await show_consequences(request, games, new_id, game_id, raw[gap.entry])


async def _way(games: GameQueries, moment: Moment, entry: dict[str, Any]) -> WayOut | None:
    """Find the way out of a correction that keeps the later deals."""
    decoded = await games.decode(moment.id, json.encode([entry]))
    if isinstance(decoded, Malformed):
        return None
    previewed = await games.preview(moment, decoded[0])
    return previewed.ways.keep if previewed.ways else None
