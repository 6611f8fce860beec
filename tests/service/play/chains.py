"""Games that go on from one another, played by the commands of the service."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Self
from uuid import UUID, uuid4

from msgspec import Struct, json

from schemas.entries import UNDONE, Entry, SetAside
from schemas.scores import Result
from schemas.strict_json import Malformed
from service.metrics import WorkMetrics
from service.play.commands import GameCommands
from service.play.continuing import CannotContinue, Continuing
from service.play.queries import GameQueries
from service.play.runtime import new_runtime
from service.play.snapshots import Appended, GameSnapshot
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from service.store.read_models.projections import GameIndex


class ChainTable(Struct, frozen=True):
    """A table that plays by points."""

    players: Players
    index: GameIndex
    commands: GameCommands
    games: GameQueries

    @classmethod
    def of(cls, pool: Pool, club_id: UUID) -> Self:
        store, players = EventStore(pool, club_id), Players(pool, club_id)
        process, index = new_runtime(store), GameIndex(pool, club_id)
        commands = GameCommands(
            store, players, process, uuid4, lambda: token_bytes(16), WorkMetrics()
        )
        return cls(players, index, commands, GameQueries(index, process, lambda: datetime.now(UTC)))

    async def people(self, number: int) -> list[UUID]:
        made = [await self.players.create(uuid4(), f"P{uuid4()}") for _ in range(number)]
        return [person.player_id for person in made]

    async def begin(self, people: Sequence[UUID], **options: object) -> GameSnapshot:
        started = await self.commands.start("scores", json.encode(options), people, None)
        assert not isinstance(started, Malformed), started
        return started

    async def rounds(self, game: GameSnapshot, *rounds: Sequence[int | None]) -> GameSnapshot:
        return await self.append(game, *(Result(points=tuple(points)) for points in rounds))

    async def append(self, game: GameSnapshot, *entries: Entry) -> GameSnapshot:
        done = await self.commands.append(game.id, game.version, uuid4(), None, entries)
        assert isinstance(done, Appended), done
        return done.snapshot

    async def go_on(
        self,
        game: GameSnapshot,
        people: Sequence[UUID],
        starts: Mapping[UUID, int] | None = None,
        **options: object,
    ) -> GameSnapshot:
        continuing = Continuing(players=people, options=json.encode(options), starts=starts or {})
        gone_on = await self.commands.go_on(game, continuing, None)
        assert not isinstance(gone_on, Malformed | CannotContinue), gone_on
        return gone_on

    async def undo(self, game: GameSnapshot) -> None:
        await self.append(game, SetAside(reason=UNDONE))
