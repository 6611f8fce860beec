"""A club that plays Euchre over HTTP."""

import asyncio
from collections.abc import Sequence
from typing import Any, Self
from uuid import uuid4

import httpx

from tests.service_process import PLAIN_TLS

Json = dict[str, Any]

# Entries that the service adds.
DERIVED = {"started", "deal_ended", "game_ended"}

# A deal of two tricks, hands unseen: seat 1 orders hearts, the dealer leaves the turned card.
DEAL: list[Json] = [
    {"type": "deal", "dealer": 0, "turn_up": "QH"},
    {"type": "order", "seat": 1},
    {"type": "exchange", "seat": 0, "take": False},
]
MADE_RESULT: Json = {"type": "result", "maker": 0, "tricks": 3, "dealer": 0}
LOST_RESULT: Json = {"type": "result", "maker": 1, "tricks": 2}


class Game:
    def __init__(self, http: httpx.AsyncClient, view: Json) -> None:
        self.http = http
        self.id: str = view["id"]
        self.path = f"/api/games/{self.id}"
        self.version: int = view["version"]

    @classmethod
    async def start(cls, http: httpx.AsyncClient, **options: object) -> Self:
        players = [await add_player(http, name) for name in ("Ann", "Bob")]
        body = {"ruleset": "euchre", "options": options, "players": players}
        answer = await http.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        return cls(http, answer.json())

    async def send(
        self, *entries: Json, version: int | None = None, key: str | None = None
    ) -> httpx.Response:
        """Send a batch, by default at the last seen version."""
        headers = {
            "If-Match": f'"{self.version if version is None else version}"',
            "Idempotency-Key": key or str(uuid4()),
        }
        body = {"entries": list(entries)}
        return await self.http.post(f"{self.path}/entries", json=body, headers=headers)

    async def record(self, *entries: Json) -> Json:
        answer = await self.send(*entries)
        assert answer.status_code == 201, answer.text
        answered: Json = answer.json()
        self.version = answered["version"]
        return answered

    async def view(self) -> Json:
        return await self.get("")

    async def log(self) -> list[Json]:
        entries: list[Json] = []
        page: str | None = f"{self.path}/entries"
        while page is not None:
            answer = await self.http.get(page)
            assert answer.status_code == 200, answer.text
            entries += answer.json()["entries"]
            page = answer.links.get("next", {}).get("url")
        return entries

    async def typed(self) -> list[Json]:
        """Return the entries of people, without the times of those that arrived late."""
        entries = [line["entry"] for line in await self.log() if line["type"] not in DERIVED]
        return [{name: value for name, value in one.items() if name != "at"} for one in entries]

    async def get(self, path: str, **query: str) -> Json:
        answer = await self.http.get(self.path + path, params=query)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found


async def add_player(http: httpx.AsyncClient, name: str) -> str:
    """Add a person, even if other tests use the name; return the id."""
    answer = await http.post("/api/players", json={"name": name, "same_name": True})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


# A connection is left before the service may leave it: on a busy machine the client would learn of
# that only from a request that fails. Servers keep an idle one for 5 seconds and more.
SHORT_KEEPALIVE = httpx.Limits(keepalive_expiry=1.0)


def anonymous_client(service_url: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=service_url, timeout=120, limits=SHORT_KEEPALIVE, verify=PLAIN_TLS
    )


def client_with_key(service_url: str, key: str) -> httpx.AsyncClient:
    """Return a client with a key or token."""
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.AsyncClient(
        base_url=service_url, headers=headers, timeout=120, limits=SHORT_KEEPALIVE, verify=PLAIN_TLS
    )


async def wait_for_new_head(owner: httpx.AsyncClient, known: Sequence[str]) -> str:
    """Wait for an unknown head: an entry gets its position a moment after it is stored."""
    while True:
        note: str = (await owner.get("/api/heads")).json()["note"]
        if note not in known:
            return note
        await asyncio.sleep(0.02)
