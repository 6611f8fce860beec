"""kill -9 and SIGSTOP of service, PostgreSQL and backends while clients write.

Each request is stored in a file before it is sent, each answer when it arrives. Afterwards the
checker, which is independent of Carnet, compares all of it with the log.
"""

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO, Literal
from uuid import uuid4

import httpx
import msgspec
import pytest
from msgspec import Struct

from service.store.server.postmaster import Postmaster
from tests.depth import run_size
from tests.faults.processes import children
from tests.http.club import Game, client_with_key
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, ServiceProcess


class SentRequest(Struct, frozen=True, kw_only=True):
    """A request and its answer. `text` "": a read; `place`: the expected index of its entry.

    `status` None: no answer. `version`: the answered length of the log; `texts`: the log as read.
    """

    game: str
    command: str = ""
    text: str = ""
    place: int = 0
    began: float
    ended: float
    status: int | None = None
    version: int = 0
    texts: tuple[str, ...] = ()


Fault = Literal[
    "lost", "moved", "doubled", "never asked", "stored though refused", "stale", "early"
]


def faults(history: Iterable[SentRequest], logs: Mapping[str, Sequence[str]]) -> Counter[Fault]:
    """Count answers that no order of the requests explains. `logs`: the final texts by game."""
    found: Counter[Fault] = Counter()
    by_game: dict[str, list[SentRequest]] = {game: [] for game in logs}
    for one in history:
        by_game[one.game].append(one)
    for game, log in logs.items():
        found += _written(by_game[game], log)
        found += _in_time(by_game[game], log)
    return found


def _written(asked: Sequence[SentRequest], log: Sequence[str]) -> Counter[Fault]:
    found: Counter[Fault] = Counter()
    writes = {one.text for one in asked if one.text}
    places = {text: place for place, text in enumerate(log, 1)}
    for text, times in Counter(log).items():
        found["doubled"] += times - 1
        found["never asked"] += text not in writes
    for one in asked:
        if not one.text:
            found["moved"] += one.texts != tuple(log[: len(one.texts)])
        elif one.status == 201:
            found["lost"] += one.text not in places
            found["moved"] += places.get(one.text, one.place) != one.place
        elif one.status == 409:
            found["stored though refused"] += one.text in places
    return found


def _in_time(asked: Sequence[SentRequest], log: Sequence[str]) -> Counter[Fault]:
    found: Counter[Fault] = Counter()
    begun: dict[str, float] = {}
    for one in asked:
        if one.text:
            begun[one.text] = min(one.began, begun.get(one.text, one.began))
    # The latest start of a request among the first entries.
    latest = list(accumulate((begun.get(text, 0.0) for text in log), max, initial=0.0))
    told = sorted((one for one in asked if _shows_version(one)), key=lambda one: one.ended)
    known, at = 0, 0
    for one in sorted(told, key=lambda one: one.began):
        while at < len(told) and told[at].ended < one.began:
            known, at = max(known, told[at].version), at + 1
        # A repeated command gets the first answer.
        repeated = one.status == 201 and begun[one.text] < one.began
        found["stale"] += one.version < known and not repeated
        found["early"] += latest[min(one.version, len(log))] > one.ended
    return found


def _shows_version(one: SentRequest) -> bool:
    return one.status in {200, 201, 409}


CLIENTS, GAMES = 6, 3
VICTIMS = ("service", "server", "backend", "backend", "paused", "paused")
PAUSED_SECONDS = 0.2
GROWN = 5
# Timeout of a client before it retries.
ANSWER_SECONDS_MAX = 120.0
# After so many kills clients start new games, to bound their length.
KILLS_A_GAME = 100


def started(game: str) -> SentRequest:
    return SentRequest(game=game, text="started", place=1, began=0, ended=0, status=201, version=1)


class History:
    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self.asked: list[SentRequest] = []
        self.errors = 0

    def begins(self, one: SentRequest) -> None:
        self._out.write(b"asked " + msgspec.json.encode(one) + b"\n")
        self._out.flush()

    def record_answer(self, one: SentRequest) -> None:
        self._out.write(b"told " + msgspec.json.encode(one) + b"\n")
        self._out.flush()
        self.asked.append(one)
        self.errors += one.status is not None and one.status >= 500


