import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from service.access.secrets import token_hash
from service.access.throttle import FailedLoginRates, Rate
from service.app import Rates, build
from service.settings import Settings
from service.store.server.embedded import EmbeddedServer
from tests.http.club import Game
from tests.postgres import Cluster
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY

# The framework announces its next version while routes are put together.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
RATES = Rates(
    failed_logins=FailedLoginRates(
        address=Rate(burst=3, per_second=0.5), overall=Rate(burst=8, per_second=0.5)
    ),
    writes=Rate(burst=4, per_second=0.5),
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def url(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as made:
        yield made


@asynccontextmanager
async def run(
    url: str,
    *,
    key: str | None = KEY,
    clock: Clock | None = None,
    on_first_key: Callable[[str], None] | None = None,
) -> AsyncGenerator[httpx.AsyncClient]:
    given = None if key is None else token_hash(key)
    settings = Settings(data_dir=Path("/nowhere"), database_url=url, owner_key_hash=given)
    app = build(settings, seconds=clock or Clock(), rates=RATES, on_first_key=on_first_key)
    headers = {"Authorization": f"Bearer {key}"}
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type] # Litestar types ASGI its own way
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=transport, base_url="http://carnet", headers=headers) as http,
    ):
        yield http


async def test_too_many_writes_are_told_to_wait_and_then_are_let_through(url: str) -> None:
    clock = Clock()
    async with run(url, clock=clock) as http:
        body = {"name": "Ann", "same_name": True}
        answers = [await http.post("/api/players", json=body) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [201] * 4 + [429]
        assert answers[-1].json()["type"] == "too-many-requests"
        assert answers[-1].headers["Retry-After"] == "2"
        assert (await http.get("/api/players")).status_code == 200
        clock.now += 2
        assert (await http.post("/api/players", json=body)).status_code == 201


async def test_too_many_writes_in_one_game_hold_up_no_other(url: str) -> None:
    async with run(url) as http:
        people = [
            (await http.post("/api/players", json={"name": name, "same_name": True})).json()
            for name in "AB"
        ]
        body = {"ruleset": "euchre", "players": [one["id"] for one in people]}
        one, other = [(await http.post("/api/games", json=body)).json()["id"] for _ in range(2)]

        async def note(game_id: str, version: int) -> int:
            headers = {"If-Match": f'"{version}"', "Idempotency-Key": str(uuid4())}
            entries = {"entries": [{"type": "note", "text": "x"}]}
            path = f"/api/games/{game_id}/entries"
            return (await http.post(path, json=entries, headers=headers)).status_code

        assert [await note(one, version) for version in range(1, 6)] == [201] * 4 + [429]
        assert await note(other, 1) == 201


async def test_too_many_wrong_keys_are_told_to_wait(url: str) -> None:
    clock = Clock()
    async with run(url, clock=clock) as http:
        wrong = {"Authorization": "Bearer wrong"}
        answers = [await http.get("/api/players", headers=wrong) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [401] * 3 + [429]
        assert answers[-1].headers["Retry-After"] == "2"
        clock.now += 2
        assert (await http.get("/api/players", headers=wrong)).status_code == 401


async def test_guessing_shuts_out_nobody_who_is_right_and_was_never_let_in_before(url: str) -> None:
    async with run(url) as http:
        await _guess(http, 4)
        assert (await http.get("/api/players")).status_code == 200
        game = await Game.start(http)
        token = (await http.post(f"{game.path}/links", json={"role": "viewer"})).json()["token"]
        await _guess(http, 4)
        guest = {"Authorization": f"Bearer {token}"}
        assert (await http.get(game.path, headers=guest)).status_code == 200


async def _guess(http: httpx.AsyncClient, times: int) -> None:
    wrong = {"Authorization": "Bearer wrong"}
    answers = [await http.get("/api/players", headers=wrong) for _ in range(times)]
    assert answers[-1].status_code == 429


async def test_a_right_link_lets_a_browser_in_while_somebody_guesses(url: str) -> None:
    async with run(url) as http:
        game = await Game.start(http)
        token = (await http.post(f"{game.path}/links", json={"role": "viewer"})).json()["token"]
        await _guess(http, 4)
        del http.headers["Authorization"]
        assert (await http.get("/login", params={"key": "wrong"})).status_code == 429
        assert (await http.get("/login", params={"key": token})).status_code == 303
        assert (await http.get(game.path)).status_code == 200


async def test_a_scorer_who_is_too_fast_does_not_slow_the_owner(url: str) -> None:
    clock = Clock()
    async with run(url, clock=clock) as http:
        game = await Game.start(http)
        clock.now += 60
        token = (await http.post(f"{game.path}/links", json={"role": "scorer"})).json()["token"]
        scorer = {"Authorization": f"Bearer {token}"}
        note = {"entry": {"type": "note", "text": "!"}}
        path = f"{game.path}/preview"
        answers = [await http.post(path, json=note, headers=scorer) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200] * 4 + [429]
        assert (await http.post(f"{game.path}/preview", json=note)).status_code == 200


async def test_the_owners_key_is_made_once_and_shown_once(embedded_cluster: Cluster) -> None:
    shown: list[str] = []
    with embedded_cluster.database() as url:
        for _ in range(2):
            async with run(url, key=None, on_first_key=shown.append) as http:
                (key,) = shown
                headers = {"Authorization": f"Bearer {key}"}
                assert (await http.get("/api/players", headers=headers)).status_code == 200
                assert (await http.get("/api/players")).status_code == 401


async def test_a_service_whose_database_is_gone_lives_but_is_not_ready(
    tmp_path: Path, prepared_clusters: PreparedClusters
) -> None:
    with EmbeddedServer(prepared_clusters.copy_to(tmp_path)) as server:
        async with run(server.url) as http:
            assert (await http.get("/readyz")).status_code == 200
            server.stop()
            answer = await http.get("/api/players")
            assert (await http.get("/healthz")).status_code == 200
            assert (await http.get("/readyz")).status_code == 503
    assert answer.status_code == 503
    assert answer.json()["type"] == "unavailable"
    assert answer.headers["Retry-After"] == "1"


async def test_a_page_that_may_go_well_the_next_time_offers_to_try_again(
    tmp_path: Path, prepared_clusters: PreparedClusters
) -> None:
    with EmbeddedServer(prepared_clusters.copy_to(tmp_path)) as server:
        async with run(server.url) as http:
            server.stop()
            came = {"Referer": "http://carnet/games/new?ruleset=rami", "Origin": "http://carnet"}
            # Logged only after the database has not answered for long.
            asked, sent, elsewhere = await asyncio.gather(
                http.get("/history?player=x"),
                http.post("/players", headers=came, data={"name": "Ann"}),
                http.get("/nowhere", headers={"Accept": "text/html"}),
            )
    assert (asked.status_code, sent.status_code, elsewhere.status_code) == (503, 503, 404)
    assert 'href="/history?player=x">Try again</a>' in asked.text
    assert 'href="/games/new?ruleset=rami">Try again</a>' in sent.text
    assert "Try again" not in elsewhere.text
