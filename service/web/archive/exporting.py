"""Export of the history: as a direct download, or with progress events for the script."""

from typing import Any, cast, get_args

from litestar import get
from litestar.response import Response, Stream

from schemas.history import SCHEMA_NAME
from service.access.admission import Access
from service.club.exports import (
    ExportMoment,
    Exports,
    ResponseBody,
    export_of,
)
from service.dependencies import Now, PageRequest, TheExports, Word, see_other
from service.errors import TooManyGames
from service.export.formats.dialects import DIALECTS, RFC_4180
from service.export.history.forms import JSON, PDF, XLSX, HistoryForm, as_csv
from service.export.history.rows import ViewName, Writing
from service.language.texts import texts
from service.web.archive.sheet import FILE_HEADERS
from service.web.format.game_filters import merge_parameters, parse_filter
from service.web.format.progress import EVENTS, Advance, answer_long_work
from service.web.format.render import Reader

# Compression would delay events and lose a file's Content-Length.
_UNCOMPRESSED = {"access": Access.MEMBER, "exclude_from_compression": True}


@get("/history.csv", opt=_UNCOMPRESSED)
async def history_csv(request: PageRequest, exports: TheExports, now: Now) -> Response[Any]:
    """Return one `view` as CSV; `for` names a spreadsheet dialect, by default RFC 4180."""
    view = request.query_params.get("view", "")
    dialect = DIALECTS.get(request.query_params.get("for", ""), RFC_4180)
    view_name = cast("ViewName", view) if view in get_args(ViewName) else "games"
    return await _answer(request, exports, as_csv(view_name, dialect), _moment(request, now))


@get("/history.json", opt=_UNCOMPRESSED)
async def history_json(request: PageRequest, exports: TheExports, now: Now) -> Response[Any]:
    return await _answer(request, exports, JSON, _moment(request, now))


@get("/history.xlsx", opt=_UNCOMPRESSED)
async def history_xlsx(request: PageRequest, exports: TheExports, now: Now) -> Response[Any]:
    return await _answer(request, exports, XLSX, _moment(request, now))


@get("/history.pdf", opt=_UNCOMPRESSED)
async def history_pdf(request: PageRequest, exports: TheExports, now: Now) -> Response[Any]:
    return await _answer(request, exports, PDF, _moment(request, now))


@get("/exports/{name:str}", opt=_UNCOMPRESSED)
async def export_file(exports: TheExports, name: Word) -> Stream:
    file, sending = exports.open_temporary(name)
    return _file(sending, file.media_type, {"Content-Disposition": file.disposition})


def _moment(request: PageRequest, now: Now) -> ExportMoment:
    return ExportMoment(now=now(), zone=Reader(request).zone)


async def _answer(
    request: PageRequest, exports: Exports, form: HistoryForm, moment: ExportMoment
) -> Response[Any]:
    reader = Reader(request)
    filtering = parse_filter(merge_parameters(request.query_params.multi_items()), reader.zone)
    if filtering.wrong:
        return see_other(f"/history?{request.url.query}")
    words = Writing(lang=reader.language, texts=texts())
    schema = f"{str(request.base_url).rstrip('/')}/schema/{SCHEMA_NAME}"
    content = await exports.context(filtering.which, words, moment, schema)
    export = export_of(form, content, filtering.which, filtering.after)
    try:
        if EVENTS in request.headers.get("accept", ""):
            await exports.check(export)

            async def write(advance: Advance) -> str:
                return f"/exports/{await exports.write_temporary(export, advance)}"

            return await answer_long_work(request, write)
        sending = await exports.body(export)
    except TooManyGames:
        return see_other(f"/history?{request.url.query}")
    disposition = {"Content-Disposition": form.disposition(content)}
    return _file(sending, form.media_type, disposition | {"Content-Language": reader.language})


def _file(sending: ResponseBody, media_type: str, headers: dict[str, str]) -> Stream:
    length = {} if sending.length is None else {"Content-Length": str(sending.length)}
    return Stream(
        sending.content, media_type=media_type, headers={**FILE_HEADERS, **headers, **length}
    )
