"""A game to take away: its record as text or as JSON, for whoever may read it."""

from uuid import UUID

from litestar import get
from litestar.response import Response

from service.access.identity import Access
from service.dependencies import Id, TheRecords
from service.web.format.render import HEADERS


@get("/games/{game_id:uuid}/record.carnet", opt={"access": Access.READER})
async def record_text(records: TheRecords, game_id: Id) -> Response[bytes]:
    """Send the record as text."""
    text = (await records.give(game_id)).text()
    return _file(text.encode(), "text/vnd.carnet; charset=utf-8", game_id, "carnet")


@get("/games/{game_id:uuid}/record.json", opt={"access": Access.READER})
async def record_json(records: TheRecords, game_id: Id) -> Response[bytes]:
    """Send the record as JSON."""
    return _file((await records.give(game_id)).json(), "application/json", game_id, "json")


def _file(content: bytes, media_type: str, game_id: UUID, suffix: str) -> Response[bytes]:
    name = f'attachment; filename="carnet-{game_id}.{suffix}"'
    return Response(content, media_type=media_type, headers=HEADERS | {"Content-Disposition": name})
