"""Pages that only read a game: the score sheet, and the replay of any version of the log."""

from typing import Any

from litestar import get
from litestar.response import Redirect, Response

from service.errors import NotFound
from service.export import csv
from service.identity import Access
from service.texts import texts
from service.web.asking import Asked, Id, Number, PageRequest, TheGames, see_other
from service.web.board import read_entry
from service.web.render import HEADERS, Reader, names_of
from service.web.table import LATELY, board_of, place


@get("/games/{game_id:uuid}/sheet", opt={"access": Access.READER})
async def sheet(request: PageRequest, games: TheGames, game_id: Id) -> Response[str]:
    """Show the score sheet; it prints as one."""
    reader = Reader(request)
    view = await games.view(game_id)
    return reader.page(
        "sheet.html",
        **place(view, request.user),
        view=view,
        names=names_of(reader, view.players),
        sheet=(await games.sheet(game_id)).sheet,
        game=reader.game(view.ruleset),
    )


@get("/games/{game_id:uuid}/sheet.csv", opt={"access": Access.READER})
async def sheet_csv(request: PageRequest, games: TheGames, game_id: Id) -> Response[bytes]:
    """Send the score sheet as CSV, headings in the language of the pages."""
    reader = Reader(request)
    view = await games.view(game_id)
    written = csv.sheet_csv(
        (await games.sheet(game_id)).sheet, names_of(reader, view.players), reader.language, texts()
    )
    name = f'attachment; filename="carnet-{game_id}.csv"'
    return Response(
        written.encode(),
        media_type=csv.MEDIA_TYPE,
        headers=HEADERS | {"Content-Disposition": name},
    )


@get("/games/{game_id:uuid}/replay", opt={"access": Access.READER})
async def replay(games: TheGames, game_id: Id, version: Asked = "") -> Redirect:
    """Lead to a version: the first unless another is asked for; a number too high: the last."""
    last = (await games.view(game_id)).version
    wanted = int(version) if version.isdecimal() and version.isascii() else 1
    return see_other(f"/games/{game_id}/at/{max(1, min(wanted, last))}")


@get("/games/{game_id:uuid}/at/{version:int}", opt={"access": Access.READER})
async def at_version(
    request: PageRequest, games: TheGames, game_id: Id, version: Number
) -> Response[Any]:
    """Show the game as it stood then; the script asks for the moment alone (`X-Part`)."""
    reader = Reader(request)
    log = await games.log(game_id)
    if not 1 <= version <= len(log):
        raise NotFound("version", None)
    view = await games.view_at(game_id, version)
    stood = await games.log(game_id, effective=True, until=version)
    board = board_of(reader, view, "", lately=[read_entry(line) for line in stood[-LATELY:]])
    part = request.headers.get("x-part") == "moment"
    return reader.page(
        "moment.html" if part else "replay.html",
        **place(view, request.user),
        board=board,
        game=reader.game(view.ruleset),
        version=version,
        last=len(log),
        row=log[version - 1],
        entry=read_entry(log[version - 1]),
        words=reader.say(read_entry(log[version - 1]), view.ruleset, board.names),
    )
