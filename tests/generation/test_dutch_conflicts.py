"""Who is named beside a refused card: whom leaving out every entry in turn would find, sooner."""

from collections.abc import Iterator, Sequence
from random import Random

import msgspec
import pytest

from domain.dutch import conflicts
from domain.inference import Evidence, Knowledge
from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record, shapes
from schemas.entries import Entry
from schemas.malformed import Malformed
from tests.generation.dutch import PROFILES, true_game
from tests.generation.dutch_table import PACK
from tests.generation.sizes import games
from tests.generation.test_effort import counted

LYING = {"swap", "drop", "snap"}
LONG = ("long", 2_000_181)
STEPS_MAX = 45_000
Asked = tuple[Knowledge, Sequence[Evidence], int | None]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Asked]:
    """Remember who was looked for, and found."""
    found: list[Asked] = []
    found_by = conflicts.conflicting_entry

    def remembering(known: Knowledge, pieces: Sequence[Evidence]) -> int | None:
        found.append((known, pieces, found_by(known, pieces)))
        return found[-1][2]

    monkeypatch.setattr(conflicts, "conflicting_entry", remembering)
    return found


def played(profile: str, seed: int) -> tuple[History, list[Entry]]:
    """Return a game that has not begun, and its true entries."""
    record = decode_record(msgspec.json.encode(true_game(seed, PROFILES[profile])))
    assert not isinstance(record, Malformed)
    seats = true_game(seed, PROFILES[profile])["seats"]
    return History(opening("dutch", record.options, seats)), list(record.log)


def lies(chance: Random, entry: Entry, count: int) -> Iterator[Entry]:
    """Yield an entry with other cards in it, where it names the card it lays."""
    told = msgspec.to_builtins(entry)
    if told["type"] in LYING:
        for card in chance.sample(PACK, count):
            found = shapes("dutch").decode_submitted(msgspec.json.encode([{**told, "card": card}]))
            assert not isinstance(found, Malformed)
            yield found[0]


def by_leaving_out_each(known: Knowledge, pieces: Sequence[Evidence]) -> int | None:
    trail = known.evidence()
    alone: list[int] = []
    for version in dict.fromkeys(one.version for one in trail):
        less = [kept for piece in trail for kept in conflicts.unnamed(piece, {version})]
        fresh = Knowledge(known.origin, known.origin).learn_all(less)
        if fresh is not None and fresh.learn_all(pieces) is not None:
            alone.append(version)
    return alone[0] if len(alone) == 1 else None


@pytest.mark.parametrize("profile", ["ranks alone", "ranks alone, unruly and unsure", "mistaken"])
def test_conflicting_entry__is_whom_leaving_out_each_entry_in_turn_finds(
    profile: str, asked: list[Asked]
) -> None:
    told = 0
    for seed in games(330_000, share=4):
        chance = Random(seed)  # noqa: S311 games, not secrets
        history, log = played(profile, seed)
        for entry in log[:80]:
            for lie in lies(chance, entry, 2):
                history.copy().judge(lie)
            assert not isinstance(history.judge(entry), Refusal)
        for known, pieces, found in asked:
            assert found == by_leaving_out_each(known, pieces), (seed, pieces)
        told += len(asked)
        asked.clear()
    assert told


def test_conflicting_entry__of_a_long_deal_is_found_in_few_steps(asked: list[Asked]) -> None:
    chance = Random(1)  # noqa: S311 games, not secrets
    history, log = played(*LONG)
    most = 0
    for at, entry in enumerate(log):
        for lie in lies(chance, entry, 6) if at % 100 == 0 else ():
            with counted() as steps:
                history.copy().judge(lie)
            most = max(most, steps[0])
        history.judge(entry)
    assert asked
    assert most < STEPS_MAX, most
