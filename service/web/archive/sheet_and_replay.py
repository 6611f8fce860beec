"""Pages that only read a game: the score sheet, and the replay of any version of the log."""

from typing import Any
from uuid import UUID

from litestar import get
from litestar.response import Redirect, Response

from service.access.identity import Access
from service.dependencies import Asked, Id, Number, PageRequest, TheGames, see_other
from service.export.dialects import DIALECTS, RFC_4180
from service.export.forms import XLSX, Form, as_csv, as_pdf
from service.export.paper import PaperSize
from service.play.queries import GameQueries
from service.play.score_sheets import gather, write
from service.web.format.charts import totals
from service.web.format.render import HEADERS, Reader, names_of, version_of
from service.web.recorder.board import read_entry
from service.web.recorder.game_page import LATELY, board_of, place

# A file is no page: a viewer of PDFs builds one of its own, which the pages' policy would forbid.
FILE_HEADERS = {name: HEADERS[name] for name in HEADERS if name != "Content-Security-Policy"}


@get("/games/{game_id:uuid}/sheet", opt={"access": Access.READER})
async def sheet(request: PageRequest, games: TheGames, game_id: Id) -> Response[str]:
    """Show the score sheet; it prints as one."""
    reader = Reader(request)
    moment = await games.moment(game_id)
    view = await games.show(moment)
    names = names_of(reader, view.players)
    gathered = moment.sheet
    told = gathered.sheet
    return reader.page(
        "sheet.html",
        **place(view, request.user),
        view=view,
        names=names,
        sheet=told,
        erased=gathered.erased,
        chart=totals(told, names, reader.says),
        game=reader.game(view.ruleset),
    )


@get("/games/{game_id:uuid}/sheet.csv", opt={"access": Access.READER})
async def sheet_csv(request: PageRequest, games: TheGames, game_id: Id) -> Response[bytes]:
    """Send the score sheet as CSV, `for` a spreadsheet that reads it its own way or RFC 4180."""
    form = as_csv(DIALECTS.get(request.query_params.get("for", ""), RFC_4180))
    return await _file(request, games, game_id, form)


@get("/games/{game_id:uuid}/sheet.xlsx", opt={"access": Access.READER})
async def sheet_xlsx(request: PageRequest, games: TheGames, game_id: Id) -> Response[bytes]:
    """Send the game as a workbook."""
    return await _file(request, games, game_id, XLSX)


@get("/games/{game_id:uuid}/sheet.pdf", opt={"access": Access.READER})
async def sheet_pdf(request: PageRequest, games: TheGames, game_id: Id) -> Response[bytes]:
    """Send the score sheet laid out on `paper`: A4, or A5 where that is asked for."""
    size: PaperSize = "a5" if request.query_params.get("paper") == "a5" else "a4"
    return await _file(request, games, game_id, as_pdf(size))


async def _file(
    request: PageRequest, games: GameQueries, game_id: UUID, form: Form
) -> Response[bytes]:
    """Send a file, its words in the language of the pages."""
    reader = Reader(request)
    gathered = await gather(games, game_id)
    names = names_of(reader, gathered.players)
    file = await write(gathered, form, names, reader.language, reader.zone)
    return Response(
        file.content,
        media_type=form.media_type,
        headers=FILE_HEADERS
        | {"Content-Language": file.lang, "Content-Disposition": file.disposition},
    )


@get("/games/{game_id:uuid}/replay", opt={"access": Access.READER})
async def replay(games: TheGames, game_id: Id, version: Asked = "") -> Redirect:
    """Lead to a version: the first unless another is asked for; a number too high: the last."""
    last = await games.version(game_id)
    wanted = version_of(version)
    return see_other(f"/games/{game_id}/at/{max(1, min(1 if wanted is None else wanted, last))}")


@get("/games/{game_id:uuid}/at/{version:int}", opt={"access": Access.READER})
async def at_version(
    request: PageRequest, games: TheGames, game_id: Id, version: Number
) -> Response[Any]:
    """Show the game as it stood then; the script asks for the moment alone (`X-Part`)."""
    reader = Reader(request)
    now = await games.moment(game_id)
    then = now.at(version)
    view = await games.show(then)
    stood = then.log(effective=True)
    row = then.log(version - 1)[0]
    entry = read_entry(row)
    board = board_of(reader, view, "", lately=[read_entry(line) for line in stood[-LATELY:]])
    part = request.headers.get("x-part") == "moment"
    return reader.page(
        "moment.html" if part else "replay.html",
        **place(view, request.user),
        board=board,
        game=reader.game(view.ruleset),
        version=version,
        last=now.version,
        row=row,
        entry=entry,
        words=reader.say(entry, view.ruleset, board.names),
    )
