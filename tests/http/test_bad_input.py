from uuid import uuid4

import httpx
import msgspec
import pytest

from service.play.append import ENTRIES_MAX, GAME_BYTES_MAX
from tests.http.club import DEAL, Game, Json, add_player

PLAY: Json = {"type": "play", "seat": 0, "card": "AS"}

BODIES: list[tuple[object, str]] = [
    (b"", "$"),
    (b"{", "$"),
    (b"\xff\xfe", "$"),
    (b'{"entries": [{"type": "note", "text": "\xff"}]}', "$"),
    ([], "$"),
    ({}, "$.entries"),
    ({"entries": DEAL, "more": 1}, "$.more"),
    ({"entries": {}}, "$.entries"),
    ({"entries": None}, "$.entries"),
    ({"entries": []}, "$.entries"),
    ({"entries": [{"type": "note", "text": ""}] * 1_001}, "$.entries"),
    ({"entries": [[]]}, "$.entries[0]"),
    ({"entries": [{}]}, "$.entries[0].type"),
    ({"entries": [{"type": "fold"}]}, "$.entries[0].type"),
    ({"entries": [{"type": "started", "ruleset": "euchre"}]}, "$.entries[0].type"),
    ({"entries": [{"type": "deal_ended", "deal": 1}]}, "$.entries[0].type"),
    ({"entries": [{"type": "game_ended", "totals": []}]}, "$.entries[0].type"),
    ({"entries": [*DEAL, {**PLAY, "card": "1S"}]}, "$.entries[3].card"),
    ({"entries": [{**PLAY, "card": "??"}]}, "$.entries[0].card"),
    ({"entries": [{**PLAY, "seat": "0"}]}, "$.entries[0].seat"),
    ({"entries": [{**PLAY, "seat": 0.5}]}, "$.entries[0].seat"),
    ({"entries": [{**PLAY, "seat": True}]}, "$.entries[0].seat"),
    ({"entries": [{**PLAY, "colour": "red"}]}, "$.entries[0].colour"),
    ({"entries": [{**PLAY, "waive": ["no.such"]}]}, "$.entries[0].waive[0]"),
    ({"entries": [{**PLAY, "unsure": "yes"}]}, "$.entries[0].unsure"),
    ({"entries": [{**PLAY, "at": "2024-05-09T20:37:00"}]}, "$.entries[0].at"),
    ({"entries": [{**PLAY, "at": "1969-12-31T23:59:00Z"}]}, "$.entries[0].at"),
    ({"entries": [{**PLAY, "at": "2099-05-09T20:37:00Z"}]}, "$.entries[0].at"),
    (b'{"entries": [{"type": "deal", "dealer": 0, "dealer": 1}]}', "$.entries[0].dealer"),
    (b'{"entries": [], "entries": []}', "$.entries"),
    ({"entries": [{"type": "note", "text": "x" * 2_001}]}, "$.entries[0].text"),
    (
        {"entries": [{"type": "amend", "version": 2, "move": {**PLAY, "card": "x"}}]},
        "$.entries[0].move.card",
    ),
]


async def refused(
    http: httpx.AsyncClient,
    method: str,
    path: str,
    *,
    json: Json | None = None,
    headers: dict[str, str] | None = None,
) -> Json:
    problems: list[Json] = []
    for lang in ("en", "fr", "de"):
        more = {**(headers or {}), "Accept-Language": lang}
        answer = await http.request(method, path, json=json, headers=more)
        assert answer.status_code == 400, answer.text
        problems.append(answer.json())
    assert len({problem["detail"] for problem in problems}) == len(problems)
    # The words inside the sentence are in the reader's language too.
    assert problems[0]["expected"] not in problems[1]["detail"]
    return problems[0]


@pytest.mark.parametrize(
    ("body", "path"), BODIES, ids=[f"{number} {path}" for number, (_, path) in enumerate(BODIES)]
)
async def test_a_batch_that_cannot_be_read_says_where(game: Game, body: object, path: str) -> None:
    headers = {"If-Match": '"1"', "Idempotency-Key": str(uuid4())}
    raw = body if isinstance(body, bytes) else msgspec.json.encode(body)
    answer = await game.http.post(f"{game.path}/entries", headers=headers, content=raw)

    problem = answer.json()
    assert answer.status_code == 400, problem
    assert (problem["type"], problem["path"]) == ("malformed", path)
    assert problem["expected"]
    assert len(await game.log()) == 1


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("If-Match", "*"),
        ("If-Match", "x"),
        ("If-Match", '"0"'),
        ("If-Match", '"-1"'),
        ("If-Match", '"1", "2"'),
        ("If-Match", '"99999999999"'),
        ("If-Match", ""),
        ("Idempotency-Key", "1"),
        ("Idempotency-Key", "{e7cbd4b2-4db5-4ab4-9a9e-e530c3e34a46}"),
        ("Idempotency-Key", ""),
    ],
)
async def test_a_header_that_cannot_be_read_says_which(game: Game, header: str, text: str) -> None:
    headers = {"If-Match": '"1"', "Idempotency-Key": str(uuid4()), header: text}
    body = {"entries": DEAL}
    problem = await refused(game.http, "POST", f"{game.path}/entries", json=body, headers=headers)

    assert problem["path"] == f"$.headers.{header}"
    assert len(await game.log()) == 1


