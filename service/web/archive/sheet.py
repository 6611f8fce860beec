"""The score sheet of a game, as a page and as files."""

import asyncio
from datetime import UTC, date, datetime, tzinfo
from functools import partial
from typing import Any
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import Struct

from projections.score_sheet import DealRow, ScoreSheet
from service.access.admission import Access
from service.access.hosts import shared_base
from service.access.links import link_path
from service.dependencies import (
    Id,
    PageRequest,
    TheDescriptions,
    TheGames,
    TheGrants,
    see_other,
)
from service.export.formats.dialects import DIALECTS, RFC_4180
from service.export.formats.typesetter import PaperSize, printable
from service.export.game.forms import XLSX, Form, as_csv, as_pdf, file_name
from service.language.texts import texts
from service.play.course import GameCourse
from service.play.queries import GameQueries
from service.play.score_sheets import FileReader, describe_options, read_sheet_data, write
from service.play.snapshots import GameSnapshot
from service.request_bodies import cancel_on_disconnect
from service.web.access.qr_code import only_here
from service.web.archive.describing import refused_description
from service.web.format.charts import totals
from service.web.format.render import HEADERS, Reader, names_of, pages_near, version_of
from service.web.recorder.table.board import place

ROWS_MAX = 100  # of a table on one page
# Browsers render PDF files in a page of their own, which the pages' policy would forbid.
FILE_HEADERS = {name: HEADERS[name] for name in HEADERS if name != "Content-Security-Policy"}


class TablePage(Struct, frozen=True, kw_only=True):
    """A link to a page of the table, with the numbers of its rows."""

    number: int
    first: int
    last: int
    shown: bool


def sheet_page(reader: Reader, course: GameCourse) -> dict[str, Any]:
    """Return the page of a sheet that the query names by `page`, or the last one."""
    rows, names = course.number_of_rows, names_of(reader, course.players)
    last = max(1, -(-rows // ROWS_MAX))
    asked = version_of(reader.request.query_params.get("page", ""))
    number = asked if asked is not None and 1 <= asked <= last else last
    first = ROWS_MAX * (number - 1)
    sheet = course.sheet(slice(first, first + ROWS_MAX))
    return {
        "sheet": sheet.sheet,
        "columns": names,
        "erased": sheet.erased_rows,
        "chart": totals(course, names, reader.figures),
        "pages": [
            TablePage(
                number=at,
                first=ROWS_MAX * (at - 1) + 1,
                last=min(ROWS_MAX * at, rows),
                shown=at == number,
            )
            for at in pages_near(number, last)
        ],
    }


@get("/games/{game_id:uuid}/sheet", opt={"access": Access.READER})
async def sheet(
    request: PageRequest, games: TheGames, descriptions: TheDescriptions, game_id: Id
) -> Response[Any]:
    reader = Reader(request)
    snapshot = await games.newest(game_id)
    if snapshot.id != game_id:
        return see_other(f"/games/{snapshot.id}/sheet")
    course = await games.course(snapshot)
    view = await games.show(snapshot)
    names = names_of(reader, view.players)
    shown = await games.work_on(partial(sheet_page, reader, course))
    began, times = _start_time(snapshot), snapshot.loaded.times
    member = request.user.club is not None
    said, places, tags = await descriptions.of_game_and_known(game_id)
    frame = place(view, request.user)
    corrections = _corrections(course, shown["sheet"]) if frame["writes"] else {}
    page = partial(
        reader.page,
        "sheet.html",
        corrections=corrections,
        said=said,
        # Guests with a link must not see the places and tags of other games.
        places=places if member else (),
        tags=tags if member else (),
        refused=refused_description(request),
        **frame,
        view=view,
        names=names,
        **shown,
        game=reader.game(view.ruleset),
        began=began,
        times=times,
        unprintable=await asyncio.to_thread(lambda: [one for one in names if not printable(one)]),
        options=describe_options(view.ruleset, course.options, names, reader.language),
        json_name=file_name(
            _start_day(snapshot, reader.zone),
            view.title_name or texts().game(view.ruleset, reader.language),
            names,
            "json",
        ),
    )
    return await games.work_on(page)


def _corrections(course: GameCourse, sheet: ScoreSheet) -> dict[int, str]:
    """Return by number of a deal where it is corrected: its result, or else its entries."""
    found: dict[int, str] = {}
    for row in sheet.rows:
        if isinstance(row, DealRow):
            part = course.parts[-1 - row.ago]
            # The entry that ended the deal comes before the derived one.
            by_result = part.loaded.rows[row.version - 2].type == "result"
            number = row.number - part.deals_before
            page = f"correct/{row.version - 1}" if by_result else f"log?deal={number}"
            found[row.number] = f"/games/{part.id}/{page}"
    return found


def _start_time(snapshot: GameSnapshot) -> datetime:
    return snapshot.loaded.began_at or snapshot.loaded.rows[0].recorded_at


def _start_day(snapshot: GameSnapshot, zone: tzinfo | None) -> date | None:
    times = snapshot.loaded.times
    day = _start_time(snapshot).astimezone(UTC if times == "day" else zone).date()
    return None if times == "none" else day


@get("/games/{game_id:uuid}/sheet.csv", opt={"access": Access.READER})
async def sheet_csv(request: PageRequest, games: TheGames, game_id: Id) -> Response[bytes]:
    """Return the score sheet as CSV; `for` names a spreadsheet dialect, by default RFC 4180."""
    form = as_csv(DIALECTS.get(request.query_params.get("for", ""), RFC_4180))
    return await _file_response(request, games, game_id, form)


@get("/games/{game_id:uuid}/sheet.xlsx", opt={"access": Access.READER})
async def sheet_xlsx(request: PageRequest, games: TheGames, game_id: Id) -> Response[bytes]:
    return await _file_response(request, games, game_id, XLSX)


@get("/games/{game_id:uuid}/sheet.pdf", opt={"access": Access.READER})
async def sheet_pdf(
    request: PageRequest, games: TheGames, grants: TheGrants, game_id: Id
) -> Response[bytes]:
    """Return the score sheet on paper, with a QR code of the replay if phones reach it.

    The code leads to the public link, if there is one.
    """
    size: PaperSize = "a5" if request.query_params.get("paper") == "a5" else "a4"
    replay = ""
    if not only_here(request):
        public = (one for one in await grants.links(game_id) if one.role == "public" and one.opens)
        link = next(public, None)
        path = link_path(link, link.secret) if link and link.secret else f"/games/{game_id}/replay"
        replay = f"{shared_base(request)}{path}"
    return await _file_response(request, games, game_id, as_pdf(size), replay)


async def _file_response(
    request: PageRequest, games: GameQueries, game_id: UUID, form: Form, replay: str = ""
) -> Response[bytes]:
    reader = Reader(request)
    gathered = await read_sheet_data(games, game_id)
    file_reader = FileReader(
        names=names_of(reader, gathered.players),
        lang=reader.language,
        who=request.user.token_hash,
        pdf_queue=request.app.state.pdf_queue,
        zone=reader.zone,
        replay=replay,
    )
    file = await cancel_on_disconnect(request, write(gathered, form, file_reader))
    return Response(
        file.content,
        media_type=form.media_type,
        headers=FILE_HEADERS
        | {"Content-Language": file.lang, "Content-Disposition": file.disposition},
    )
