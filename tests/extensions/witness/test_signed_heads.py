from base64 import b64decode
from uuid import uuid4

import httpx
import pytest

from service.extensions.witness.signed_notes import read_note
from tests.extensions.witness.rfc9162 import is_consistent, is_included
from tests.http.club import DEAL, Game, Json, client_with_key

HASHES = list[bytes]


def hashes(told: list[str]) -> HASHES:
    return [b64decode(one) for one in told]


async def included(game: Game, version: int) -> Json:
    while True:
        answer = await game.http.get(f"{game.path}/entries/{version}/inclusion")
        if answer.status_code == 200:
            found: Json = answer.json()
            return found


async def test_the_head_is_signed_by_the_key_it_names(game: Game) -> None:
    await included(game, 1)
    head = (await game.http.get("/api/heads")).json()
    note = read_note(head["note"])
    assert note.signed_by(head["keys"]) == head["keys"]
    assert head["size"] == note.checkpoint.size > 0
    assert b64decode(head["root"]) == note.checkpoint.root
    assert head["origin"] == note.checkpoint.origin


async def test_as_text_it_is_the_note_alone(game: Game) -> None:
    answer = await game.http.get("/api/heads", headers={"Accept": "text/plain"})
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert read_note(answer.text).checkpoint.size >= 0


async def test_every_entry_is_proved_to_be_in_the_head(game: Game) -> None:
    await game.record(*DEAL)
    for version in range(1, game.version + 1):
        found = await included(game, version)
        checkpoint = read_note(found["head"]["note"]).checkpoint
        assert is_included(
            bytes.fromhex(found["hash"]),
            found["position"] - 1,
            checkpoint.size,
            hashes(found["proof"]),
            checkpoint.root,
        )


async def test_a_later_head_is_proved_to_hold_an_earlier_one(game: Game) -> None:
    await included(game, 1)
    before = read_note((await game.http.get("/api/heads")).json()["note"]).checkpoint
    await game.record(*DEAL)
    await included(game, game.version)
    after = read_note((await game.http.get("/api/heads")).json()["note"]).checkpoint
    path = f"/api/heads/{after.size}/consistency"
    found = (await game.http.get(path, params={"from": before.size})).json()
    assert (found["from"], found["size"]) == (before.size, after.size)
    proof = hashes(found["proof"])
    assert is_consistent(before.size, after.size, proof, before.root, after.root)


@pytest.mark.parametrize("query", ["?from=-1", "?from=x", "?since=1"])
async def test_a_question_that_cannot_be_read_is_refused(
    query: str, http: httpx.AsyncClient
) -> None:
    assert (await http.get(f"/api/heads/1/consistency{query}")).status_code == 400


@pytest.mark.parametrize(
    "path", [f"/api/heads/{2**40}/consistency?from=1", "/api/heads/1/consistency?from=2"]
)
async def test_of_what_is_not_there_nothing_is_proved(path: str, game: Game) -> None:
    await included(game, 1)
    assert (await game.http.get(path)).status_code == 404


@pytest.mark.parametrize("version", [0, 99, 2**31, 2**63])
async def test_an_entry_that_is_not_there_is_not_proved(version: int, game: Game) -> None:
    answer = await game.http.get(f"{game.path}/entries/{version}/inclusion")
    assert answer.status_code == 404


async def test_a_viewer_has_entries_of_the_own_game_proved_and_sees_no_head(game: Game) -> None:
    await included(game, 1)
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    async with client_with_key(str(game.http.base_url), made["token"]) as guest:
        answer = await guest.get(f"{game.path}/entries/1/inclusion")
        assert answer.status_code == 200
        assert (await guest.get("/api/heads")).status_code == 403
        other = f"/api/games/{uuid4()}/entries/1/inclusion"
        assert (await guest.get(other)).status_code == 404
