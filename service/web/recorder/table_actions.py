"""Actions besides cards: a remark, agreed points, an annulled deal, the end of the game."""

from litestar import get
from litestar.response import Response

from service.access.admission import Access
from service.dependencies import Asked, Id, NewId, PageRequest, TheGames, ThePlayers
from service.web.format.render import Reader
from service.web.people.players import known
from service.web.recorder.starting.other_seats import may_change_seats, sizes
from service.web.recorder.table.board import board_of, place, restoring_entry


@get("/games/{game_id:uuid}/more", opt={"access": Access.WRITER})
async def more(
    request: PageRequest,
    games: TheGames,
    players: ThePlayers,
    new_id: NewId,
    game_id: Id,
    wrong: Asked = "",
) -> Response[str]:
    reader = Reader(request)
    moment = await games.snapshot(game_id)
    view = await games.show(moment)
    fewer, more = (
        sizes(view) if request.user.may_start and may_change_seats(moment, view) else (False, False)
    )
    seated = {one.id for one in view.players}
    people = known([*(await players.names()).everybody()]) if more else []
    return reader.page(
        "table_actions.html",
        **place(view, request.user),
        board=board_of(reader, view, "cards"),
        game=reader.game(view.ruleset),
        bring_back=restoring_entry(moment),
        commands=[new_id() for _ in range(5)],
        leaving=[one for one in view.players if one.name] if fewer else [],
        joins=more,
        joining=[one for one in people if one.player_id not in seated],
        wrong=wrong,
    )
