"""The form of a result with one number for each player or team (`number_pad.html`)."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import json

from service.web.format.environments import environment
from tests.web.form_filler import FormsOf

NAMES = ("Ann", "Ben", "Carla", "Dora")
EVERYBODY = (0, 1, 2, 3)


def board(to_act: tuple[int, ...]) -> Any:  # noqa: ANN401 what the macro reads of a board
    view = SimpleNamespace(deal=1, totals=(10, 20, 10, 20))
    return SimpleNamespace(
        names=NAMES, phase="deal", aside=False, to_act=to_act, dealer=None, view=view
    )


def form(*arguments: Any, to_act: tuple[int, ...] = EVERYBODY) -> FormsOf:  # noqa: ANN401
    module: Any = environment("en").get_template("number_pad.html").module
    return FormsOf(f"<form>{module.result(board(to_act), *arguments)}</form>")


def entered(page: FormsOf) -> dict[str, Any]:
    (button,) = page.forms[0].buttons
    found: dict[str, Any] = json.decode(button.value)
    return found


@pytest.mark.parametrize(("teams", "seats"), [((), [0, 1, 2, 3]), (((0, 2), (1, 3)), [0, 1])])
def test_result__asks_each_player_or_team_for_a_number(
    teams: tuple[tuple[int, ...], ...], seats: list[int]
) -> None:
    page = form("points", teams)
    assert entered(page)["points"] == [{"must": seat} for seat in seats]
    fields = [one.name for one in page.forms[0].controls if one.kind == "text"]
    assert fields == [f"open.points.{at}" for at in range(len(seats))]


def test_result__asks_who_dealt_while_anybody_may_deal() -> None:
    page = form("points")
    assert entered(page)["dealer"] == {"from": "dealt"}
    (dealt,) = (one for one in page.forms[0].controls if one.name == "open.dealt")
    assert dealt.now == [""]


def test_result__names_the_dealer_whose_turn_it_is() -> None:
    assert entered(form("points", to_act=(2,)))["dealer"] == 2