@pytest.mark.parametrize(
    ("path", "query", "place"),
    [
        ("/api/games", "player=x", "player"),
        ("/api/games", "status=lost", "status"),
        ("/api/games", "from=yesterday", "from"),
        ("/api/games", "from=2024-02-30", "from"),
        ("/api/games", "to=2024-05-09T20:37:00", "to"),
        ("/api/games", "limit=0", "limit"),
        ("/api/games", "limit=1000", "limit"),
        ("/api/games", "limit=x", "limit"),
        ("/api/games", "limit=1&limit=2", "limit"),
        ("/api/games", "cursor=x", "cursor"),
        ("/api/games", "cursor=%F0%9F%82%A1", "cursor"),
        ("/api/games", "page=2", "page"),
        ("{game}/entries", "after=-1", "after"),
        ("{game}/entries", "after=x", "after"),
        ("{game}/entries", "effective=maybe", "effective"),
        ("{game}/entries", "format=xml", "format"),
        ("{game}/live", "after=x", "after"),
    ],
)
async def test_a_parameter_that_cannot_be_read_says_which(
    game: Game, path: str, query: str, place: str
) -> None:
    problem = await refused(game.http, "GET", f"{path.format(game=game.path)}?{query}")
    assert problem["path"] == f"$.query.{place}"


async def test_a_last_event_id_that_is_no_version_says_so(game: Game) -> None:
    answer = await game.http.get(f"{game.path}/live", headers={"Last-Event-ID": "x"})
    assert answer.json()["path"] == "$.headers.Last-Event-ID"


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"ruleset": "bridge"}, "$.ruleset"),
        ({"ruleset": None}, "$.ruleset"),
        ({"options": {"deck": 52}}, "$.options.deck"),
        ({"options": {"decks": 2}}, "$.options.decks"),
        ({"options": None}, "$.options"),
        ({"players": []}, "$.players"),
        ({"players": ["x", "y"]}, "$.players[0]"),
        ({"players": [str(uuid4()), str(uuid4())]}, "$.players[0]"),
        ({"more": 1}, "$.more"),
    ],
)
async def test_a_game_that_cannot_be_started_says_why(
    http: httpx.AsyncClient, changes: Json, path: str
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    before = (await http.get("/api/games")).json()
    body = {"ruleset": "euchre", "players": players, **changes}
    problem = await refused(http, "POST", "/api/games", json=body)

    assert problem["path"] == path
    assert (await http.get("/api/games")).json() == before


async def test_nobody_sits_twice(http: httpx.AsyncClient) -> None:
    ann = await add_player(http, "Ann")
    answer = await http.post("/api/games", json={"ruleset": "euchre", "players": [ann, ann]})
    assert answer.json()["path"] == "$.players[1]"


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 101, "a\nb", "a\u0000b", "\u202eAnn", 7, None, ["Ann"]]
)
async def test_a_name_that_is_none_is_not_taken(http: httpx.AsyncClient, name: object) -> None:
    before = (await http.get("/api/players")).json()
    answer = await http.post("/api/players", json={"name": name})

    assert answer.status_code == 400
    assert answer.json()["path"] == "$.name"
    assert (await http.get("/api/players")).json() == before


async def test_a_name_with_half_a_sign_is_not_taken(http: httpx.AsyncClient) -> None:
    answer = await http.post("/api/players", content=b'{"name": "\\ud800"}')
    assert answer.status_code == 400


@pytest.mark.parametrize("path", ["/api/games/x", "/api/players/x", "/api/rulesets/bridge"])
async def test_an_address_that_names_nothing_is_not_found(
    http: httpx.AsyncClient, path: str
) -> None:
    answer = await http.request("PATCH" if "players" in path else "GET", path)
    assert answer.status_code == 404


async def test_a_write_with_a_query_parameter_says_that_it_takes_none(game: Game) -> None:
    problem = await refused(game.http, "POST", "/api/players?nmae=x", json={"name": "Ann"})
    assert problem["path"] == "$.query.nmae"


async def test_a_version_of_too_many_digits_is_no_version(game: Game) -> None:
    answer = await game.http.get(f"{game.path}/at/{'9' * 5_000}")
    assert answer.status_code == 404
    page = await game.http.get(f"/games/{game.id}/at/{'9' * 5_000}")
    assert page.status_code == 404


async def test_a_game_of_more_entries_than_any_is_full_and_can_be_ended(game: Game) -> None:
    notes = [{"type": "note", "text": ""}] * 1_000
    for _ in range(ENTRIES_MAX // 1_000 - 1):
        await game.record(*notes)
    full = await game.send(*notes)
    assert (full.status_code, full.json()["type"]) == (413, "game-full")
    assert (await game.view())["version"] == game.version
    await game.record(*notes[1:])
    assert (await game.send(notes[0])).status_code == 413
    await game.record({"type": "finish", "reason": "full"})


async def test_a_game_of_more_bytes_than_any_is_too_large_and_can_be_ended(game: Game) -> None:
    notes = [{"type": "note", "text": "€" * 2_000}] * 160
    for _ in range(GAME_BYTES_MAX // (160 * 6_040)):
        await game.record(*notes)
    refused = await game.send(*notes)
    problem = refused.json()
    assert (refused.status_code, problem["type"]) == (413, "too-large")
    assert problem["bytes_max"] == GAME_BYTES_MAX
    assert str(GAME_BYTES_MAX) in problem["detail"]
    await game.record({"type": "note", "text": "short"})
    await game.record({"type": "finish", "reason": "full"})
