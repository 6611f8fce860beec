from uuid import uuid4

from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game
from tests.http.test_records import TEXT, look, send, text_of


async def test_a_game_that_is_here_is_recognised_and_kept_once_more_only_if_asked(
    game: Game,
) -> None:
    await game.record(*DEAL, LOST_RESULT)
    text = await text_of(game.http, game.id)
    assert (await look(game.http, text))["here"] == [game.id]
    known = await send(game.http, text)
    assert known.status_code == 200, known.text
    assert (known.json()["id"], known.json()["here"]) == (game.id, True)
    assert known.json()["version"] == game.version
    assert known.headers["Location"] == game.path
    again = await send(game.http, text, again="true")
    assert (again.status_code, again.json()["here"]) == (201, False)
    assert set((await look(game.http, text))["here"]) == {game.id, again.json()["id"]}


async def test_a_game_that_is_here_is_another_one_where_others_are_chosen_to_have_played(
    game: Game,
) -> None:
    await game.record(MADE_RESULT)
    text = await text_of(game.http, game.id)
    ids = [player["id"] for player in (await game.view())["players"]]
    assert (await send(game.http, text, players=",".join(ids))).json()["id"] == game.id
    others = await send(game.http, text, players=",".join(ids[::-1]))
    assert (others.status_code, others.json()["here"]) == (201, False)


async def test_what_a_key_says_counts_before_what_is_here(game: Game) -> None:
    await game.record(MADE_RESULT)
    text = await text_of(game.http, game.id)
    headers = {"Content-Type": TEXT, "Idempotency-Key": str(uuid4())}
    first, again = [
        await game.http.post("/api/imports", content=text, headers=headers) for _ in range(2)
    ]
    assert first.status_code == again.status_code == 201
    assert first.json()["id"] == again.json()["id"] != game.id
