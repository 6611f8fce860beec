"""The score sheet as JSON, CSV, XLSX and PDF, by suffix or `Accept`."""

from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import Response, get
from msgspec import UNSET, Meta, Struct, field

from service.access.admission import Access
from service.dependencies import Answer, TheGames
from service.export.formats import xlsx
from service.export.formats.dialects import DIALECTS, RFC_4180
from service.export.game import pdf
from service.export.game.forms import XLSX, Form, as_csv, as_pdf
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, best_offer, file_type, read_query
from service.http.parameters import GameId, Paper, Spreadsheet
from service.language.texts import texts
from service.play.append import ENTRIES_MAX
from service.play.queries import GameQueries
from service.play.score_sheets import FileReader, read_sheet_data, write
from service.play.views import Sheet
from service.request_bodies import cancel_on_disconnect

ROWS_MAX = 200  # of a JSON answer
_JSON = "application/json"
_CSV = "text/csv"


class SheetCsvQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dialect of CSV."""

    for_: Spreadsheet = field(default=UNSET, name="for")


class PdfQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The paper size."""

    paper: Paper = "a4"


class SheetQuery(SheetCsvQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parameters of all formats; each ignores those of the others."""

    paper: Paper = "a4"
    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=ROWS_MAX,
            description=f"For JSON: the number of rows, 1 to {ROWS_MAX}; {ROWS_MAX} by default."
            " `Link` leads to the next ones.",
        ),
    ] = ROWS_MAX
    skip: Annotated[
        int, Meta(ge=0, le=ENTRIES_MAX, description="For JSON: how many rows to skip.")
    ] = 0


@get(
    "/games/{game_id:uuid}/sheet",
    opt={
        "access": Access.READER,
        "documented": Documented(
            answer=Sheet, query=SheetQuery, formats=(_CSV, xlsx.MEDIA_TYPE, pdf.MEDIA_TYPE)
        ),
    },
)
async def show_sheet(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return the score sheet in the format that `Accept` prefers; JSON by default, paged."""
    query = read_query(request, SheetQuery)
    forms = {
        _JSON: None,
        _CSV: _csv(query),
        xlsx.MEDIA_TYPE: XLSX,
        pdf.MEDIA_TYPE: as_pdf(query.paper),
    }
    form = forms[best_offer(request, tuple(forms))]
    if form is not None:
        return await _file(request, game_id, games, form)
    answer, more = await _json(game_id, games, slice(query.skip, query.skip + query.limit))
    if more:
        where = {**request.query_params, "skip": query.skip + query.limit}
        answer.headers["Link"] = f'<{request.scope["path"]}?{urlencode(where)}>; rel="next"'
    return answer


@get(
    "/games/{game_id:uuid}/sheet.json",
    opt={"access": Access.READER, "documented": Documented(answer=Sheet)},
)
async def show_sheet_json(game_id: GameId, games: TheGames) -> Answer:
    """Return the whole score sheet as a JSON file."""
    return (await _json(game_id, games, slice(None)))[0]


@get(
    "/games/{game_id:uuid}/sheet.csv",
    opt={"access": Access.READER, "documented": Documented(query=SheetCsvQuery, file=_CSV)},
)
async def show_sheet_csv(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return the score sheet as CSV (RFC 4180), with headings in the reader's language.

    `for` a spreadsheet with French or German settings: byte order mark, semicolons and decimal
    commas.
    """
    return await _file(request, game_id, games, _csv(read_query(request, SheetCsvQuery)))


@get(
    "/games/{game_id:uuid}/sheet.xlsx",
    opt={"access": Access.READER, "documented": Documented(file=xlsx.MEDIA_TYPE)},
)
async def show_sheet_xlsx(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return the game as a workbook: deals, standings, entries."""
    return await _file(request, game_id, games, XLSX)


@get(
    "/games/{game_id:uuid}/sheet.pdf",
    opt={
        "access": Access.READER,
        "documented": Documented(query=PdfQuery, file=pdf.MEDIA_TYPE),
    },
)
async def show_sheet_pdf(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return the score sheet for print."""
    query = read_query(request, PdfQuery)
    return await _file(request, game_id, games, as_pdf(query.paper))


def _csv(query: SheetCsvQuery) -> Form:
    return as_csv(RFC_4180 if query.for_ is UNSET else DIALECTS[query.for_])


async def _json(game_id: UUID, games: GameQueries, part: slice) -> tuple[Response[Any], bool]:
    """Encode some rows of the sheet; return also whether more follow."""
    course = await games.course_of(game_id)

    def page() -> tuple[bytes, bool]:
        more = part.stop is not None and part.stop < course.number_of_rows
        return msgspec.json.encode(course.sheet(part)), more

    content, more = await games.work_on(page)
    headers = {"ETag": f'"{course.tag}"', "Vary": "Accept"}
    return Response(content, media_type=_JSON, headers=headers), more


async def _file(
    request: HttpRequest, game_id: UUID, games: GameQueries, form: Form
) -> Response[Any]:
    gathered = await read_sheet_data(games, game_id)
    lang = texts().negotiate(request.headers.get("accept-language"))
    known = [player.name for player in gathered.players]
    names = [texts().player(seat, lang, known) for seat in range(len(known))]
    reader = FileReader(
        names=names,
        lang=lang,
        who=request.user.token_hash,
        pdf_queue=request.app.state.pdf_queue,
    )
    file = await cancel_on_disconnect(request, write(gathered, form, reader))
    return Response(
        file.content,
        media_type=file_type(request, form.media_type),
        headers={
            "ETag": f'"{file.tag}"',
            "Vary": "Accept, Accept-Language",
            "Content-Language": lang,
            "Content-Disposition": file.disposition,
        },
    )
