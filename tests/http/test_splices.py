import httpx

from tests.http.club import Game, Json

NOTES: list[Json] = [{"type": "note", "text": text} for text in ("Anna laughs", "so does Bob")]
RESULT: Json = {"type": "result", "maker": 0, "tricks": 3, "dealer": 0}


async def splice(http: httpx.AsyncClient) -> Game:
    game = await Game.start(http)
    await game.record(RESULT)
    await game.record({"type": "splice", "version": 2, "drop": 0, "moves": NOTES})
    return game


async def test_a_splice_is_one_entry_of_the_log_and_its_moves_stand_by_part(
    http: httpx.AsyncClient,
) -> None:
    game = await splice(http)
    assert [one["type"] for one in await game.log()][3:] == ["splice", "deal_ended"]
    standing = (await game.get("/entries", effective="true"))["entries"]
    seen = [(one["version"], one.get("part", 0), one["type"]) for one in standing]
    assert seen == [
        (1, 0, "started"),
        (4, 0, "note"),
        (4, 1, "note"),
        (2, 0, "result"),
        (5, 0, "deal_ended"),
    ]


async def test_the_game_before_a_splice_stays_as_it_stood(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(RESULT)
    await game.record({"type": "splice", "version": 2, "drop": 1, "moves": []})
    assert (await game.get("/at/3"))["totals"] == [1, 0]
    assert (await game.get("/at/4"))["totals"] == [0, 0]


async def test_a_part_is_amended_by_its_number(http: httpx.AsyncClient) -> None:
    game = await splice(http)
    move = {"type": "note", "text": "nobody laughs"}
    await game.record({"type": "amend", "version": 4, "part": 1, "move": move})
    standing = (await game.get("/entries", effective="true"))["entries"]
    assert [one["entry"].get("text") for one in standing[1:3]] == ["Anna laughs", "nobody laughs"]


async def test_a_splice_that_leaves_a_later_entry_illegal_names_it(http: httpx.AsyncClient) -> None:
    game = await Game.start(http, target=1)
    await game.record({"type": "note", "text": "x"}, RESULT)
    answer = await game.send({"type": "splice", "version": 2, "drop": 0, "moves": [RESULT]})
    problem = answer.json()
    assert (answer.status_code, problem["rule"], problem["contradicts"]) == (422, "table.phase", 3)


async def test_the_texts_of_a_splice_are_erased_together(http: httpx.AsyncClient) -> None:
    game = await splice(http)
    assert (await http.delete(f"{game.path}/entries/4/text")).status_code == 204
    assert "Anna" not in (await http.get(f"{game.path}/entries")).text
    stored = (await game.log())[3]
    assert stored["erased"]
    assert [move["text"] for move in stored["entry"]["moves"]] == ["", ""]


async def test_a_record_with_splices_comes_back_the_same(http: httpx.AsyncClient) -> None:
    game = await splice(http)
    text = (await http.get(f"{game.path}/record.carnet")).text
    assert '4. splice version 2 drop 0 moves (note "Anna laughs") (note "so does Bob")' in text
    taken = await http.post(
        "/api/imports?again=true", content=text, headers={"Content-Type": "text/vnd.carnet"}
    )
    assert taken.status_code == 201, taken.text
    again = await http.get(f"/api/games/{taken.json()['id']}/record.carnet")
    assert text.partition("[Hash ")[2] == again.text.partition("[Hash ")[2]
