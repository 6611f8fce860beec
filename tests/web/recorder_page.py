"""The recorder's page as the server renders it without JavaScript."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from litestar import Request
from litestar.testing import RequestFactory

from service.play.views import GameView
from service.web.format.render import Reader
from service.web.recorder.table.board import Board


@cache
def _request(language: str) -> Request[Any, Any, Any]:
    return RequestFactory().get("/", headers={"accept-language": language})


def reader(language: str = "en") -> Reader:
    return Reader(_request(language))


def recorder_page(
    view: GameView,
    actor: int | None,
    by: str = "cards",
    *,
    language: str = "en",
    lately: Sequence[Mapping[str, Any]] = (),
    out: bool = False,
) -> str:
    """Render the form of a moment. `actor`: whose entries it makes; `out`: out of turn."""
    looks = reader(language)
    names = [player.name or "" for player in view.players]
    board = Board(view=view, names=names, actor=actor, by=by, lately=[*map(dict, lately)], out=out)
    return looks.markup(
        "board.html",
        board=board,
        game=looks.game(view.ruleset),
        undo=None,
        undone=None,
        writes=True,
        command="",
        last="",
    )


def offline_pad(view: GameView, actor: int | None) -> str:
    looks = reader()
    names = [player.name or "" for player in view.players]
    board = Board(view=view, names=names, actor=actor, by="cards")
    return str(looks.game(view.ruleset).offline(board))
