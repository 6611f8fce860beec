"""Recognizes uploaded games that are stored already."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import cast
from uuid import UUID

from msgspec import Struct

from domain import notation
from schemas.catalogue import shapes
from schemas.days import day_without_time, timestamp_of_day
from schemas.entries import Started
from schemas.names import normalized_name
from schemas.record import PortableRecord
from service.play.game_cache import beginning, decode_rows
from service.store.log.events import EventStore
from service.store.log.known_games import GameTraits, KnownGames, SimilarGame
from service.store.records import StoredEntry
from service.transfer.uploads import Traits

# The width of the times that denote a day without a time (schemas/days.py).
_OF_A_DAY = timedelta(milliseconds=1)


class ExistingGame(Struct, frozen=True, kw_only=True):
    """A stored game. `set_aside`: it counts in no statistics."""

    game_id: UUID
    set_aside: bool


class Recognition:
    def __init__(self, store: EventStore, known: KnownGames) -> None:
        self._store = store
        self._known = known

    async def existing(self, game_ids: Sequence[UUID]) -> set[UUID]:
        return await self._known.existing(game_ids) if game_ids else set()

    async def find(self, asked: Sequence[Traits]) -> list[tuple[ExistingGame, ...]]:
        """Return, for each record, the stored games with the same content, oldest first."""
        found: list[list[ExistingGame]] = [[] for _ in asked]
        for alike in (
            await self._known.find_similar([_traits_of(one) for one in asked]) if asked else ()
        ):
            if await self._is(alike, asked[alike.number]):
                here = ExistingGame(game_id=alike.game_id, set_aside=alike.set_aside)
                found[alike.number].append(here)
        return [tuple(one) for one in found]

    async def _is(self, alike: SimilarGame, asked: Traits) -> bool:
        news = await self._store.news(alike.game_id)
        names = [one.name for one in news.seated]
        known = news.title.name if news.title else None
        if asked.title and known and normalized_name(asked.title) != normalized_name(known):
            return False
        unclear = asked.began_at is None or day_without_time(asked.began_at)
        if unclear and any(asked.players) and not _have_same_players(asked.players, names):
            return False
        return await asyncio.to_thread(stored_hash, news.entries) == asked.hash


def stored_hash(rows: Sequence[StoredEntry]) -> str:
    of = shapes(beginning(rows[0].data).ruleset)
    first, *log = decode_rows(of, rows)
    started = cast("Started[Struct]", first)
    record = PortableRecord(
        ruleset=started.ruleset,
        rules_version=started.rules_version,
        options=started.options,
        seats=started.seats,
        log=tuple(log),
    )
    return notation.digest(record)


def _traits_of(asked: Traits) -> GameTraits:
    day = day_without_time(asked.began_at) if asked.began_at else None
    return GameTraits(
        ruleset=asked.ruleset,
        version=asked.version,
        totals=asked.totals,
        first=timestamp_of_day(day) if day else asked.began_at,
        last=timestamp_of_day(day) + _OF_A_DAY if day else asked.began_at,
    )


def _have_same_players(told: Sequence[str | None], names: Sequence[str | None]) -> bool:
    return [normalized_name(one or "") for one in told] == [
        normalized_name(one or "") for one in names
    ]
