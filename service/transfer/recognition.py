"""Recognizes uploaded games that are stored already."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from msgspec import Struct

from domain import notation
from schemas.days import day_without_time, timestamp_of_day
from schemas.names import normalized_name
from service.store.log.events import EventStore
from service.store.log.known_games import GameTraits, KnownGames, SimilarGame
from service.transfer.portable_records import stored_record
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

    async def find(self, traits: Sequence[Traits]) -> list[tuple[ExistingGame, ...]]:
        """Return, for each record, the stored games with the same content, oldest first."""
        matches: list[list[ExistingGame]] = [[] for _ in traits]
        for alike in (
            await self._known.find_similar([_traits_of(upload) for upload in traits])
            if traits
            else ()
        ):
            if await self._is_same_game(alike, traits[alike.number]):
                here = ExistingGame(game_id=alike.game_id, set_aside=alike.set_aside)
                matches[alike.number].append(here)
        return [tuple(games) for games in matches]

    async def _is_same_game(self, stored: SimilarGame, upload: Traits) -> bool:
        news = await self._store.news(stored.game_id)
        names = [player.name for player in news.seated]
        known = news.title.name if news.title else None
        if upload.title and known and normalized_name(upload.title) != normalized_name(known):
            return False
        unclear = upload.began_at is None or day_without_time(upload.began_at)
        if unclear and any(upload.players) and not _have_same_players(upload.players, names):
            return False
        record = await asyncio.to_thread(stored_record, news.entries)
        return await asyncio.to_thread(notation.digest, record) == upload.hash


def _traits_of(traits: Traits) -> GameTraits:
    day = day_without_time(traits.began_at) if traits.began_at else None
    return GameTraits(
        ruleset=traits.ruleset,
        version=traits.version,
        totals=traits.totals,
        first=timestamp_of_day(day) if day else traits.began_at,
        last=timestamp_of_day(day) + _OF_A_DAY if day else traits.began_at,
    )


def _have_same_players(told: Sequence[str | None], names: Sequence[str | None]) -> bool:
    return [normalized_name(name or "") for name in told] == [
        normalized_name(name or "") for name in names
    ]
