"""Taking the history out of the pages: as a file at once, or with word of how far it is."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast, get_args

import msgspec
import structlog
from litestar import get
from litestar.datastructures import State
from litestar.response import Response, Stream

from schemas.history import SCHEMA_NAME
from service.access.admission import Access
from service.club.exports import Export, ExportMoment, ExportProgress, Exports, Sending, export_of
from service.dependencies import Now, PageRequest, TheExports, Word, see_other
from service.errors import StoreUnavailable, TooManyGames
from service.export.formats.dialects import DIALECTS, RFC_4180
from service.export.history.forms import JSON, PDF, XLSX, HistoryForm, as_csv
from service.export.history.rows import ViewName, Writing
from service.language.texts import texts
from service.web.archive.sheet import FILE_HEADERS
from service.web.format.game_filters import merge_parameters, read_filtering
from service.web.format.render import Reader

_EVENTS = "text/event-stream"
# Events must arrive at once, and a file is sent with its length: nothing is compressed.
_AS_IT_IS = {"access": Access.MEMBER, "exclude_from_compression": True}

log = structlog.get_logger(__name__)


@get("/history.csv", opt=_AS_IT_IS)
async def history_csv(
    request: PageRequest, state: State, exports: TheExports, now: Now
) -> Response[Any]:
    """Send one `view` as CSV, `for` a spreadsheet that reads it its own way or RFC 4180."""
    view = request.query_params.get("view", "")
    dialect = DIALECTS.get(request.query_params.get("for", ""), RFC_4180)
    known = cast("ViewName", view) if view in get_args(ViewName) else "games"
    return await _answer(request, state, exports, as_csv(known, dialect), _moment(request, now))


@get("/history.json", opt=_AS_IT_IS)
async def history_json(
    request: PageRequest, state: State, exports: TheExports, now: Now
) -> Response[Any]:
    """Send the history as JSON."""
    return await _answer(request, state, exports, JSON, _moment(request, now))


@get("/history.xlsx", opt=_AS_IT_IS)
async def history_xlsx(
    request: PageRequest, state: State, exports: TheExports, now: Now
) -> Response[Any]:
    """Send the history as a workbook."""
    return await _answer(request, state, exports, XLSX, _moment(request, now))


@get("/history.pdf", opt=_AS_IT_IS)
async def history_pdf(
    request: PageRequest, state: State, exports: TheExports, now: Now
) -> Response[Any]:
    """Send the history on paper."""
    return await _answer(request, state, exports, PDF, _moment(request, now))


@get("/exports/{name:str}", opt=_AS_IT_IS)
async def kept_file(exports: TheExports, name: Word) -> Stream:
    """Send a file that was made before.

    Raises: NotFound
    """
    file, sending = exports.fetched(name)
    return _file(sending, file.media_type, {"Content-Disposition": file.disposition})


def _moment(request: PageRequest, now: Now) -> ExportMoment:
    return ExportMoment(now=now(), zone=Reader(request).zone)


async def _answer(
    request: PageRequest, state: State, exports: Exports, form: HistoryForm, moment: ExportMoment
) -> Response[Any]:
    reader = Reader(request)
    filtering = read_filtering(merge_parameters(request.query_params.multi_items()), reader.zone)
    if filtering.wrong:
        return see_other(f"/history?{request.url.query}")
    words = Writing(lang=reader.language, texts=texts())
    schema = f"{str(request.base_url).rstrip('/')}/schema/{SCHEMA_NAME}"
    told = await exports.context(filtering.which, words, moment, schema)
    export = export_of(form, told, filtering.which, filtering.after)
    try:
        if _EVENTS in request.headers.get("accept", ""):
            await exports.check(export)
            stopping: asyncio.Event = state["stopping"]
            return _events(exports, export, stopping)
        sending = await exports.sent(export)
    except TooManyGames:
        return see_other(f"/history?{request.url.query}")
    disposition = {"Content-Disposition": form.disposition}
    return _file(sending, form.media_type, disposition | {"Content-Language": reader.language})


def _file(sending: Sending, media_type: str, headers: dict[str, str]) -> Stream:
    length = {} if sending.length is None else {"Content-Length": str(sending.length)}
    return Stream(
        sending.content, media_type=media_type, headers={**FILE_HEADERS, **headers, **length}
    )


def _events(exports: Exports, export: Export, stopping: asyncio.Event) -> Stream:
    return Stream(
        _told(exports, export, stopping),
        media_type=_EVENTS,
        headers={"Cache-Control": "no-store"},
    )


async def _told(exports: Exports, export: Export, stopping: asyncio.Event) -> AsyncGenerator[bytes]:
    """Yield how far the file is, then where it is; `failed` where there will be none."""
    try:
        async with aclosing(exports.kept(export)) as making:
            async for made in making:
                if stopping.is_set():
                    return
                if isinstance(made, ExportProgress):
                    yield _event("progress", made)
                else:
                    yield _event("ready", {"address": f"/exports/{made}"})
    except (StoreUnavailable, OSError) as error:
        log.warning("export.failed", reason=str(error))
        yield _event("failed", {})


def _event(name: str, data: object) -> bytes:
    # JSON holds no line break, so that one `data:` line holds it.
    return b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))
