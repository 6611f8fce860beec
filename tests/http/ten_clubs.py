"""Ten clubs on two processes and a Citus cluster: a node is killed under load, a club moves out.

Games of every club are recorded over HTTP through both processes. A node is killed with SIGKILL and
restarted: no acknowledged entry is lost or doubled, and clubs of the other node are not affected. A
club is exported and imported into a plain installation with the same hashes.
"""

import asyncio
from collections.abc import Generator, Iterator, Sequence
from itertools import count
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from service.access.secrets import prefix_club, token_hash
from service.store.club.changes import ClubChanges
from service.store.connection.pool import open_pool, owner_session
from service.store.log.events import EventStore
from service.store.records import ChainedEntry
from service.store.server.migrate import migrate
from tests.carnet_process import run_carnet as begun
from tests.http.club import Game, client_with_key
from tests.postgres import Cluster, server_url_of_club
from tests.service_process import ServiceProcess, distributed_service_database
from tests.store.killed_worker import Node, killed_node
from tests.waiting import time_limit

CLUBS_A_NODE = 5
BEFORE, MEANWHILE, AFTER = 6, 4, 4
# The answers of a service whose node is down, or that is overloaded.
UNAVAILABLE = {429, 503}

Services = tuple[ServiceProcess, ServiceProcess]


class Club:
    def __init__(self, club_id: UUID, key: str, node: str, services: Services) -> None:
        self.club_id, self.node = club_id, node
        self.clients = [client_with_key(service.url, key) for service in services]
        self.game: Game
        self.acknowledged: list[str] = []
        self.unavailable = 0

    async def begin(self) -> None:
        self.game = await Game.start(self.clients[0])

    async def record(self) -> None:
        """Record until cancelled; an unacknowledged command is sent again."""
        for number in count():
            text, command = f"{self.club_id} said {number}", str(uuid4())
            while not await self._acknowledged(number, text, command):
                self.unavailable += 1
                await asyncio.sleep(0.05)
            self.acknowledged.append(text)

    async def _acknowledged(self, number: int, text: str, command: str) -> bool:
        self.game.http = self.clients[number % len(self.clients)]
        answer = await self.game.send({"type": "note", "text": text}, key=command)
        if answer.status_code in UNAVAILABLE:
            return False
        assert answer.status_code == 201, answer.text
        self.game.version = answer.json()["version"]
        return True


async def wait_for_acknowledged(
    clubs: Sequence[Club], wanted: dict[UUID, int], tasks: set[asyncio.Task[None]]
) -> None:
    """Wait until each club has enough acknowledged entries; errors are raised at once."""
    async with asyncio.timeout(time_limit(120)):
        while any(len(one.acknowledged) < wanted[one.club_id] for one in clubs):
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.05)


def acknowledged_plus(clubs: Sequence[Club], more: int) -> dict[UUID, int]:
    return {one.club_id: len(one.acknowledged) + more for one in clubs}


@pytest.fixture
def distributed_url() -> Iterator[str]:
    with distributed_service_database() as url:
        yield url


@pytest.fixture
def services(distributed_url: str, tmp_path: Path) -> Generator[Services]:
    with (
        ServiceProcess.running(tmp_path / "one", CARNET_DATABASE_URL=distributed_url) as one,
        ServiceProcess.running(tmp_path / "two", CARNET_DATABASE_URL=distributed_url) as two,
    ):
        yield one, two


async def ten_clubs(distributed_url: str, services: Services) -> list[Club]:
    by_node: dict[str, list[Club]] = {}
    while len(by_node) < 2 or any(len(some) < CLUBS_A_NODE for some in by_node.values()):
        club_id = uuid4()
        node = server_url_of_club(distributed_url, club_id)
        some = by_node.setdefault(node, [])
        if len(some) < CLUBS_A_NODE:
            key = prefix_club(club_id, "the-owners-key-of-this-club")
            async with owner_session(distributed_url) as conn:
                await ClubChanges(conn).add(club_id, f"Club {club_id}", token_hash(key))
            some.append(Club(club_id, key, node, services))
    clubs = [club for some in by_node.values() for club in some]
    for club in clubs:
        await club.begin()
    return clubs


async def stored_entries(url: str, club_id: UUID) -> list[ChainedEntry]:
    async with open_pool(url, "carnet_service", 1, 1) as pool:
        return [link async for link in EventStore(pool, club_id).walk()]


def carnet(url: str, folder: Path, *arguments: str) -> str:
    """Run a command on a database; return its output."""
    here = {"CARNET_DATABASE_URL": url, "CARNET_DATA_DIR": str(folder)}
    done = begun(*arguments, environment=here)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


async def break_and_recover(clubs: Sequence[Club]) -> None:
    lost = Node(clubs[0].node)
    struck = [one for one in clubs if one.node == lost.url]
    others = [one for one in clubs if one.node != lost.url]
    tasks = {asyncio.create_task(one.record()) for one in clubs}
    try:
        await wait_for_acknowledged(clubs, acknowledged_plus(clubs, BEFORE), tasks)
        with killed_node(lost):
            await wait_for_acknowledged(others, acknowledged_plus(others, MEANWHILE), tasks)
        await wait_for_acknowledged(clubs, acknowledged_plus(clubs, AFTER), tasks)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert not [one for one in ended if isinstance(one, Exception)]
    assert sum(one.unavailable for one in struck) > 0


async def notes_of(club: Club, http: httpx.AsyncClient) -> list[str]:
    club.game.http = http
    told = [stored["entry"] for stored in await club.game.log()]
    return [entry["text"] for entry in told if entry["type"] == "note"]


@pytest.mark.timeout(1200)
async def test_ten_clubs_outlive_a_node_and_one_of_them_moves_out(
    distributed_url: str, services: Services, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    clubs = await ten_clubs(distributed_url, services)
    await break_and_recover(clubs)
    for club in clubs:
        for http in club.clients:
            notes = await notes_of(club, http)
            # A cancelled client may have stored one more entry.
            assert notes[: len(club.acknowledged)] == club.acknowledged
            assert len(notes) <= len(club.acknowledged) + 1
            await http.aclose()
    moved, file = clubs[0].club_id, tmp_path / "moved.jsonl"
    carnet(distributed_url, tmp_path, "export", str(file), "--club", str(moved))
    assert "11 clubs: none failed" in carnet(distributed_url, tmp_path, "verify", "--all-clubs")
    with embedded_cluster.database() as plain:
        await migrate(plain)
        carnet(plain, tmp_path / "plain", "import", str(file))
        there = await stored_entries(plain, moved)
        assert "all hash chains are intact" in carnet(plain, tmp_path / "plain", "verify")
        assert there == await stored_entries(distributed_url, moved)
