"""Games for the store's tests; the store does not judge rules, so the entries need not be legal."""

from collections.abc import Sequence
from functools import partial
from secrets import token_bytes
from typing import Self
from uuid import UUID, uuid4

from msgspec import Raw, Struct, json

from schemas.entries import Entry, Note
from service.play.append import new_entries
from service.store.club.players import Players
from service.store.log.events import EventStore
from service.store.records import (
    AppendedEntries,
    DealScore,
    GameStart,
    GameSummary,
    NewEntry,
)

OPEN = GameSummary(status="open", deals=0, totals=(0, 0), places=(1, 1), took_part=(False, False))


def entry(word: str, **fields: object) -> NewEntry:
    """Make an entry of type `word`."""
    return NewEntry(type=word, schema_version=1, data=json.encode({"type": word, **fields}))


def play(seat: int, card: str) -> NewEntry:
    return entry("play", seat=seat, card=card)


def new_entry_of(recorded: Entry) -> NewEntry:
    return new_entries([recorded], partial(token_bytes, 16))[0]


def note(text: str) -> NewEntry:
    return new_entry_of(Note(text=text))


def deal_score(deal: int, version: int, *points: int) -> DealScore:
    return DealScore(deal=deal, version=version, points=points, detail=Raw(b'{"march": true}'))


def scored(*deals: DealScore) -> GameSummary:
    totals = tuple(sum(points) for points in zip(*(deal.points for deal in deals), strict=True))
    return GameSummary(
        status="open",
        deals=len(deals),
        totals=totals or (0, 0),
        places=(1, 1),
        took_part=(False, False),
    )


class SampleTable(Struct, frozen=True):
    events: EventStore
    players: tuple[UUID, ...]

    @classmethod
    async def with_players(cls, events: EventStore, players: Players) -> Self:
        ann, bob = uuid4(), uuid4()
        await players.create(ann, "Ann", same_name=True)
        await players.create(bob, "Bob", same_name=True)
        return cls(events, (ann, bob))

    def game_start(self, ruleset: str = "euchre", title: UUID | None = None) -> GameStart:
        options = Raw(b'{"deck": 24}')
        return GameStart(
            ruleset=ruleset, options=options, seats=2, players=self.players, title=title
        )

    async def start_game(self, ruleset: str = "euchre") -> UUID:
        """Start a game; it is at version 1."""
        game_id = uuid4()
        await self.events.append(
            game_id=game_id,
            expected_version=0,
            command_id=uuid4(),
            by=None,
            entries=[entry("started", ruleset=ruleset)],
            summary=GameSummary(
                status="open",
                deals=0,
                totals=(0, 0),
                places=(1, 1),
                took_part=(False, False),
                start=self.game_start(ruleset),
            ),
        )
        return game_id

    async def append(
        self,
        game_id: UUID,
        expected_version: int,
        *entries: NewEntry,
        command_id: UUID | None = None,
        summary: GameSummary = OPEN,
        deals: Sequence[DealScore] | None = None,
        duplicates_checked: bool = True,
    ) -> AppendedEntries:
        return await self.events.append(
            game_id=game_id,
            expected_version=expected_version,
            command_id=command_id or uuid4(),
            by=self.players[0],
            entries=entries,
            summary=summary,
            deals=deals,
            duplicates_checked=duplicates_checked,
        )
