import json
import re
from urllib.parse import unquote
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, Json

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def start(http: httpx.AsyncClient, name: str, **fields: str) -> Json:
    sent = {"ruleset": "scores", "title": name, "name.0": f"A{name}", "name.1": f"B{name}"}
    answer = await http.post("/games/new", data=sent | fields)
    assert answer.status_code == 303, answer.text
    path = answer.headers["Location"].partition("?")[0]
    found: Json = (await http.get(f"/api{path}")).json()
    return found


async def test_a_new_name_makes_a_title_with_the_options_of_its_first_game(
    http: httpx.AsyncClient,
) -> None:
    name = f"Skyjo {uuid4().hex[:6]}"
    game = await start(http, name, **{"text.wins": "lowest", "with.target": "100"})
    (made,) = [
        one for one in (await http.get("/api/titles")).json()["titles"] if one["name"] == name
    ]
    assert (game["title"], game["title_name"]) == (made["id"], name)
    assert made["options"] == {"wins": "lowest", "target": 100}
    again = await start(http, name.upper(), **{"text.wins": "lowest"})
    assert again["title"] == made["id"]


async def test_the_form_offers_the_titles_and_fills_in_their_options(
    http: httpx.AsyncClient,
) -> None:
    name = f"Yam {uuid4().hex[:6]}"
    game = await start(http, name, **{"with.target": "77"})
    form = await http.get("/games/new")
    assert f">{name}<" in form.text.replace("\n", "").replace("  ", "")
    sent = {"ruleset": "euchre", "choose": game["title"]}
    answer = await http.post("/games/new", data=sent, follow_redirects=True)
    assert f'value="{name}"' in answer.text
    assert 'value="77"' in answer.text


async def chosen(http: httpx.AsyncClient, **fields: str) -> str:
    sent = {"ruleset": "scores"} | fields
    answer = await http.post("/games/new", data=sent, follow_redirects=True)
    assert answer.status_code == 200
    return answer.text


def winner(page: str) -> list[str]:
    boxes = re.findall(r'name="text\.wins" value="(\w+)" required( checked)?', page)
    assert [value for value, _ in boxes] == ["highest", "lowest"]
    return [value for value, checked in boxes if checked]


@pytest.mark.parametrize(
    ("sought", "name", "wins", "target"),
    [
        ("skyjo", "Skyjo", "lowest", "100"),
        ("Six qui prend", "6 nimmt!", "lowest", "66"),
        ("KNIFFEL", "Yahtzee", "highest", ""),
        ("Molkky", "Mölkky", "highest", "50"),
    ],
)
async def test_a_known_game_is_found_by_any_name_and_fills_the_options(
    http: httpx.AsyncClient, sought: str, name: str, wins: str, target: str
) -> None:
    page = await chosen(http, choose="called", called=sought)
    assert f'name="title"\n          value="{name}"' in page
    assert winner(page) == [wins]
    (shown,) = re.findall(r'name="with\.target"[^>]*value="(\d*)"', page)
    assert shown == target


async def test_a_name_that_nobody_knows_is_a_new_game_and_asks_who_wins(
    http: httpx.AsyncClient,
) -> None:
    name = f"Quorx {uuid4().hex[:6]}"
    page = await chosen(http, choose="called", called=name)
    assert f'value="{name}"' in page
    assert winner(page) == []
    people = {"name.0": f"A{name}", "name.1": f"B{name}"}
    again = await chosen(http, title=name, asks_wins="1", **people)
    assert "Say who wins" in again
    assert f'value="A{name}"' in again


async def test_several_games_of_a_part_of_a_name_are_offered_and_a_new_one(
    http: httpx.AsyncClient,
) -> None:
    page = await chosen(http, choose="called", called="domin")
    shown = page[page.index("data-found") : page.index("</nav>")]
    for name in ("Dominoes", "Dominion", "Kingdomino", "New game “domin”"):
        assert f">{name}</button>" in shown
    page = await chosen(http, choose="new-title", called="domin")
    assert 'value="domin"' in page


async def test_skyjo_by_name_alone_is_won_by_the_lowest(http: httpx.AsyncClient) -> None:
    game = await start(http, "Skyjo")
    assert (game["options"]["wins"], game["options"]["target"]) == ("lowest", 100)
    chosen_otherwise = await start(http, "Papayoo", **{"text.wins": "highest"})
    assert chosen_otherwise["options"]["wins"] == "highest"


async def test_usual_teams_apply_where_as_many_play(http: httpx.AsyncClient) -> None:
    two = await start(http, "Canasta")
    assert two["options"]["teams"] is None
    four = await start(http, "Belote", **{"name.2": "CB", "name.3": "DB"})
    assert four["options"]["teams"] == [[0, 2], [1, 3]]


