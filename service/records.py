"""The use cases of the portable record: give a game out, and take one in.

Promises: what is given out and taken in again is the same game, with the same hash; a record is
taken in whole or not at all, as a new game, after every entry was judged by today's rules; nothing
is stored by a look at it. Reading and judging happen in a thread: the service goes on answering.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import cast
from uuid import UUID, uuid5

import msgspec
from msgspec import Raw, Struct

from domain import notation
from domain.portable import Judged
from projections.summary import summary
from schemas.catalogue import encode, encode_all, shapes
from schemas.entries import Entry, Started
from schemas.record import PortableRecord, encode_record
from service import batches
from service.errors import KeyReused, NotFound
from service.folds import decoded
from service.record_input import Assessed, Format, Seated, assess, with_players
from service.store.events import EventStore
from service.store.players import Players
from service.store.projections import GameIndex
from service.store.records import GameStart, GameSummary
from service.views import PlayerView

# A record that is sent under a key of its own becomes the game of that key.
_IMPORTS = UUID("9f2a7f1e-2f0f-5a3b-8a55-7d7c3f6f2f0a")


class Given(Struct, frozen=True, kw_only=True):
    """A game given out, as of `version`."""

    record: PortableRecord
    version: int

    def text(self) -> str:
        """Write it as text (`domain.notation`)."""
        return notation.write(self.record)

    def json(self) -> bytes:
        """Write it as JSON (`schemas.record`)."""
        return encode_record(self.record, notation.digest(self.record))


class Taken(Struct, frozen=True, kw_only=True):
    """A record taken in, as this game. `replayed`: it was before, under the same key."""

    game_id: UUID
    version: int
    players: tuple[PlayerView, ...]
    replayed: bool


class _Started(Struct):
    ruleset: str


class Records:
    """Records of one club's games. `new_id` makes ids."""

    def __init__(
        self,
        store: EventStore,
        index: GameIndex,
        players: Players,
        new_id: Callable[[], UUID],
    ) -> None:
        self._store = store
        self._index = index
        self._players = players
        self._new_id = new_id

    async def give(self, game_id: UUID) -> Given:
        """Give a game out: its raw log, outcomes as they were stored, and who plays.

        Raises: NotFound, StoreUnavailable
        """
        rows = await self._store.read(game_id)
        if not rows:
            raise NotFound("game", game_id)
        of = shapes(msgspec.json.decode(rows[0].data, type=_Started).ruleset)
        first, *log = decoded(of, rows)
        started = cast("Started[Struct]", first)
        seated = (await self._index.game(game_id)).players
        known = await self._players.many(seated)
        record = PortableRecord(
            ruleset=started.ruleset,
            rules_version=started.rules_version,
            options=started.options,
            seats=started.seats,
            log=tuple(log),
            players=tuple(known[one].name if one in known else None for one in seated),
            date=rows[0].recorded_at,
        )
        return Given(record=record, version=rows[-1].version)

    async def assess(
        self, data: bytes, form: Format | None = None, players: Sequence[UUID] = ()
    ) -> Assessed:
        """Look at a record, storing nothing: every problem, who would sit where, the outcome.

        `form` None: JSON if it begins like JSON. `players`, one a seat, go before the names in it.

        Raises: StoreUnavailable
        """
        assessed = await asyncio.to_thread(assess, data, form)
        if assessed.record is None:
            return assessed
        people = await self._players.all()
        return with_players(assessed, players, people)

    async def take(
        self, assessed: Assessed, by: UUID | None, command_id: UUID | None = None
    ) -> Taken:
        """Store a record without problems as a new game; the same key again stores nothing.

        Raises: KeyReused, StoreUnavailable
        """
        record, judged = assessed.record, assessed.judged
        if record is None or judged is None or assessed.problems:
            raise ValueError("a record with problems is not taken in")
        command = command_id or self._new_id()
        game_id = uuid5(_IMPORTS, command.hex) if command_id else self._new_id()
        started = Started(
            ruleset=record.ruleset,
            rules_version=record.rules_version,
            options=record.options,
            seats=record.seats,
        )
        entries: list[Entry] = [started, *(line.entry for line in judged.lines)]
        stored = await self._store.command(game_id, command) if command_id else []
        if stored:
            if tuple(row.data for row in stored) != encode_all(entries):
                raise KeyReused(command)
            return await self._taken(game_id, len(stored), replayed=True)
        players = await self._made(assessed.seated)
        appended = await self._store.append(
            game_id=game_id,
            expected_version=0,
            command_id=command,
            by=by,
            entries=batches.new_entries(entries),
            summary=_summed(record, judged, players),
            deals=batches.deal_scores(batches.Judged(history=judged.history, lines=judged.lines)),
        )
        return await self._taken(game_id, len(appended.entries), replayed=appended.replayed)

    async def _made(self, seated: Sequence[Seated]) -> tuple[UUID, ...]:
        """Add whoever is new."""
        ids: list[UUID] = []
        for one in seated:
            if one.id is None:
                made = await self._players.create(self._new_id(), one.name or "")
                ids.append(made.player_id)
            else:
                ids.append(one.id)
        return tuple(ids)

    async def _taken(self, game_id: UUID, version: int, *, replayed: bool) -> Taken:
        seated = (await self._index.game(game_id)).players
        known = await self._players.many(seated)
        players = tuple(
            PlayerView(id=one, name=known[one].name if one in known else None) for one in seated
        )
        return Taken(game_id=game_id, version=version, players=players, replayed=replayed)


def _summed(record: PortableRecord, judged: Judged, players: tuple[UUID, ...]) -> GameSummary:
    """Sum up a game as it is taken in."""
    now = summary(judged.history.game)
    start = GameStart(
        ruleset=record.ruleset,
        options=Raw(encode(record.options)),
        seats=record.seats,
        players=players,
    )
    return GameSummary(status=now.status, deals=now.deals, totals=now.totals, start=start)
