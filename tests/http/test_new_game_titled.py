import json
import re
from urllib.parse import unquote
from uuid import uuid4

import httpx

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
