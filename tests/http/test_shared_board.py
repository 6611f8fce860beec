"""A board is rendered once for all who see it alike; details are filled when they are opened."""

import re
from statistics import median

import httpx

from tests.generation import rami
from tests.http.club import DEAL, Game, add_player, client_with_key

PLAYERS = 4
RAMI_BYTES_MEDIAN, RAMI_BYTES_MAX = 27_000, 37_000


async def board(http: httpx.AsyncClient, game: Game, query: str = "") -> str:
    answer = await http.get(f"/games/{game.id}/board{query}")
    assert answer.status_code == 200
    return answer.text


def without_command(html: str) -> str:
    return re.sub(r'(name="command" value=)"[^"]*"', r"\1", html)


async def test_a_board_is_the_same_for_all_but_its_command(game: Game) -> None:
    await game.record(*DEAL)
    first, second = [await board(game.http, game) for _ in range(2)]
    assert first != second
    assert without_command(first) == without_command(second)


async def test_a_board_follows_entries_names_and_languages(game: Game) -> None:
    await game.record(*DEAL[:1])
    before = await board(game.http, game)
    await game.record(*DEAL[1:])
    assert "Ann" in before
    assert f'data-version="{game.version}"' in await board(game.http, game)
    player = (await game.view())["players"][0]["id"]
    await game.http.patch(f"/api/players/{player}", json={"name": f"Zoé {game.id}"})
    assert f"Zoé {game.id}" in await board(game.http, game)
    french = {"Accept-Language": "fr"}
    assert "Résultat" in (await game.http.get(f"/games/{game.id}/board", headers=french)).text


async def test_a_viewer_gets_no_keypad_of_a_recorder(game: Game) -> None:
    await game.record(*DEAL)
    assert 'name="key.' in await board(game.http, game)
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    async with client_with_key(str(game.http.base_url), made["token"]) as viewer:
        assert 'name="key.' not in await board(viewer, game)


async def test_a_query_of_one_reader_changes_no_board_of_another(game: Game) -> None:
    await game.record(*DEAL)
    plain = without_command(await board(game.http, game))
    await board(game.http, game, f"?by=cards&filled=recent&agreed={game.version}")
    assert without_command(await board(game.http, game)) == plain


async def test_the_last_entries_are_listed_once_their_link_is_followed(game: Game) -> None:
    await game.record(*DEAL)
    html = (await game.http.get(f"/games/{game.id}")).text
    (link,) = re.findall(r'href="([^"]*filled=recent)"', html)
    correction = f'href="/games/{game.id}/correct/3"'
    menu = r'<details class="recent".*?</details>'
    (folded,) = re.findall(menu, html, re.DOTALL)
    assert correction not in folded
    (listed,) = re.findall(menu, (await game.http.get(link.replace("&amp;", "&"))).text, re.DOTALL)
    assert listed.startswith('<details class="recent" open>')
    assert correction in listed


async def test_a_pad_of_rare_cards_is_filled_for_the_seat_of_its_link(
    http: httpx.AsyncClient,
) -> None:
    people = [
        (await http.post("/api/players", json={"name": name, "same_name": True})).json()["id"]
        for name in ("Ann", "Bob")
    ]
    body = {"ruleset": "rami", "options": {}, "players": people}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "deal", "dealer": 0, "up": "KH"})
    html = (await http.get(f"/games/{game.id}")).text
    (link,) = re.findall(r'href="([^"]*filled=seen)"', html)
    assert '"type":"draw","seat":1,"card":"@"' not in html
    filled = (await http.get(link.replace("&amp;", "&"))).text
    assert '"type":"draw","seat":1,"card":"@"' in filled
    assert filled.count('name="key.') > html.count('name="key.')


async def test_boards_of_a_deal_of_rami_are_small(http: httpx.AsyncClient) -> None:
    record = rami.true_game(7, rami.PROFILES["open"])
    people = [await add_player(http, f"Player {seat}") for seat in range(record["seats"])]
    body = {"ruleset": "rami", "options": record["options"], "players": people}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    sizes: list[int] = []
    for entry in record["log"]:
        await game.record({name: value for name, value in entry.items() if name != "at"})
        sizes.append(len((await board(http, game)).encode()))
    assert record["seats"] == PLAYERS
    assert median(sizes) <= RAMI_BYTES_MEDIAN
    assert max(sizes) <= RAMI_BYTES_MAX


async def test_help_explains_each_badge_and_a_counter_call_what_it_costs(
    http: httpx.AsyncClient,
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob", "Chloé")]
    body = {"ruleset": "dutch", "options": {}, "players": players}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "deal", "dealer": 0, "up": "4D"}, {"type": "dutch", "seat": 1})
    page = await http.get(
        f"/games/{game.id}", headers={"Accept": "text/html", "Accept-Language": "en"}
    )
    (legend,) = re.findall(r'<ul class="legend">.*?</ul>', page.text, re.DOTALL)
    assert re.sub(r"\s+|<.*?>", " ", legend).split()[-1] == "dealer"
    names = re.findall(r'aria-label="([^"]* Contre Dutch![^"]*)"', page.text)
    assert "Chloé Contre Dutch!, instead of the turn" in names


async def test_after_three_open_doubts_of_a_deal_the_others_are_folded(game: Game) -> None:
    gaps = [{"type": "note", "text": "", "unsure": True}] * 5
    await game.record(*DEAL, *gaps, {"type": "result", "maker": 1, "tricks": 3})
    shown, _, folded = (await board(game.http, game)).partition("<summary>and 2 more</summary>")
    assert (shown.count("Leave it open</button>"), folded.count("Leave it open</button>")) == (3, 2)
