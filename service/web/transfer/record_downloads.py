"""Download of a game's record, as text or JSON."""

from functools import partial

from litestar import get
from litestar.response import Response

from service.access.admission import Access
from service.dependencies import Id, PageRequest, TheDescriptions, TheGames
from service.export.game.forms import disposition
from service.play.snapshots import GameSnapshot
from service.transfer.portable_records import ExportedRecord, exported_record
from service.web.format.render import HEADERS, Reader


@get("/games/{game_id:uuid}/record.carnet", opt={"access": Access.READER})
async def record_text(
    request: PageRequest, games: TheGames, descriptions: TheDescriptions, game_id: Id
) -> Response[bytes]:
    snapshot = await games.snapshot(game_id)
    place = (await descriptions.of_game(game_id)).place
    return await games.work_on(partial(_text, request, snapshot, place))


@get("/games/{game_id:uuid}/record.json", opt={"access": Access.READER})
async def record_json(
    request: PageRequest, games: TheGames, descriptions: TheDescriptions, game_id: Id
) -> Response[bytes]:
    snapshot = await games.snapshot(game_id)
    place = (await descriptions.of_game(game_id)).place
    return await games.work_on(partial(_json, request, snapshot, place))


def _text(request: PageRequest, snapshot: GameSnapshot, place: str) -> Response[bytes]:
    record = exported_record(snapshot, place)
    media_type = "text/vnd.carnet; charset=utf-8"
    return _file(request, record, record.text().encode(), media_type, "carnet")


def _json(request: PageRequest, snapshot: GameSnapshot, place: str) -> Response[bytes]:
    record = exported_record(snapshot, place)
    return _file(request, record, record.json(), "application/json", "json")


def _file(
    request: PageRequest, record: ExportedRecord, content: bytes, media_type: str, suffix: str
) -> Response[bytes]:
    reader = Reader(request)
    content_disposition = disposition(record.file_name(suffix, reader.language, reader.zone))
    headers = HEADERS | {
        "Content-Disposition": content_disposition,
        "Content-Language": reader.language,
    }
    return Response(content, media_type=media_type, headers=headers)
