"""The games of a score book, kept."""

import asyncio
from collections.abc import Callable, Sequence
from uuid import UUID, uuid5

from msgspec import Struct

from service.errors import KeyReused
from service.store.club.players import Players
from service.store.records import Player
from service.transfer.portable_records import Records, TakenRecord
from service.transfer.recognition import Recognition
from service.transfer.score_books import BookGame
from service.transfer.uploads import Seated, judged, known_as, with_players

_BOOK = UUID("b0b2f5f0-0b61-5c3c-9d2e-2f0f1d7a4c55")
# Appends that wait together are stored together (`service.store.log.group_commit`).
_AT_ONCE = 32


class KeptGames(Struct, frozen=True, kw_only=True):
    """How many games were kept, and how many were here already."""

    games: int
    here: int


def game_of(game: BookGame, again: str = "") -> UUID:
    """Say which game it becomes; `again`: what makes it another one than before."""
    return Records.game_of(_command(game, again))


async def known_games(recognition: Recognition, games: Sequence[BookGame]) -> set[UUID]:
    """Return the games of a book that are here."""
    return await recognition.held([game_of(game) for game in games])


class ScoreKeeping:
    """Keeps the games of books in one club."""

    def __init__(self, records: Records, players: Players, new_id: Callable[[], UUID]) -> None:
        self._records = records
        self._players = players
        self._new_id = new_id

    async def keep(self, games: Sequence[BookGame], by: UUID | None, again: str = "") -> KeptGames:
        """Keep games; `again`: keep them although they are here, once under this name."""
        people = await self._everybody(games)
        new = 0
        for first in range(0, len(games), _AT_ONCE):
            some = games[first : first + _AT_ONCE]
            taken = await asyncio.gather(*(self._kept(one, people, by, again) for one in some))
            new += sum(taken)
        return KeptGames(games=new, here=len(games) - new)

    async def _everybody(self, games: Sequence[BookGame]) -> Sequence[Player]:
        people = await self._players.all()
        names = dict.fromkeys(name or "" for game in games for name in game.record.players)
        missing = [name for name in names if known_as(name, people) is None]
        for name in missing:
            await self._players.create(self._new_id(), name)
        return await self._players.all() if missing else people

    async def _kept(
        self, game: BookGame, people: Sequence[Player], by: UUID | None, again: str
    ) -> bool:
        found = [known_as(name, people) for name in game.record.players]
        chosen = [one or Seated(id=None, name=None) for one in found]
        assessed = with_players(judged(game.record), chosen, people)
        try:
            taken = await self._records.take(assessed, by, _command(game, again))
        except KeyReused:
            return False
        if not isinstance(taken, TakenRecord):
            raise TypeError("whoever plays was added before")
        return not taken.replayed


def _command(game: BookGame, again: str) -> UUID:
    return uuid5(_BOOK, f"{again}\0{game.key}")
