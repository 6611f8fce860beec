from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain.notation import read, write
from domain.portable import JudgedRecord, RefusedEntry, WrongDerivedEntry, WrongNumber, judge_record
from domain.replay import opening
from schemas import dutch, euchre
from schemas.catalogue import decode_record, ruleset_of, shapes
from schemas.entries import Seat
from schemas.record import PortableRecord
from schemas.strict_json import Malformed

GAMES = Path(__file__).parents[1] / "games"
FILES = sorted(GAMES.rglob("*.jsonl"))
TAGS = "[Ruleset euchre]\n[Seats 2]\n"
MADE = "result maker 0 tricks 3 dealer 0\n"
ENDED = "deal_ended deal 1 points 1 0 detail (maker 0 trump - tricks 3/2 euchred no)\n"
MARCH = ENDED.replace("points 1 0", "points 2 0").replace("3/2", "5/0")


class _Expected(msgspec.Struct):
    seats: int
    expect: dict[str, object]


def judged(log: str) -> JudgedRecord:
    reading = read(TAGS + log)
    assert reading.record is not None, reading.problems
    return judge_record(reading.record, reading.numbers)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GAMES)))
def test_recorded_games__stand_or_fall_as_they_should_and_their_texts_do_too(path: Path) -> None:
    for line in path.read_bytes().splitlines():
        decoded = decode_record(line)
        if isinstance(decoded, Malformed):
            continue
        expected = msgspec.json.decode(line, type=_Expected)
        record = PortableRecord(
            ruleset=ruleset_of(decoded),
            rules_version=shapes(ruleset_of(decoded)).rules_version,
            options=decoded.options,
            seats=expected.seats,
            log=decoded.log,
        )
        first = judge_record(record)
        assert (not first.faults) == expected.expect["ok"]
        told = replace(record, log=tuple(one.entry for one in first.lines))
        reading = read(write(told))
        assert reading.record == told
        again = judge_record(told, reading.numbers)
        assert (again.lines, again.faults) == (first.lines, ())


def test_outcomes__that_are_left_out_everywhere_are_added() -> None:
    found = judged(MADE + "result maker -\n")
    assert [line.version for line in found.lines] == [2, 3, 4, 5]
    assert not found.faults


def test_outcome__another_one_is_told_with_the_one_that_is_due() -> None:
    found = judged(MADE + MARCH)
    assert found.faults == (WrongDerivedEntry(1, found.lines[1].entry),)


def test_outcome__that_is_missing_where_others_are_told_is_told() -> None:
    found = judged(MADE + "result maker -\n" + ENDED)
    assert found.faults[0] == WrongDerivedEntry(1, found.lines[1].entry)
    found = judged(MADE + ENDED + "result maker -\n")
    assert found.faults == (WrongDerivedEntry(3, found.lines[3].entry),)


def test_outcome__of_nothing_is_told() -> None:
    assert judged(MADE + ENDED + 'note "x"\n' + ENDED).faults == (WrongDerivedEntry(3, None),)


def test_outcome__written_again_by_a_correction_is_compared_too() -> None:
    amended = "amend version 2 move (result maker 0 tricks 5 dealer 0)\n"
    assert not judged(MADE + ENDED + amended + MARCH).faults
    assert judged(MADE + ENDED + amended + ENDED).faults[0].index == 3


def test_refused__what_comes_after_is_not_judged() -> None:
    found = judged("deal dealer 0 turn_up QH\n0 order\n0 order\n")
    (fault,) = found.faults
    assert isinstance(fault, RefusedEntry)
    assert (fault.index, fault.refusal.rule) == (1, "euchre.order")
    assert [line.version for line in found.lines] == [2]


def test_numbers__are_the_versions_that_the_service_would_have_counted() -> None:
    assert not judged("2. " + MADE + "4. result maker -\n").faults
    assert judged("2. " + MADE + "3. result maker -\n").faults == (WrongNumber(1, 4),)
    assert judged("3. " + MADE).faults == (WrongNumber(0, 2),)


@pytest.mark.parametrize(
    ("ruleset", "options", "first"),
    [("dutch", dutch.Options(), 1), ("euchre", euchre.Options(), 0)],
    ids=["dutch", "euchre"],
)
def test_ranking__is_by_points(
    ruleset: str, options: dutch.Options | euchre.Options, first: Seat
) -> None:
    game = opening(ruleset, options, 2)
    assert game.rules.ranking(replace(game, totals=(9, 3))) == ((first,), (1 - first,))