class Client:
    def __init__(self, url: str, games: list[str], history: History, chance: random.Random) -> None:
        self._http = client_with_key(url, KEY)
        self._games, self._history, self._chance = games, history, chance
        self._seen = dict.fromkeys(games, 1)
        self.stored = 0

    async def run(self, ended: asyncio.Event) -> None:
        async with self._http:
            while not ended.is_set():
                game = self._chance.choice(self._games)
                await (self._write(game) if self._chance.random() < 0.7 else self._read(game))

    async def _write(self, game: str) -> None:
        version, key, text = self._seen[game], str(uuid4()), uuid4().hex
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": key, "Prefer": "return=minimal"}
        body = {"entries": [{"type": "note", "text": text}]}
        status = None
        while status not in {201, 409}:
            asked = SentRequest(
                game=game,
                command=key,
                text=text,
                place=version + 1,
                began=time.monotonic(),
                ended=0,
            )
            answer = await self._answer(
                asked, "POST", f"/api/games/{game}/entries", headers=headers, json=body
            )
            if answer is None:
                continue
            status = answer.status_code
            now = answer.json()["version"] if status in {201, 409} else 0
            self._told(asked, status, now)
            self._seen[game] = max(self._seen[game], now)
            self.stored += status == 201

    async def _read(self, game: str) -> None:
        asked = SentRequest(game=game, began=time.monotonic(), ended=0)
        answer = await self._answer(asked, "GET", f"/api/games/{game}/entries")
        if answer is None:
            return
        if answer.status_code != 200:
            self._told(asked, answer.status_code, 0)
            return
        texts = texts_of(answer)
        self._told(asked, 200, len(texts), texts)
        self._seen[game] = max(self._seen[game], len(texts))

    async def _answer(
        self, asked: SentRequest, method: str, path: str, **more: object
    ) -> httpx.Response | None:
        self._history.begins(asked)
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                answer = await self._http.request(method, path, **more)  # type: ignore[arg-type] # options of httpx, as they come
        except (httpx.TransportError, TimeoutError):
            self._history.record_answer(msgspec.structs.replace(asked, ended=time.monotonic()))
            await asyncio.sleep(0.1)
            return None
        if answer.status_code >= 500:
            await asyncio.sleep(0.1)
        return answer

    def _told(
        self, asked: SentRequest, status: int, version: int, texts: tuple[str, ...] = ()
    ) -> None:
        self._history.record_answer(
            msgspec.structs.replace(
                asked, ended=time.monotonic(), status=status, version=version, texts=texts
            )
        )


def texts_of(answer: httpx.Response) -> tuple[str, ...]:
    """Return the texts of a log: the first entry is `started`, the others are notes."""
    return tuple(one["entry"].get("text", "started") for one in answer.json()["entries"])


class Victims:
    def __init__(self, service: ServiceProcess, folder: Path) -> None:
        self.service = service
        self._cluster = folder / "postgres"

    async def hit(self, victim: str, chance: random.Random) -> None:
        postmaster = Postmaster(self._cluster).pid
        backends = children(postmaster) if postmaster else []
        match victim:
            case "service":
                self.service.kill()
                await asyncio.to_thread(self.service.start)
            case "server" if postmaster:
                strike(postmaster, signal.SIGKILL)
            case "backend" if backends:
                strike(chance.choice(backends), signal.SIGKILL)
            case _:
                paused = chance.choice([self.service.pid, *backends])
                strike(paused, signal.SIGSTOP)
                await asyncio.sleep(PAUSED_SECONDS)
                strike(paused, signal.SIGCONT)


def strike(pid: int, how: signal.Signals) -> None:
    try:
        os.kill(pid, how)
    except ProcessLookupError:
        return


@asynccontextmanager
async def writing(
    url: str, games: list[str], history: History, seed: int
) -> AsyncGenerator[list[Client]]:
    ended = asyncio.Event()
    clients = [
        Client(url, games, history, random.Random(f"{seed} {one}"))  # noqa: S311 chosen games, not secrets
        for one in range(CLIENTS)
    ]
    running = [asyncio.create_task(client.run(ended)) for client in clients]
    try:
        yield clients
    finally:
        ended.set()
        await asyncio.gather(*running)


async def grown(clients: list[Client], entries: int) -> None:
    aim = sum(client.stored for client in clients) + entries
    while sum(client.stored for client in clients) < aim:  # noqa: ASYNC110 -- many write
        await asyncio.sleep(0.02)


@pytest.fixture
def data(tmp_path: Path, prepared_clusters: PreparedClusters) -> Path:
    return prepared_clusters.copy_to(tmp_path / "data")


@pytest.mark.timeout(36_000)
async def test_whatever_is_killed_or_paused_one_order_explains_all_that_was_told(
    tmp_path: Path, data: Path, record_property: Callable[[str, int], None]
) -> None:
    seed = random.randrange(2**32)  # noqa: S311 -- not a secret chosen games, not secrets
    chance = random.Random(seed)  # noqa: S311 chosen games, not secrets
    logs: dict[str, tuple[str, ...]] = {}
    kills = run_size(6, deep=1_000, variable="CARNET_TESTS_KILLS")
    settings = {"CARNET_DATA_DIR": str(data)}
    with (
        (tmp_path / "history").open("wb") as out,
        ServiceProcess.running(tmp_path / "log", **settings) as service,
    ):
        history = History(out)
        victims = Victims(service, data)
        for done in range(0, kills, KILLS_A_GAME):
            async with client_with_key(service.url, KEY) as http:
                games = [(await Game.start(http)).id for _ in range(GAMES)]
                for game in games:
                    history.record_answer(started(game))
                async with writing(service.url, games, history, seed + done) as clients:
                    for _ in range(min(KILLS_A_GAME, kills - done)):
                        await grown(clients, GROWN)
                        await asyncio.sleep(chance.uniform(0, 0.1))
                        await victims.hit(chance.choice(VICTIMS), chance)
                    await grown(clients, GROWN)
                for game in games:
                    logs[game] = texts_of(await http.get(f"/api/games/{game}/entries"))
    found = faults(history.asked, logs)
    acknowledged = sum(one.status == 201 for one in history.asked)
    told = {"kills": kills, "tried": len(history.asked), "acknowledged": acknowledged}
    unheard = sum(one.status is None for one in history.asked)
    told |= {
        "lost": found["lost"],
        "doubled": found["doubled"],
        "other faults": found.total() - found["lost"] - found["doubled"],
    }
    for name, number in {**told, "5xx": history.errors, "unheard": unheard}.items():
        record_property(name, number)
    assert not +found, f"seed {seed}"
