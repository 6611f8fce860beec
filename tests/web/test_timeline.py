from collections import Counter
from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.table.history import Line
from schemas.catalogue import encode, shapes, type_of
from schemas.entries import DERIVED, Entry, Note, is_splice
from service.play.game_cache import LoadedGame
from service.play.game_rows import Rows
from service.play.snapshots import GameSnapshot
from service.store.records import StoredEntry
from service.web.recorder.table.timeline import Chapter, chapter, chapter_of
from tests.projections.test_deals import batches


def row(version: int, entry: Entry) -> StoredEntry:
    return StoredEntry(
        version=version,
        type=type_of(entry),
        schema_version=1,
        data=encode(entry),
        recorded_at=datetime(2026, 11, 28, tzinfo=UTC),
        recorded_by=None,
        hash=b"",
        ordinal=0,
        command_id=UUID(int=version),
    )


def played(seed: int) -> tuple[GameSnapshot, list[Line]]:
    stored = [*batches(seed)]
    lines = [line for _, batch in stored for line in batch]
    loaded = LoadedGame(
        game_id=UUID(int=1),
        shapes=shapes("euchre"),
        # Nothing here reads `started`.
        rows=Rows.of([row(1, Note(text="")), *(row(one.version, one.entry) for one in lines)]),
        history=stored[-1][0],
    )
    return GameSnapshot(loaded=loaded, players=()), lines


def chapters(moment: GameSnapshot) -> list[Chapter]:
    return [chapter(moment, number) for number in range(1, len(moment.deals) + 1)]


@pytest.mark.parametrize("seed", range(8))
def test_every_entry_is_listed_once(seed: int) -> None:
    moment, lines = played(seed)
    listed = Counter((one.version, one.part) for deal in chapters(moment) for one in deal.entries)
    steps = moment.loaded.history.steps()
    moves = {(step.version, step.part) for step in steps}
    derived = {line.version for step in steps for line in step.derived}
    # An insertion is listed by those of its moves that count.
    inserted = {at for at, _ in moves}
    expected = {(1, 0), *moves, *((version, 0) for version in derived)}
    twice: list[tuple[int, int]] = []
    for one in lines:
        if type(one.entry) in DERIVED or ((one.version, 0) in moves and not is_splice(one.entry)):
            continue
        if is_splice(one.entry) and not one.entry.drop and one.version in inserted:
            continue
        twice += [(one.version, 0)] if (one.version, 0) in expected else []
        expected.add((one.version, 0))
    assert listed == Counter([*expected, *twice])


@pytest.mark.parametrize("seed", range(8))
def test_the_chapter_of_an_entry_lists_it(seed: int) -> None:
    moment, lines = played(seed)
    of_deal = {one.number: {line.version for line in one.entries} for one in chapters(moment)}
    listed = set[int]().union(*of_deal.values())
    for one in lines:
        if one.version in listed:
            assert one.version in of_deal[chapter_of(moment, one.version)], one
