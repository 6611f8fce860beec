"""Actions besides cards: a remark, agreed points, an annulled deal, the end of the game."""

from litestar import get
from litestar.response import Response

from service.access.admission import Access
from service.dependencies import Asked, Id, NewId, PageRequest, TheGames
from service.web.format.render import Reader
from service.web.recorder.starting.going_on import may_go_on
from service.web.recorder.table.board import board_of, place, restoring_entry


@get("/games/{game_id:uuid}/more", opt={"access": Access.WRITER})
async def more(
    request: PageRequest,
    games: TheGames,
    new_id: NewId,
    game_id: Id,
    won: Asked = "",
) -> Response[str]:
    """Show the actions; `won`: only the question who won, where the rules ask it."""
    reader = Reader(request)
    moment = await games.snapshot(game_id)
    view = await games.show(moment)
    board = board_of(reader, view, "cards")
    names_winners = any("winners" in choice.fields for choice in board.ways("finish"))
    return reader.page(
        "table_actions.html",
        **place(view, request.user),
        board=board,
        game=reader.game(view.ruleset),
        bring_back=restoring_entry(moment),
        commands=[new_id() for _ in range(5)],
        changes=request.user.may_start and may_go_on(moment, view) and board.changeable,
        asks_winner=bool(won) and view.status == "open" and names_winners,
        gone_on=view.continued_by is not None,
    )
