"""The score sheet, as JSON and as CSV: by suffix, or by `Accept`."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get

from service.export import csv
from service.games import Games, Sheet
from service.http.asked import Answer, Id, TheGames
from service.http.documentation import Documented
from service.http.inputs import HttpRequest
from service.identity import Access
from service.texts import texts

_JSON = "application/json"


@get(
    "/games/{game_id:uuid}/sheet",
    opt={
        "access": Access.READER,
        "documented": Documented(answer=Sheet, formats=("text/csv",)),
    },
)
async def show_sheet(request: HttpRequest, game_id: Id, games: TheGames) -> Answer:
    """Show the score sheet, in the format that `Accept` asks for."""
    if "text/csv" in request.headers.get("accept", ""):
        return await _csv(request, game_id, games)
    return await _json(game_id, games)


@get(
    "/games/{game_id:uuid}/sheet.json",
    opt={"access": Access.READER, "documented": Documented(answer=Sheet)},
)
async def show_sheet_json(game_id: Id, games: TheGames) -> Answer:
    """Show the score sheet as JSON."""
    return await _json(game_id, games)


@get("/games/{game_id:uuid}/sheet.csv", opt={"access": Access.READER})
async def show_sheet_csv(request: HttpRequest, game_id: Id, games: TheGames) -> Answer:
    """Show the score sheet as CSV (RFC 4180), with headings in the reader's language."""
    return await _csv(request, game_id, games)


async def _json(game_id: UUID, games: Games) -> Response[Any]:
    sheet = await games.sheet(game_id)
    return Response(
        msgspec.json.encode(sheet),
        media_type=_JSON,
        headers={"ETag": f'"{sheet.version}"', "Vary": "Accept"},
    )


async def _csv(request: HttpRequest, game_id: UUID, games: Games) -> Response[Any]:
    sheet = await games.sheet(game_id)
    lang = texts().negotiate(request.headers.get("accept-language"))
    names = [player.name for player in sheet.players]
    return Response(
        csv.sheet_csv(sheet.sheet, names, lang, texts()).encode(),
        media_type=csv.MEDIA_TYPE,
        headers={
            "ETag": f'"{sheet.version}"',
            "Vary": "Accept, Accept-Language",
            "Content-Language": lang,
            "Content-Disposition": f'attachment; filename="carnet-{game_id}.csv"',
        },
    )
