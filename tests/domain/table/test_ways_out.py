"""The ways out where more than one thing goes: what a splice reaches, and where its gaps are."""

import msgspec

from schemas.entries import SPLICED_MAX
from tests.domain.table.test_correction_effects import (
    HEARTS,
    WON,
    fates,
    history,
    kept,
    play,
    splice,
    taken,
    three_deals,
)
from tests.domain.table.test_history import NOTE, result


def test_keep__where_nothing_falls_the_splice_ends_with_the_gap() -> None:
    (only,) = kept(three_deals(), splice(15, 1)).entries
    told = msgspec.to_builtins(only)
    assert (told["version"], told["drop"], len(told["moves"])) == (15, 1, 1)


def test_keep__what_stands_before_the_last_that_falls_is_written_down_again() -> None:
    made = history(result(1, 3, dealer=1), *WON, NOTE, result(0, 3), target=4)
    # The first deal is worth one more, and the second is broken: the game is over with it.
    better = splice(2, 7, result(1, 5, dealer=1), *HEARTS, play(1, "AS"), play(0, "9H"))
    assert fates(made, better) == [(1, "changes"), (2, "falls"), (3, "falls")]
    way = kept(made, better)
    told = msgspec.to_builtins(way.entries[0])
    assert [move["type"] for move in told["moves"][-2:]] == ["result", "note"]
    taken(made, way, maker=1, tricks=4)
    assert made.game.deals == ((0, 2), (0, 1))
    assert [type(step.entry).__name__ for step in made.steps()].count("Note") == 1


def test_apart__the_gaps_are_counted_on_after_what_is_waived() -> None:
    second = [
        {**HEARTS[0], "dealer": 1},
        {"type": "pass", "seat": 0},
        {"type": "pass", "seat": 1},
        {"type": "name", "seat": 0, "suit": "H"},
        result(0, 3),
    ]
    made = history(*WON, *second, {**HEARTS[0], "dealer": 0})
    way = kept(made, splice(14, 5, *[NOTE] * SPLICED_MAX))
    assert [msgspec.to_builtins(entry)["type"] for entry in way.entries] == [
        "amend",
        "splice",
        "splice",
    ]
    assert [(gap.entry, gap.move) for gap in way.gaps] == [(1, 0)]


def test_keep__what_stands_after_the_last_that_falls_is_left_alone() -> None:
    made = history(result(1, 3, dealer=1), *WON, NOTE, result(0, 3), NOTE, NOTE, target=4)
    better = splice(2, 7, result(1, 5, dealer=1), *HEARTS, play(1, "AS"), play(0, "9H"))
    way = kept(made, better)
    told = msgspec.to_builtins(way.entries[0])
    assert [move["type"] for move in told["moves"][-2:]] == ["result", "note"]
    taken(made, way, maker=1, tricks=4)
    assert [type(step.entry).__name__ for step in made.steps()].count("Note") == 3