async def test_few_games_are_offered_however_many_the_club_has(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex[:4]
    for number in range(22):
        await http.post("/api/titles", json={"name": f"Game {number} {mark}"})
    await start(http, f"Game 7 {mark}", **{"with.rounds": "1"})
    page = (await http.get("/games/new")).text
    offered = page[page.index('class="row few"') : page.index('class="row finding"')]
    assert f">Game 7 {mark}</button>" in offered
    assert offered.count("<button") <= 6
    assert f'value="Game 7 {mark}"' in page, "the game that was played last is chosen"


async def test_the_games_of_these_people_come_first(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex[:4]
    first = await start(http, f"Alpha {mark}")
    for number in range(6):
        await start(http, f"Beta {number} {mark}")
    ids = [one["id"] for one in first["players"]]
    sent = [("ruleset", "euchre"), ("choose", "euchre"), *(("player", one) for one in ids)]
    body = "&".join(f"{name}={value}" for name, value in sent)
    answer = await http.post("/games/new", content=body, headers=FORM, follow_redirects=True)
    page = answer.text
    offered = page[page.index('class="row few"') : page.index('class="row finding"')]
    assert f">Alpha {mark}</button>" in offered


async def test_the_same_players_are_seated_by_one_tap(http: httpx.AsyncClient) -> None:
    game = await start(http, f"Gamma {uuid4().hex[:4]}")
    page = await chosen(http, choose="same-players")
    for seat, player in enumerate(game["players"], 1):
        assert f'value="{player["id"]}" checked' in page
        assert f'name="number.{player["id"]}" value="{seat}"' in page


async def test_a_game_by_points_needs_a_name(http: httpx.AsyncClient) -> None:
    sent = {"ruleset": "scores", "title": " ", "name.0": "A", "name.1": "B"}
    answer = await http.post("/games/new", data=sent, follow_redirects=True)
    assert "The game needs a name" in answer.text


async def test_pages_tell_the_title_of_a_game(http: httpx.AsyncClient) -> None:
    name = f"Belote {uuid4().hex[:6]}"
    view = await start(http, name, **{"with.rounds": "1"})
    table = await http.get(f"/games/{view['id']}")
    assert f"{name} · Round 1" in table.text
    await Game(http, view).record({"type": "result", "points": [1, 2]})
    title = view["title"]
    for path in (
        f"/games/{view['id']}/sheet",
        f"/games/{view['id']}/screen",
        f"/history?ruleset={title}",
        f"/standings?ruleset={title}",
        f"/players/{view['players'][0]['id']}",
        f"/evenings/{view['id']}",
        "/",
    ):
        page = await http.get(path)
        assert page.status_code == 200, path
        assert name in page.text, path
        if path != "/":  # which lists games of other tests too
            assert "Another game" not in page.text.replace(">Another game</option>", ""), path


async def test_the_same_players_again_play_the_same_title(http: httpx.AsyncClient) -> None:
    view = await start(http, f"Tarot {uuid4().hex[:6]}", **{"with.rounds": "1"})
    await Game(http, view).record({"type": "result", "points": [1, 2]})
    answer = await http.post(f"/games/new/again/{view['id']}")
    again = (await http.get("/api" + answer.headers["Location"])).json()
    assert (again["title"], again["options"]) == (view["title"], view["options"])


async def test_a_finished_game_is_offered_to_bg_stats(http: httpx.AsyncClient) -> None:
    name = f"Skat {uuid4().hex[:6]}"
    view = await start(http, name, **{"with.rounds": "1", "text.wins": "lowest"})
    await Game(http, view).record({"type": "result", "points": [9, 2]})
    page = (await http.get(f"/games/{view['id']}")).text
    (data,) = re.findall(
        r'href="https://app\.bgstatsapp\.com/createPlay\.html\?data=([^"]+)"', page
    )
    play = json.loads(unquote(data))
    assert (play["sourcePlayId"], play["game"]["name"]) == (view["id"], name)
    assert (play["game"]["highestWins"], play["game"]["sourceGameId"]) == (False, view["title"])
    assert [
        (one["score"], one["rank"], one["winner"], one["startPlayer"]) for one in play["players"]
    ] == [(9, 2, False, False), (2, 1, True, False)]


@pytest.mark.parametrize(
    ("name", "points", "winners", "sent"),
    [
        ("Pandemic", [None, None], [], [(None, False), (None, False)]),
        ("Pandemic", [None, None], [0, 1], [(1, True), (1, True)]),
        ("Azul", [70, 70], [1], [(2, False), (1, True)]),
        ("Azul", [70, 70], [0, 1], [(1, True), (1, True)]),
    ],
    ids=["lost together", "won together", "a broken tie", "a shared win"],
)
async def test_bg_stats_gets_who_won_as_the_table_said(
    http: httpx.AsyncClient,
    name: str,
    points: list[int | None],
    winners: list[int],
    sent: list[tuple[int | None, bool]],
) -> None:
    view = await start(http, f"{name} {uuid4().hex[:6]}")
    game = Game(http, view)
    if points[0] is not None:
        await game.record({"type": "result", "points": points})
    await game.record({"type": "finish", "reason": "", "winners": winners})
    page = (await http.get(f"/games/{view['id']}")).text
    (data,) = re.findall(r"createPlay\.html\?data=([^\"]+)", page)
    play = json.loads(unquote(data))
    assert [(one.get("rank"), one["winner"]) for one in play["players"]] == sent
    assert [one.get("score") for one in play["players"]] == points
    assert play["game"]["noPoints"] == (points[0] is None)


async def test_form_that_is_changed_after_its_game_began_starts_another_game(
    http: httpx.AsyncClient,
) -> None:
    name = f"Uno {uuid4().hex[:6]}"
    command = str(uuid4())
    first = await start(http, name, command=command)
    again = await start(http, name, command=command)
    other = await start(http, name, command=command, **{"name.1": f"C{name}"})
    assert again["id"] == first["id"]
    assert other["id"] != first["id"]
    assert [one["name"] for one in other["players"]] == [f"A{name}", f"C{name}"]
