"""Actions besides cards: a remark, agreed points, an annulled deal, the end of the game."""

from litestar import get
from litestar.response import Response

from service.access.admission import Access
from service.dependencies import Id, NewId, PageRequest, TheGames
from service.web.format.render import Reader
from service.web.recorder.table.board import board_of, place, restoring_entry


@get("/games/{game_id:uuid}/more", opt={"access": Access.WRITER})
async def more(request: PageRequest, games: TheGames, new_id: NewId, game_id: Id) -> Response[str]:
    reader = Reader(request)
    moment = await games.snapshot(game_id)
    view = await games.show(moment)
    return reader.page(
        "table_actions.html",
        **place(view, request.user),
        board=board_of(reader, view, "cards"),
        game=reader.game(view.ruleset),
        bring_back=restoring_entry(moment),
        commands=[new_id() for _ in range(5)],
    )
