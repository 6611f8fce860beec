"""Imports the games of a table of scores."""

import asyncio
from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from uuid import UUID

from msgspec import Struct

from service.errors import KeyReused, NameTaken
from service.store.club.players import NameBook, Players
from service.transfer.portable_records import ImportedRecord, Records
from service.transfer.upload_jobs import KeepableGame, command_of
from service.transfer.uploads import Seated, seat_players


class ImportCounts(Struct, frozen=True, kw_only=True):
    games: int
    here: int


class ScoreKeeping:
    def __init__(self, records: Records, players: Players, new_id: Callable[[], UUID]) -> None:
        self._records = records
        self._players = players
        self._new_id = new_id

    async def import_games(
        self,
        parts: AsyncIterable[Sequence[KeepableGame]],
        names: Iterable[str],
        by: UUID | None,
        again: str = "",
        choices: Mapping[str, UUID] | None = None,
    ) -> ImportCounts:
        """Import games; `names`: all their players.

        `again`: also import games that exist, once per such name. `choices`: the person meant by a
        normalized name.
        """
        people = await self._everybody(names, choices or {})
        new = here = 0
        async for games in parts:
            # Concurrent appends share one commit (`service.store.log.group_commit`).
            kept = await asyncio.gather(*(self._keep(one, people, by, again) for one in games))
            new += sum(kept)
            here += len(kept) - sum(kept)
        return ImportCounts(games=new, here=here)

    async def _everybody(self, names: Iterable[str], choices: Mapping[str, UUID]) -> NameBook:
        people = (await self._players.names()).with_choices(choices)
        missing = [name for name in names if people.find(name) is None]
        for name in missing:
            with suppress(NameTaken):  # somebody else added them meanwhile
                await self._players.create(self._new_id(), name)
        return (await self._players.names()).with_choices(choices) if missing else people

    async def _keep(
        self, game: KeepableGame, people: NameBook, by: UUID | None, again: str
    ) -> bool:
        record = game.assessed.record
        found = [people.find(name or "") for name in (record.players if record else ())]
        chosen = [Seated(id=one.player_id if one else None, name=None) for one in found]
        assessed = seat_players(game.assessed, chosen, people)
        try:
            taken = await self._records.import_record(assessed, by, command_of(game.key, again))
        except KeyReused:
            return False
        if not isinstance(taken, ImportedRecord):
            raise TypeError("whoever plays was added before")
        return not taken.replayed
