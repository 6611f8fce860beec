"""Games by points over HTTP, and how one goes on as another."""

from collections.abc import Sequence
from typing import Self

import httpx

from tests.http.club import Game, Json, add_player


class ScoresGame(Game):
    """A game by points. `people`: the ids of its players, seat 0 first."""

    people: list[str]

    @classmethod
    async def begin(cls, http: httpx.AsyncClient, names: Sequence[str], **options: object) -> Self:
        people = [await add_player(http, name) for name in names]
        body = {"ruleset": "scores", "options": options, "players": people}
        answer = await http.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        return cls.of(http, answer.json())

    @classmethod
    def of(cls, http: httpx.AsyncClient, view: Json) -> Self:
        game = cls(http, view)
        game.people = [player["id"] for player in view["players"]]
        return game

    async def rounds(self, *rounds: Sequence[int | None]) -> None:
        await self.record(*({"type": "result", "points": [*points]} for points in rounds))

    async def ask_to_go_on(self, players: Sequence[str], **more: object) -> httpx.Response:
        """Ask for the game as which this one goes on; `more`: of the body, `key` of the header."""
        key = more.pop("key", None)
        body = {"ruleset": "scores", "players": [*players], "continues": self.id, **more}
        headers = {"Idempotency-Key": str(key)} if key else {}
        return await self.http.post("/api/games", json=body, headers=headers)

    async def go_on(self, players: Sequence[str], **more: object) -> Self:
        answer = await self.ask_to_go_on(players, **more)
        assert answer.status_code == 201, answer.text
        return self.of(self.http, answer.json())

    async def undo(self) -> None:
        await self.record({"type": "set_aside", "reason": "carnet:undone"})

    async def ask_to_redo(self) -> httpx.Response:
        """Ask to take back the last entry, with which it was undone."""
        return await self.send({"type": "splice", "version": self.version, "drop": 1, "moves": []})
