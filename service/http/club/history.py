"""The history: pages as JSON, or all of it as a file."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.response import Stream
from msgspec import UNSET, Meta, UnsetType, field

from schemas import history as shapes
from schemas.history import HistoryFile, HistoryPage
from service.access.admission import Access
from service.club.exports import ExportMoment, Exports, export_of
from service.club.game_filters import FilterQuery
from service.dependencies import Answer, Now, TheExports, TheHistory, TheSeasons
from service.export.formats import xlsx
from service.export.formats.dialects import DIALECTS, RFC_4180
from service.export.game import pdf
from service.export.history.forms import JSON, PDF, XLSX, HistoryForm, as_csv
from service.export.history.rows import ViewName, Writing
from service.http.club.seasons import filter_of
from service.http.documentation.openapi import Documented
from service.http.inputs import (
    HttpRequest,
    best_offer,
    file_type,
    or_none,
    read_query,
)
from service.http.parameters import Cursor, Spreadsheet
from service.language.texts import texts
from service.store.club.seasons import Seasons
from service.store.read_models.listing import GameCursor

_JSON = "application/json"
_CSV = "text/csv"
_FORMATS = (_CSV, xlsx.MEDIA_TYPE, pdf.MEDIA_TYPE)
_GAMES_AT_ONCE = 50
_GAMES_A_PAGE_MAX = 200
_SCHEMA = f"/schema/{shapes.SCHEMA_NAME}"


class ExportQuery(FilterQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter of games; all of them, or `limit` games from `cursor` on.

    Standings always count every game that fits the filter.
    """

    cursor: Cursor = UNSET
    limit: Annotated[
        Annotated[int, Meta(ge=1)] | UnsetType,
        Meta(description="The maximum number of games; all by default."),
    ] = UNSET


class HistoryCsvQuery(ExportQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """View and dialect of a CSV export."""

    view: Annotated[
        ViewName,
        Meta(
            description="For CSV: a line per game and player (`games`, the default), per deal and"
            " player (`deals`), per entry (`entries`), or per rank of the `standings`."
        ),
    ] = "games"
    for_: Spreadsheet = field(default=UNSET, name="for")


class HistoryQuery(HistoryCsvQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter and number of games."""

    limit: Annotated[
        Annotated[int, Meta(ge=1)] | UnsetType,
        Meta(
            description="The maximum number of games. For JSON, the page size, at most 200, by"
            " default 50; for a file, by default all."
        ),
    ] = UNSET


@get(
    "/history",
    opt={
        "access": Access.MEMBER,
        "documented": Documented(query=HistoryQuery, answer=HistoryPage, formats=_FORMATS),
    },
)
async def show_history(
    request: HttpRequest, history: TheHistory, exports: TheExports, seasons: TheSeasons, now: Now
) -> Answer:
    """List past games with their deals, latest start first, a page at a time.

    If `Accept` prefers another format, the response is the whole history as a file.
    """
    query = read_query(request, HistoryQuery)
    forms = {_JSON: None, _CSV: _csv(query), xlsx.MEDIA_TYPE: XLSX, pdf.MEDIA_TYPE: PDF}
    form = forms[best_offer(request, tuple(forms))]
    if form is not None:
        return await _file(request, query, form, exports, seasons, now())
    page = await history.page(
        await filter_of(query, seasons),
        _after(query),
        _GAMES_AT_ONCE if query.limit is UNSET else min(query.limit, _GAMES_A_PAGE_MAX),
    )
    return Response(msgspec.json.encode(page), media_type=_JSON, headers={"Vary": "Accept"})


@get(
    "/history.json",
    opt={"access": Access.MEMBER, "documented": Documented(query=ExportQuery, answer=HistoryFile)},
)
async def export_history_json(
    request: HttpRequest, exports: TheExports, seasons: TheSeasons, now: Now
) -> Answer:
    """Export the whole history as JSON (schema: `/schema/history-1.json`)."""
    return await _file(request, read_query(request, ExportQuery), JSON, exports, seasons, now())


@get(
    "/history.csv",
    opt={"access": Access.MEMBER, "documented": Documented(query=HistoryCsvQuery, file=_CSV)},
)
async def export_history_csv(
    request: HttpRequest, exports: TheExports, seasons: TheSeasons, now: Now
) -> Answer:
    """Export the whole history as CSV (RFC 4180), with headings in the reader's language.

    `view`: a line per game and player, per deal and player, per entry, or the standings. `for` a
    spreadsheet with French or German settings: byte order mark, semicolons, decimal commas, times
    in UTC. New columns are added at the end, so that positions stay the same.
    """
    query = read_query(request, HistoryCsvQuery)
    return await _file(request, query, _csv(query), exports, seasons, now())


@get(
    "/history.xlsx",
    opt={
        "access": Access.MEMBER,
        "documented": Documented(query=ExportQuery, file=xlsx.MEDIA_TYPE),
        "exclude_from_compression": True,
    },
)
async def export_history_xlsx(
    request: HttpRequest, exports: TheExports, seasons: TheSeasons, now: Now
) -> Answer:
    """Export the whole history as a workbook, times in UTC.

    Its worksheets: games, deals, standings, people, pairs, figures, ratings, entries.
    """
    return await _file(request, read_query(request, ExportQuery), XLSX, exports, seasons, now())


@get(
    "/history.pdf",
    opt={
        "access": Access.MEMBER,
        "documented": Documented(query=ExportQuery, file=pdf.MEDIA_TYPE),
        "exclude_from_compression": True,
    },
)
async def export_history_pdf(
    request: HttpRequest, exports: TheExports, seasons: TheSeasons, now: Now
) -> Answer:
    """Export up to 1,000 games for print: the standings and the totals of each game."""
    return await _file(request, read_query(request, ExportQuery), PDF, exports, seasons, now())


@get(
    f"/{shapes.SCHEMA_NAME}",
    opt={
        "exclude_from_compression": True,
        "documented": Documented(file="application/schema+json"),
    },
)
async def show_history_schema() -> Response[bytes]:
    """Return the JSON Schema (2020-12) of `/api/history.json`."""
    return Response(shapes.published_bytes(), media_type="application/schema+json")


def _csv(query: HistoryCsvQuery) -> HistoryForm:
    return as_csv(query.view, RFC_4180 if query.for_ is UNSET else DIALECTS[query.for_])


def _after(query: ExportQuery) -> GameCursor | None:
    return None if query.cursor is UNSET else GameCursor.parse(query.cursor)


async def _file(
    request: HttpRequest,
    query: ExportQuery,
    form: HistoryForm,
    exports: Exports,
    seasons: Seasons,
    now: datetime,
) -> Stream:
    lang = texts().negotiate(request.headers.get("accept-language"))
    which = await filter_of(query, seasons)
    told = await exports.context(
        which,
        Writing(lang=lang, texts=texts()),
        ExportMoment(now=now, zone=UTC),
        f"{str(request.base_url).rstrip('/')}{_SCHEMA}",
    )
    export = export_of(form, told, which, _after(query), or_none(query.limit))
    sending = await exports.body(export)
    length = {} if sending.length is None else {"Content-Length": str(sending.length)}
    return Stream(
        sending.content,
        media_type=file_type(request, form.media_type),
        headers=length
        | {
            "Vary": "Accept, Accept-Language",
            "Content-Language": lang,
            "Content-Disposition": form.disposition(told),
        },
    )
