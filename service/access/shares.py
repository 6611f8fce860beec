"""A share per caller in routes that stream or compute much, so that others wait little."""

import asyncio
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Literal, TypeAlias

from service.errors import ClientLeft, TooManyRequests
from service.store.connection.clients import client_gone

Kind: TypeAlias = Literal["files", "figures"]

AT_ONCE: Mapping[Kind, int] = {"files": 1, "figures": 2}
"""Of one caller. Two files would keep both cores busy."""
WAITING_MAX = 10
"""Requests beyond a caller's share are answered 429 with `Retry-After`."""
WAIT_SECONDS_MAX = 8.0
RETRY_AFTER_SECONDS = 5

# Files may be read slowly; they must not hold up the same caller's pages.
KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(
        (
            "/api/history.csv",
            "/api/history.json",
            "/api/history.pdf",
            "/api/history.xlsx",
            "/api/games/{game_id}/record",
            "/api/games/{game_id}/record.carnet",
            "/api/games/{game_id}/record.json",
            "/api/games/{game_id}/sheet",
            "/api/games/{game_id}/sheet.csv",
            "/api/games/{game_id}/sheet.json",
            "/api/games/{game_id}/sheet.xlsx",
            "/backup/carnet-backup.jsonl",
            "/exports/{name}",
            "/games/{game_id}/record.carnet",
            "/games/{game_id}/record.json",
            "/games/{game_id}/sheet.csv",
            "/games/{game_id}/sheet.xlsx",
            "/history.csv",
            "/history.json",
            "/history.pdf",
            "/history.xlsx",
        ),
        "files",
    ),
    **dict.fromkeys(
        (
            "/api/evenings",
            "/api/evenings/{evening_id}",
            "/api/games",
            "/api/games/{game_id}/at/{version}/possible",
            "/api/games/{game_id}/possible",
            "/api/history",
            "/api/players/{player_id}",
            "/api/players/{player_id}/figures",
            "/api/standings",
            "/api/years/{year}",
            "/evenings/{evening_id}",
            "/evenings/{evening_id}/picture.png",
            "/games/{game_id}/picture.png",
            "/history",
            "/players",
            "/players/{player_id}",
            "/players/{player_id}/figures",
            "/standings",
            "/years/{year}",
            "/years/{year}/picture.png",
        ),
        "figures",
    ),
}

_Key: TypeAlias = tuple[Hashable, Kind]


class Shares:
    """The requests of these routes in this process, by caller and kind."""

    def __init__(self) -> None:
        self._there: Counter[_Key] = Counter()
        self._at_once: dict[_Key, asyncio.Semaphore] = {}

    async def take(self, caller: Hashable, kind: Kind) -> "Share":
        """Wait for a share; the caller releases it.

        Raises: TooManyRequests (too many wait, or too long), ClientLeft
        """
        share = Share(self, (caller, kind))
        if self._there[share.key] >= AT_ONCE[kind] + WAITING_MAX:
            raise TooManyRequests(RETRY_AFTER_SECONDS)
        self._there[share.key] += 1
        at_once = self._at_once.setdefault(share.key, asyncio.Semaphore(AT_ONCE[kind]))
        try:
            async with asyncio.timeout(WAIT_SECONDS_MAX):
                await at_once.acquire()
        except BaseException as error:
            self._leave(share.key)
            if isinstance(error, TimeoutError):
                raise TooManyRequests(RETRY_AFTER_SECONDS) from None
            raise
        if client_gone():
            share.release()
            raise ClientLeft
        return share

    def release(self, key: _Key) -> None:
        self._at_once[key].release()
        self._leave(key)

    def _leave(self, key: _Key) -> None:
        self._there[key] -= 1
        if not self._there[key]:
            del self._there[key], self._at_once[key]


class Share:
    def __init__(self, shares: Shares, key: _Key) -> None:
        self._shares = shares
        self.key = key

    def release(self) -> None:
        self._shares.release(self.key)
