from typing import Any

import httpx
import pytest

from tests.http.club import Game, Json, add_player


def result(maker: int, tricks: int, **more: object) -> Json:
    return {"type": "result", "maker": maker, "tricks": tricks, **more}


def play(seat: int, card: str) -> Json:
    return {"type": "play", "seat": seat, "card": card}


HEARTS: list[Json] = [
    {"type": "deal", "dealer": 0, "turn_up": "9S"},
    {"type": "pass", "seat": 1},
    {"type": "pass", "seat": 0},
    {"type": "name", "seat": 1, "suit": "H"},
]
# Versions 2 to 5, 6 to 15: seat 1 wins every trick; 16 the end of the deal, 17 the next one.
WON: list[Json] = [
    *HEARTS,
    *(play(1, "AS"), play(0, "9D")),
    *(play(1, "KS"), play(0, "TD")),
    *(play(1, "QS"), play(0, "JC")),
    *(play(1, "TS"), play(0, "QC")),
    *(play(1, "AC"), play(0, "KC")),
]
LOSES = {"type": "amend", "version": 7, "move": play(0, "9H")}  # a trump: seat 0 leads next


async def get_preview(game: Game, entry: Json) -> dict[str, Any]:
    answer = await game.http.post(f"{game.path}/preview", json={"entry": entry})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def two_deals(http: httpx.AsyncClient) -> Game:
    game = await Game.start(http)
    await game.record(*WON)
    await game.record(result(0, 3), result(1, 4))
    return game


async def test_deals_that_stand_and_that_change_are_told_apart(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3, dealer=0), result(1, 3), result(0, 4))
    preview = await get_preview(game, {"type": "amend", "version": 4, "move": result(1, 5)})
    assert preview["deals"] == [
        {"deal": 1, "fate": "stands", "before": [1, 0], "after": [1, 0]},
        {"deal": 2, "fate": "changes", "before": [0, 1], "after": [0, 2]},
        {"deal": 3, "fate": "stands", "before": [1, 0], "after": [1, 0]},
    ]
    assert "ways" not in preview


async def test_a_deal_falls_from_an_entry_on_and_the_later_ones_stand(
    http: httpx.AsyncClient,
) -> None:
    game = await two_deals(http)
    preview = await get_preview(game, LOSES)
    fates = [(one["deal"], one["fate"]) for one in preview["deals"]]
    assert fates == [(1, "falls"), (2, "stands"), (3, "stands")]
    falls = preview["deals"][0]["falls"]
    assert (falls["version"], falls["rule"]) == (8, "euchre.lead")
    assert falls["message"]


async def test_the_later_deals_are_kept_once_the_broken_one_has_its_result(
    http: httpx.AsyncClient,
) -> None:
    game = await two_deals(http)
    keep = (await get_preview(game, LOSES))["ways"]["keep"]
    (gap,) = keep["gaps"]
    assert gap["choice"]["type"] == "result"
    keep["entries"][gap["entry"]]["moves"][gap["move"]] |= {"maker": 1, "tricks": 3}
    await game.record(*keep["entries"])
    view = await game.view()
    assert (view["totals"], view["deal"]) == ([1, 2], 4)


async def test_everything_is_taken_back_to_the_first_entry_that_falls(
    http: httpx.AsyncClient,
) -> None:
    game = await two_deals(http)
    await game.record(*(await get_preview(game, LOSES))["ways"]["back"]["entries"])
    view = await game.view()
    assert (view["totals"], view["deal"], view["hand_counts"]) == ([0, 0], 1, [4, 4])
    assert view["to_act"] == [0]


async def test_who_deals_later_is_waived_where_a_deal_is_put_in(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3, dealer=0), {**HEARTS[0], "dealer": 1})
    splice = {"type": "splice", "version": 4, "drop": 0, "moves": [result(0, 5)]}
    preview = await get_preview(game, splice)
    assert preview["refusal"]["rule"] == "table.dealer"
    (deal,) = [one for one in preview["deals"] if one.get("waived")]
    assert (deal["fate"], deal["waived"]) == ("stands", ["table.dealer"])
    keep = preview["ways"]["keep"]
    assert "gaps" not in keep
    await game.record(*keep["entries"])
    assert (await game.view())["totals"] == [3, 0]


async def test_the_preview_of_a_taking_back_tells_the_deals_too(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3), result(1, 3))
    preview = await get_preview(game, {"type": "take_back", "to": 2})
    assert [one["fate"] for one in preview["deals"]] == ["stands", "dropped"]


async def test_a_taking_back_into_a_deal_leaves_it_going_on(http: httpx.AsyncClient) -> None:
    game = await two_deals(http)
    preview = await get_preview(game, {"type": "take_back", "to": 6})
    fates = [(one["fate"], "after" in one) for one in preview["deals"]]
    assert fates == [("changes", False), ("dropped", False), ("dropped", False)]


@pytest.mark.parametrize(
    ("entry", "helps"),
    [
        (play(0, "AS"), True),  # out of turn: euchre.lead
        (play(1, "9S"), False),  # the turned card, which is in no hand
        ({"type": "amend", "version": 5, "move": {**HEARTS[3], "seat": 0}}, True),
        ({"type": "amend", "version": 5, "move": play(1, "AS")}, False),
    ],
)
async def test_a_preview_says_where_waiving_the_clause_helps(
    http: httpx.AsyncClient, entry: Json, *, helps: bool
) -> None:
    game = await Game.start(http)
    await game.record(*HEARTS)
    assert (await get_preview(game, entry))["refusal"].get("waivable", False) == helps


async def test_what_follows_a_forgotten_turn_is_offered_to_the_next_players(
    http: httpx.AsyncClient,
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob", "Eve")]
    started = await http.post("/api/games", json={"ruleset": "rami", "players": players})
    game = Game(http, started.json())
    await game.record({"type": "deal", "dealer": 0, "up": "2H"}, *_turn(1, "9S"), *_turn(2, "7S"))
    forgotten = {"type": "splice", "version": 3, "drop": 0, "moves": _turn(1, "8S")}
    shift = (await get_preview(game, forgotten))["ways"]["shift"]
    assert shift["dropped"] == 0
    assert [[one["card"] for one in player["after"][1::2]] for player in shift["players"]] == [
        ["7S"],
        ["8S"],
        ["9S"],
    ]
    await game.record(*shift["entries"])
    assert (await game.view())["to_act"] == [1]


def _turn(seat: int, card: str) -> list[Json]:
    return [{"type": "draw", "seat": seat}, {"type": "discard", "seat": seat, "card": card}]
