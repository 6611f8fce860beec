"""A phone that follows a game by server-sent events."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from tests.http.club import Game, Json


class Follower:
    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()

    @classmethod
    @asynccontextmanager
    async def of(cls, game: Game, *, last: int | None = None) -> AsyncGenerator["Follower"]:
        """Follow a game, from after the version seen `last`."""
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        async with game.http.stream("GET", f"{game.path}/live", headers=headers) as response:
            assert response.status_code == 200
            assert response.headers["Content-Type"].startswith("text/event-stream")
            yield cls(response)

    async def event(self) -> Json | None:
        """Wait for the next event; None: it has ended, or one may follow no more."""
        number: str | None = None
        async for line in self._lines:
            name, _, value = line.partition(": ")
            if line == "event: signed-out":
                return None
            if name == "id":
                number = value
            elif name == "data":
                found: Json = json.loads(value)
                assert number == str(found["version"])
                return found
        return None

    async def events(self, count: int) -> list[Json]:
        """Wait for `count` events."""
        found = [await self.event() for _ in range(count)]
        return [event for event in found if event is not None]
