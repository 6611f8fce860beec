"""A deal that a correction breaks is recorded by its result, which keeps the later deals."""

from collections.abc import Sequence
from typing import Any

from litestar import get, post
from litestar.response import Response
from msgspec import DecodeError, Struct, json

from domain.table.correction_repairs import Repair
from schemas.strict_json import Malformed, decode_strictly
from service.access.admission import Access
from service.dependencies import Asked, Id, NewId, PageRequest, TheCommands, TheGames, see_other
from service.errors import KeyReused, VersionConflict
from service.play.queries import GameQueries
from service.play.snapshots import Appended, GameSnapshot
from service.web.format.form_flash import read_flash
from service.web.format.render import Reader, uuid_of, version_of
from service.web.recorder.correcting.corrections import PROPOSED, show_consequences
from service.web.recorder.form_refill import refill
from service.web.recorder.forms import read_completed
from service.web.recorder.table.board import board_of, game_address, place
from service.web.recorder.table.entry_data import to_plain

OK, REFUSED = 200, 422


@get("/games/{game_id:uuid}/preview/keep", opt={"access": Access.WRITER})
async def keep(
    request: PageRequest, games: TheGames, new_id: NewId, game_id: Id, draft: Asked = ""
) -> Response[Any]:
    entry = read_flash(request, PROPOSED, dict[str, Any], draft)
    moment = await games.snapshot(game_id)
    way = None if entry is None else await _way(games, moment, entry)
    if entry is None or way is None or len(way.gaps) != 1:
        return see_other(f"/games/{game_id}/log")
    return await _Question(request, games, new_id, moment, way, entry).page()


@post("/games/{game_id:uuid}/preview/keep", opt={"access": Access.WRITER})
async def keep_with(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId, game_id: Id
) -> Response[Any]:
    fields = list((await request.form()).multi_items())
    given = {name: value for name, value in fields if isinstance(value, str)}
    version, command = version_of(given.get("version", "")), uuid_of(given.get("command", ""))
    said = read_completed([pair for pair in fields if pair[0] != "correction"])
    try:
        entry = decode_strictly(given.get("correction", ""), dict[str, Any])
    except DecodeError:
        entry = None
    moment = await games.snapshot(game_id)
    way = None if entry is None else await _way(games, moment, entry)
    if entry is None or way is None or len(way.gaps) != 1 or version is None or command is None:
        return see_other(f"/games/{game_id}/log")
    raw: list[dict[str, Any]] = to_plain(way.entries)
    gap = way.gaps[0]
    if said.entries:
        raw[gap.entry]["moves"][gap.move] = said.entries[0]
    entries = await games.decode(game_id, json.encode(raw))
    if not said.entries or said.lacks or isinstance(entries, Malformed):
        question = _Question(request, games, new_id, moment, way, entry)
        return await question.again(fields, said.lacks)
    try:
        done = await commands.append(
            game_id, version, command, request.user.recorded_as(game_id), entries
        )
    except (VersionConflict, KeyReused):
        return see_other(game_address(game_id))
    if isinstance(done, Appended):
        return see_other(f"/games/{game_id}/log")
    return await show_consequences(request, games, new_id, game_id, raw[gap.entry])


class _Question(Struct, frozen=True):
    request: PageRequest
    games: GameQueries
    new_id: NewId
    moment: GameSnapshot
    way: Repair
    entry: dict[str, Any]

    async def again(self, fields: Sequence[tuple[str, Any]], lacks: Sequence[Any]) -> Response[str]:
        page = await self.page(REFUSED, lacks, told="" if lacks else "unread")
        page.content = refill(page.content, fields)
        return page

    async def page(
        self, status: int = OK, lacks: Sequence[Any] = (), *, told: str = ""
    ) -> Response[str]:
        reader, moment = Reader(self.request), self.moment
        view = await self.games.view_of(moment, self.way.gaps[0].game)
        return reader.page(
            "deal_by_result.html",
            status,
            **place(moment, self.request.user),
            board=board_of(reader, view, "result"),
            game=reader.game(moment.ruleset),
            version=moment.version,
            command=self.new_id(),
            entry=self.entry,
            lacks=lacks,
            told=told,
        )


async def _way(games: GameQueries, moment: GameSnapshot, entry: dict[str, Any]) -> Repair | None:
    decoded = await games.decode(moment.id, json.encode([entry]))
    if isinstance(decoded, Malformed):
        return None
    previewed = await games.preview(moment, decoded[0])
    return previewed.ways.keep if previewed.ways else None
