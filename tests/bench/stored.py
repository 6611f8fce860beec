"""Generated games as the log stores them, written without the service: much of it, at once."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from secrets import token_bytes
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct, structs

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.entries import Entry, Record, Started
from service.play.append import new_entries
from service.store.log.chain import entry_hash, seating_hash
from service.store.log.dump import DumpedGame
from service.store.records import DEFAULT_CLUB, ChainedEntry, NewEntry, StoredEntry
from service.transfer.export_lines import encode_line, game_line
from tests.bench import games
from tests.generation.makers import MAKERS

START = datetime(2024, 1, 1, tzinfo=UTC)


class Made(Struct, frozen=True):
    seats: int
    entries: tuple[NewEntry, ...]


def entries_of(ruleset: str, record: Record[Any, Any], seats: int) -> tuple[NewEntry, ...]:
    """Return the entries of a game as they are stored, `started` and derived ones included."""
    start = Started(
        ruleset=ruleset,
        rules_version=shapes(ruleset).rules_version,
        options=record.options,
        seats=seats,
    )
    history = History(opening(ruleset, record.options, seats))
    log: list[Entry] = [start]
    for entry in record.log:
        lines = history.judge(entry)
        assert not isinstance(lines, Refusal)
        log += [line.entry for line in lines]
    return tuple(new_entries(log, partial(token_bytes, 16)))


@cache
def made(share: float) -> tuple[Made, ...]:
    by_kind = [
        [
            Made(seats, entries_of(material.ruleset, record, seats))
            for record, seats in zip(material.records, material.seats, strict=True)
        ]
        for material in (games.generated(kind, share) for kind in MAKERS)
    ]
    return tuple(one for some in zip(*by_kind, strict=True) for one in some)


def chained(
    game_id: UUID, players: Sequence[UUID], entries: Sequence[NewEntry], number: int = 0
) -> list[ChainedEntry]:
    """Chain entries as the log does, a second apart; the game began `number` minutes late."""
    links: list[ChainedEntry] = []
    last = seating_hash(players)
    at = START + timedelta(minutes=number)
    for version, entry in enumerate(entries, 1):
        link = ChainedEntry(
            game_id=game_id,
            entry=StoredEntry(
                version=version,
                type=entry.type,
                schema_version=entry.schema_version,
                data=entry.data,
                recorded_at=at + timedelta(seconds=version),
                recorded_by=None,
                hash=b"",
                ordinal=0,
                command_id=uuid4(),
                text=entry.free.text if entry.free else None,
            ),
            apart=entry.free is not None,
            salt=entry.free.salt if entry.free else None,
        )
        last = entry_hash(DEFAULT_CLUB, link, last)
        links.append(_hash(link, last))
    return links


def _hash(link: ChainedEntry, value: bytes) -> ChainedEntry:
    entry = structs.replace(link.entry, hash=value)
    return ChainedEntry(game_id=link.game_id, entry=entry, apart=link.apart, salt=link.salt)


def lines(share: float, entries: int, people: Sequence[UUID]) -> Iterator[tuple[bytes, int]]:
    written = number = 0
    while written < entries:
        for one in made(share):
            players = tuple(people[: one.seats])
            game_id = uuid4()
            links = tuple(chained(game_id, players, one.entries, number))
            yield (
                encode_line(
                    game_line(
                        DumpedGame(positions={}, game_id=game_id, players=players, links=links)
                    )
                ),
                len(links),
            )
            number += 1
            written += len(links)
            if written >= entries:
                return
