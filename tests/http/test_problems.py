from collections.abc import AsyncGenerator, Awaitable, Callable
from uuid import uuid4

import httpx
import pytest

from tests.http.club import DEAL, Game, Json, client_with_key
from tests.service_process import ServiceProcess

LANGUAGES = ("en", "fr", "de")
MIB = 1024 * 1024

Asking = Callable[[Game, dict[str, str]], Awaitable[httpx.Response]]


async def illegal_entry(game: Game, headers: dict[str, str]) -> httpx.Response:
    return await post(game, {"entries": [*DEAL, {"type": "pass", "seat": 0}]}, headers)


async def malformed(game: Game, headers: dict[str, str]) -> httpx.Response:
    return await post(game, {"entries": [{"type": "play", "seat": 0, "card": "ZZ"}]}, headers)


async def version_conflict(game: Game, headers: dict[str, str]) -> httpx.Response:
    return await post(game, {"entries": DEAL}, headers, version=5)


async def key_reused(game: Game, headers: dict[str, str]) -> httpx.Response:
    key = str(uuid4())
    sent = await game.send({"type": "note", "text": "first"}, key=key)
    game.version = sent.json()["version"]
    return await post(game, {"entries": DEAL}, headers, key=key)


async def no_version(game: Game, headers: dict[str, str]) -> httpx.Response:
    more = {**headers, "Idempotency-Key": str(uuid4())}
    return await game.http.post(f"{game.path}/entries", json={"entries": DEAL}, headers=more)


async def no_key(game: Game, headers: dict[str, str]) -> httpx.Response:
    more = {**headers, "If-Match": '"1"'}
    return await game.http.post(f"{game.path}/entries", json={"entries": DEAL}, headers=more)


async def unauthorized(game: Game, headers: dict[str, str]) -> httpx.Response:
    more = {**headers, "Authorization": "Bearer wrong"}
    return await game.http.get(game.path, headers=more)


async def not_found(game: Game, headers: dict[str, str]) -> httpx.Response:
    return await game.http.get(f"/api/games/{uuid4()}", headers=headers)


async def no_route(game: Game, headers: dict[str, str]) -> httpx.Response:
    return await game.http.get("/api/nothing", headers=headers)


async def no_method(game: Game, headers: dict[str, str]) -> httpx.Response:
    return await game.http.put(game.path, headers=headers)


async def too_large(game: Game, headers: dict[str, str]) -> httpx.Response:
    return await post(game, {"entries": [{"type": "note", "text": "x" * MIB}]}, headers)


async def forbidden(game: Game, headers: dict[str, str]) -> httpx.Response:
    link = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    more = {**headers, "Authorization": f"Bearer {link['token']}"}
    return await post(game, {"entries": DEAL}, more)


async def post(
    game: Game,
    body: Json,
    headers: dict[str, str],
    *,
    version: int | None = None,
    key: str | None = None,
) -> httpx.Response:
    more = {
        **headers,
        "If-Match": f'"{version or game.version}"',
        "Idempotency-Key": key or str(uuid4()),
    }
    return await game.http.post(f"{game.path}/entries", json=body, headers=more)


PROBLEMS: list[tuple[Asking, str, int, set[str]]] = [
    (illegal_entry, "illegal-entry", 422, {"index", "rule", "clause"}),
    (malformed, "malformed", 400, {"path", "expected"}),
    (version_conflict, "version-conflict", 409, {"version"}),
    (key_reused, "key-reused", 409, set()),
    (no_version, "precondition-required", 428, {"header"}),
    (no_key, "precondition-required", 428, {"header"}),
    (unauthorized, "unauthorized", 401, set()),
    (forbidden, "forbidden", 403, set()),
    (not_found, "not-found", 404, set()),
    (no_route, "not-found", 404, set()),
    (no_method, "method-not-allowed", 405, {"allow"}),
    (too_large, "too-large", 413, {"bytes_max"}),
]


@pytest.mark.parametrize(
    ("ask", "kind", "status", "carries"), PROBLEMS, ids=[ask.__name__ for ask, *_ in PROBLEMS]
)
async def test_a_problem_has_its_type_status_and_members_in_three_languages(
    game: Game, ask: Asking, kind: str, status: int, carries: set[str]
) -> None:
    said: set[tuple[str, str | None]] = set()
    for lang in LANGUAGES:
        answer = await ask(game, {"Accept-Language": lang})
        problem = answer.json()
        assert answer.status_code == status
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.headers["Content-Language"] == lang
        assert problem["type"] == kind
        assert problem["status"] == status
        assert problem.keys() - {"detail"} == {"type", "title", "status"} | carries
        said.add((problem["title"], problem.get("detail")))
    assert len(said) == len(LANGUAGES)


async def test_an_illegal_entry_names_the_earlier_entry_it_contradicts(game: Game) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS"})
    await game.record({"type": "play", "seat": 0, "card": "9D"})
    await game.record({"type": "play", "seat": 1, "card": "KS"})
    answer = await game.send({"type": "play", "seat": 0, "card": "QS"})

    problem = answer.json()
    assert answer.status_code == 422
    assert (problem["index"], problem["contradicts"]) == (0, 6)
    assert problem["rule"] == "euchre.follow-suit"
    assert "Ann" in problem["detail"]


async def test_a_language_nobody_speaks_here_is_answered_in_english(game: Game) -> None:
    answer = await game.http.get("/api/nothing", headers={"Accept-Language": "tlh"})
    assert answer.headers["Content-Language"] == "en"


async def test_a_method_that_is_not_allowed_is_answered_with_those_that_are(game: Game) -> None:
    answer = await game.http.put(game.path)
    assert "GET" in answer.headers["Allow"]


async def test_a_body_without_an_announced_length_is_cut_off_where_it_gets_too_large(
    game: Game,
) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        for _ in range(64):
            yield b" " * MIB

    headers = {"If-Match": '"1"', "Idempotency-Key": str(uuid4())}
    try:
        answer = await game.http.post(f"{game.path}/entries", content=endless(), headers=headers)
    except httpx.WriteError:
        return
    assert answer.status_code == 413


async def test_every_answer_carries_the_id_of_its_request(http: httpx.AsyncClient) -> None:
    given = await http.get("/api/players", headers={"X-Request-ID": "phone-7"})
    made = await http.get("/api/nothing")
    spoiled = await http.get("/api/players", headers={"X-Request-ID": "a b"})

    assert given.headers["X-Request-ID"] == "phone-7"
    assert len(made.headers["X-Request-ID"]) == 32
    assert spoiled.headers["X-Request-ID"] != "a b"


async def test_a_wrong_key_and_no_key_are_answered_alike(service: ServiceProcess) -> None:
    async with client_with_key(service.url, "wrong") as stranger:
        wrong = await stranger.get("/api/players")
        none = await stranger.get("/api/players", headers={"Authorization": ""})
    assert wrong.json() == none.json()
    assert wrong.headers["WWW-Authenticate"] == "Bearer"
