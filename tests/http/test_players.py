from uuid import uuid4

import httpx
import pytest

from tests.http.club import LOST_RESULT, Game, add_player


async def test_somebody_is_added_listed_and_renamed(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    answer = await http.post("/api/players", json={"name": f"  Zoë Ångström {mark} "})
    player = answer.json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/players/{player['id']}"
    assert player["name"] == f"Zoë Ångström {mark}"

    renamed = await http.patch(f"/api/players/{player['id']}", json={"name": f"Zoé {mark}"})
    listed = (await http.get("/api/players")).json()["players"]
    assert renamed.json() == {**player, "name": f"Zoé {mark}"}
    assert renamed.json() in listed


async def test_a_forgotten_name_is_gone_everywhere_and_the_games_stay(
    http: httpx.AsyncClient, game: Game
) -> None:
    ann = (await game.view())["players"][0]["id"]
    gone = await http.delete(f"/api/players/{ann}")
    assert (gone.status_code, gone.content) == (204, b"")

    assert (await game.view())["players"][0] == {"id": ann, "name": None}
    listed = (await http.get("/api/games", params={"player": ann})).json()["games"]
    assert [one["players"][0]["name"] for one in listed if one["id"] == game.id] == [None]
    refused = await game.send(LOST_RESULT, {"type": "play", "seat": 0, "card": "AS"})
    assert "Ann" not in refused.text
    assert "Ann" not in (await http.get(f"{game.path}/sheet.csv")).text


async def test_somebody_who_was_forgotten_is_not_seated_again(http: httpx.AsyncClient) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    await http.delete(f"/api/players/{players[1]}")
    answer = await http.post("/api/games", json={"ruleset": "euchre", "players": players})
    assert answer.json()["path"] == "$.players[1]"


async def test_somebody_who_was_forgotten_gets_no_other_name(http: httpx.AsyncClient) -> None:
    path = f"/api/players/{await add_player(http, 'Ann')}"
    await http.delete(path)
    assert (await http.patch(path, json={"name": "Ann"})).status_code == 404
    page = await http.post(path.removeprefix("/api"), data={"name": "Ann", "do": "rename"})
    assert page.status_code == 404
    assert (await http.get(path)).json()["name"] is None
    assert (await http.delete(path)).status_code == 204


async def test_nobody_is_neither_renamed_nor_forgotten(http: httpx.AsyncClient) -> None:
    path = f"/api/players/{uuid4()}"
    assert (await http.patch(path, json={"name": "Ann"})).status_code == 404
    assert (await http.delete(path)).status_code == 404


@pytest.mark.parametrize("kind", ["players", "titles"])
async def test_a_name_that_grows_over_the_limit_is_refused_with_the_limit(
    http: httpx.AsyncClient, kind: str
) -> None:
    answer = await http.post(f"/api/{kind}", json={"name": "\u0958" * 60})
    refused = answer.json()
    assert (answer.status_code, refused["path"]) == (400, "$.name")
    assert "100 at most" in refused["detail"]
