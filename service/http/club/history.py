"""The history: pages of it as JSON, and all of it as a file."""

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
    given,
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
_SCHEMA = f"/schema/{shapes.SCHEMA_NAME}"


class ExportQuery(FilterQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which games; all of them unless `limit` says how many, from `cursor` on.

    Standings count every game that fits, wherever the list of games begins and ends.
    """

    cursor: Cursor = UNSET
    limit: Annotated[
        Annotated[int, Meta(ge=1)] | UnsetType,
        Meta(description="How many games at most. Left out: all of them."),
    ] = UNSET


class HistoryCsvQuery(ExportQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a line of CSV tells, and how it is written."""

    view: Annotated[
        ViewName,
        Meta(
            description="Of CSV alone: what a line tells. A game and player (`games`, unless"
            " given), a deal and player (`deals`), an entry (`entries`), or a place in the"
            " `standings`."
        ),
    ] = "games"
    for_: Spreadsheet = field(default=UNSET, name="for")


class HistoryQuery(HistoryCsvQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which games, and how many of them."""

    limit: Annotated[
        Annotated[int, Meta(ge=1)] | UnsetType,
        Meta(
            description="How many games at most. Of JSON, a page: 1 to 200, 50 unless given; of a"
            " file all of them, unless given."
        ),
    ] = UNSET


class PageQuery(HistoryQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What JSON is told: no more than 200 games a page."""

    limit: Annotated[int, Meta(ge=1, le=200)] | UnsetType = UNSET


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
    """List past games, newest start first, with their deals; JSON comes page by page.

    Where `Accept` asks for another format, the answer is the whole history as a file.
    """
    query = read_query(request, HistoryQuery)
    forms = {_JSON: None, _CSV: _csv(query), xlsx.MEDIA_TYPE: XLSX, pdf.MEDIA_TYPE: PDF}
    form = forms[best_offer(request, tuple(forms))]
    if form is not None:
        return await _file(request, query, form, exports, seasons, now())
    query = read_query(request, PageQuery)
    page = await history.page(
        await filter_of(query, seasons),
        _after(query),
        _GAMES_AT_ONCE if query.limit is UNSET else query.limit,
    )
    return Response(msgspec.json.encode(page), media_type=_JSON, headers={"Vary": "Accept"})


@get(
    "/history.json",
    opt={"access": Access.MEMBER, "documented": Documented(query=ExportQuery, answer=HistoryFile)},
)
async def export_history_json(
    request: HttpRequest, exports: TheExports, seasons: TheSeasons, now: Now
) -> Answer:
    """Send the whole history as JSON (`/schema/history-1.json`)."""
    return await _file(request, read_query(request, ExportQuery), JSON, exports, seasons, now())


@get(
    "/history.csv",
    opt={"access": Access.MEMBER, "documented": Documented(query=HistoryCsvQuery, file=_CSV)},
)
async def export_history_csv(
    request: HttpRequest, exports: TheExports, seasons: TheSeasons, now: Now
) -> Answer:
    """Send the whole history as CSV (RFC 4180), headings in the reader's language.

    `view`: a line a game and player, a deal and player, an entry, or the standings. `for` a
    spreadsheet set up in France or Germany: with a byte order mark, semicolons, decimal commas,
    and times in UTC. New columns come last: those there are keep their positions.
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
    """Send the whole history as a workbook, times in UTC: games, deals, standings, entries."""
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
    """Send the history on paper, for at most 1,000 games: the standings, and the games' totals."""
    return await _file(request, read_query(request, ExportQuery), PDF, exports, seasons, now())


@get(
    f"/{shapes.SCHEMA_NAME}",
    opt={
        "exclude_from_compression": True,
        "documented": Documented(file="application/schema+json"),
    },
)
async def show_history_schema() -> Response[bytes]:
    """Describe `/api/history.json` as JSON Schema (2020-12)."""
    return Response(shapes.published(), media_type="application/schema+json")


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
    export = export_of(form, told, which, _after(query), given(query.limit))
    sending = await exports.sent(export)
    length = {} if sending.length is None else {"Content-Length": str(sending.length)}
    return Stream(
        sending.content,
        media_type=file_type(request, form.media_type),
        headers=length
        | {
            "Vary": "Accept, Accept-Language",
            "Content-Language": lang,
            "Content-Disposition": form.disposition,
        },
    )
