"""A game to take away: its record as text or as JSON, for whoever may read it."""

from litestar import get
from litestar.response import Response

from service.access.admission import Access
from service.dependencies import Id, PageRequest, TheRecords
from service.export.game.filenames import disposition
from service.transfer.portable_records import GivenRecord
from service.web.format.render import HEADERS, Reader


@get("/games/{game_id:uuid}/record.carnet", opt={"access": Access.READER})
async def record_text(request: PageRequest, records: TheRecords, game_id: Id) -> Response[bytes]:
    """Send the record as text."""
    given = await records.give(game_id)
    return _file(request, given, given.text().encode(), "text/vnd.carnet; charset=utf-8", "carnet")


@get("/games/{game_id:uuid}/record.json", opt={"access": Access.READER})
async def record_json(request: PageRequest, records: TheRecords, game_id: Id) -> Response[bytes]:
    """Send the record as JSON."""
    given = await records.give(game_id)
    return _file(request, given, given.json(), "application/json", "json")


def _file(
    request: PageRequest, given: GivenRecord, content: bytes, media_type: str, suffix: str
) -> Response[bytes]:
    reader = Reader(request)
    kept = disposition(given.file_name(suffix, reader.language, reader.zone))
    headers = HEADERS | {"Content-Disposition": kept, "Content-Language": reader.language}
    return Response(content, media_type=media_type, headers=headers)
