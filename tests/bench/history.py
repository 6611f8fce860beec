"""Response times of a club of 1,000, 10,000 and 100,000 games: pages, standings, an export.

Over HTTP, on a separate service and server; the median of several requests. Standings are requested
without a checkpoint, after a start with time to compute one, by a new process, again, and after a
change of the newest game and of one a hundredth back.
"""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psycopg

from service.club.standings_checkpoints import GAMES_PER_CHECKPOINT, GAMES_PER_SAVE
from service.store.server.embedded import EmbeddedServer
from tests.bench.table import Line, Size, Table
from tests.http.crowd import PLAYERS, insert_games
from tests.service_process import KEY, PLAIN_TLS, ServiceProcess

GAMES = (1_000, 10_000, 100_000)
REQUESTS = 15
PAGES = {
    "/api/history": "/api/history",
    "/api/history of a player": f"/api/history?player={PLAYERS[3]}",
    "page of the history": "/history",
    "page of the players": "/players",
    "page of a player in every game": f"/players/{PLAYERS[39]}",
    "page of the standings": "/standings",
}
STANDINGS = "/api/standings"
EXPORT = "/api/history.csv?view=deals"
_MS = 1000
_WORTH = (
    GAMES_PER_SAVE + GAMES_PER_CHECKPOINT
)  # fewer changed games are replayed by the next request
_CHANGE = """
    UPDATE carnet.game SET version = version + 1, totals = totals[2:2] || totals[1:1]
    WHERE game_id = (
        SELECT game_id FROM carnet.game ORDER BY started_at DESC, game_id OFFSET %s LIMIT 1
    )
"""


class Club:
    def __init__(self, folder: Path, url: str, games: int, requests: int) -> None:
        self._folder = folder
        self._url = url
        self._games = games
        self._requests = requests
        self.found: dict[str, float] = {}

    def measure(self) -> None:
        with self._served() as http:
            insert_games(self._url, self._games)
            self._once("standings, nothing kept", http, STANDINGS)
        with psycopg.connect(self._url, autocommit=True) as conn:
            conn.execute("TRUNCATE carnet.standings_kept")
        with self._served() as http:
            self._folded()
            self._once("standings, first request", http, STANDINGS)
        with self._served() as http:
            self._once("standings, new process", http, STANDINGS)
            self._median("standings again", http, STANDINGS)
            self._changed("standings, the newest game changed", http, 0)
            back = self._games // 100
            self._changed("standings, a game a hundredth back changed", http, back)
            for name, path in PAGES.items():
                self._median(name, http, path)
            self._export(http)

    def _served(self) -> "_Served":
        return _Served(self._folder / "log", self._url)

    def _folded(self) -> None:
        began = time.perf_counter()
        with psycopg.connect(self._url, autocommit=True) as conn:
            while self._games >= _WORTH and _keep(conn) < self._games - _WORTH:
                time.sleep(0.02)
        self.found["standings, folded in the background"] = _MS * (time.perf_counter() - began)

    def _once(self, name: str, http: httpx.Client, path: str) -> None:
        self.found[name] = _milliseconds(http, path)

    def _median(self, name: str, http: httpx.Client, path: str) -> None:
        taken = [_milliseconds(http, path) for _ in range(self._requests)]
        self.found[name] = statistics.median(taken)

    def _changed(self, name: str, http: httpx.Client, back: int) -> None:
        taken: list[float] = []
        for _ in range(max(1, self._requests // 3)):
            with psycopg.connect(self._url, autocommit=True) as conn:
                conn.execute(_CHANGE, [back])
            taken.append(_milliseconds(http, STANDINGS))
        self.found[name] = statistics.median(taken)

    def _export(self, http: httpx.Client) -> None:
        began = time.perf_counter()
        answer = http.get(EXPORT)
        assert answer.status_code == httpx.codes.OK
        rate = answer.content.count(b"\n") / (time.perf_counter() - began)
        self.found["export of deals, lines a second"] = rate


class _Served:
    def __init__(self, log: Path, url: str) -> None:
        self._service = ServiceProcess(log, CARNET_DATABASE_URL=url)
        self._client: httpx.Client | None = None

    def __enter__(self) -> httpx.Client:
        self._service.start()
        self._client = httpx.Client(
            base_url=self._service.url,
            headers={"Authorization": f"Bearer {KEY}"},
            timeout=300,
            verify=PLAIN_TLS,
        )
        return self._client

    def __exit__(self, *_: object) -> None:
        if self._client is not None:
            self._client.close()
        self._service.stop()


def _keep(conn: psycopg.Connection) -> int:
    ((games,),) = conn.execute("SELECT max(games) FROM carnet.standings_kept").fetchall()
    return games or 0


def _milliseconds(http: httpx.Client, path: str) -> float:
    began = time.perf_counter()
    answer = http.get(path)
    taken = time.perf_counter() - began
    assert answer.status_code == httpx.codes.OK, answer.text
    return _MS * taken


def measure(size: Size, games: tuple[int, ...] = GAMES) -> Iterator[Table]:
    found: dict[int, dict[str, float]] = {}
    for number in games:
        with TemporaryDirectory() as folder, EmbeddedServer(Path(folder) / "data") as server:
            one = Club(Path(folder), server.url, number, max(3, size.of(REQUESTS)))
            one.measure()
            found[number] = one.found
    names = list(found[games[0]])
    yield Table(
        "a club's history, milliseconds (an export: lines a second)",
        tuple(
            Line(name, {f"{number:,} games": found[number][name] for number in games})
            for name in names
        ),
    )
