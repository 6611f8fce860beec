from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.table.history import History, Line
from domain.table.refusal import Refusal
from projections.deals import Deals
from projections.games import game_by_deals, sheet_of
from schemas.catalogue import shapes
from schemas.entries import Entry
from schemas.strict_json import Malformed
from tests.service.refused import history

NOTE: dict[str, Any] = {"type": "note", "text": "tea"}
FINE: dict[str, Any] = {"type": "adjust", "seat": 0, "points": 1, "reason": "late"}
PASSED: dict[str, Any] = {"type": "result", "maker": None}
WON: dict[str, Any] = {"type": "result", "maker": 1, "tricks": 3}
TAPS = 60


def entry_of(written: dict[str, Any]) -> Entry:
    found = shapes("euchre").decode_submitted(msgspec.json.encode([written]), "$")
    assert not isinstance(found, Malformed), found
    return found[0]


def random_correction(chance: Random, game: History) -> dict[str, Any]:
    target = chance.choice(game.steps())
    place = {"version": target.version, "part": target.part}
    kind = chance.choice(["take_back", "amend", "splice"])
    if kind == "take_back":
        return {"type": kind, "to": chance.choice(game.take_back_targets)}
    if kind == "amend":
        return {"type": kind, **place, "move": chance.choice([NOTE, PASSED, WON])}
    moves = chance.choices([NOTE, FINE, PASSED], k=chance.randint(1, 3))
    return {"type": kind, **place, "drop": chance.randint(0, 2), "moves": moves}


def batches(seed: int) -> Iterator[tuple[History, tuple[Line, ...]]]:
    """Yield a game after each of its entries, a third of them corrections, and what was stored."""
    chance = Random(seed)  # noqa: S311 games, not secrets
    game = history([])
    for _ in range(TAPS):
        corrects = game.version > 1 and game.steps() and chance.random() < 1 / 3
        plain = chance.choice([NOTE, NOTE, FINE, PASSED, WON])
        trial = game.copy()
        stored = trial.judge(entry_of(random_correction(chance, game) if corrects else plain))
        if not isinstance(stored, Refusal):
            game = trial
            yield game, stored


def versions(seed: int) -> Iterator[History]:
    return (game for game, _ in batches(seed))


def describe_deals(deals: Deals) -> tuple[Any, ...]:
    return (
        [(id(one.last), one.first, one.start, one.entries) for one in deals.ended],
        [id(step) for step in deals.open],
        [*deals.rows],
        [*deals.charted],
        [*deals.inserted],
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_fold_that_continues_equals_one_from_the_beginning(seed: int) -> None:
    known: Deals | None = None
    for game in versions(seed):
        known = game_by_deals(game, known)
        assert describe_deals(known) == describe_deals(game_by_deals(game))


@pytest.mark.parametrize("seed", range(6))
def test_an_earlier_version_is_found_from_the_newest(seed: int) -> None:
    *_, newest = versions(seed)
    known = game_by_deals(newest)
    for version in range(1, newest.version + 1):
        then = newest.until(version)
        assert describe_deals(game_by_deals(then, known)) == describe_deals(game_by_deals(then))


@pytest.mark.parametrize("seed", range(6))
def test_every_effective_entry_is_found_by_its_place(seed: int) -> None:
    *_, game = versions(seed)
    deals = game_by_deals(game)
    assert all(deals.step((one.version, one.part)) is one for one in game.steps())
    assert [*deals.steps_from(1)] == game.steps()
    behind = [deals.steps_behind(one) for one in reversed(game.steps())]
    assert behind == [*range(len(behind))]


def test_a_correction_of_the_last_deal_reads_no_earlier_deal() -> None:
    game = history([WON, WON, NOTE, WON])
    known = game_by_deals(game)
    game.judge(entry_of({"type": "take_back", "to": 6}))
    after = game_by_deals(game, known)
    assert all(one is was for one, was in zip(after.ended, known.ended[:2], strict=True))


def test_the_last_deal_of_a_finished_game_has_the_remarks_after_it() -> None:
    deals = game_by_deals(history([WON, {"type": "finish", "reason": "late"}, NOTE]))
    assert (len(deals), len(deals.steps(2))) == (2, 2)
    won = [{**WON, "tricks": 5}] * 5
    deals = game_by_deals(history([*won, NOTE]))
    assert (len(deals), len(deals.steps(5)), deals.entries(5)) == (5, 2, 4)


def test_the_latest_correction_of_an_entry_is_known_at_each_version() -> None:
    game = history([NOTE, NOTE])
    for text in ("milk", "water"):
        move = {"type": "note", "text": text}
        game.judge(entry_of({"type": "amend", "version": 2, "part": 0, "move": move}))
    known = game_by_deals(game)
    then = game_by_deals(game.until(4), known)
    assert (known.latest_correction((2, 0)), then.latest_correction((2, 0))) == (5, 4)
    assert known.latest_correction((3, 0)) is None


def test_some_rows_of_a_sheet_are_rows_of_the_whole_sheet() -> None:
    game = history([WON, NOTE, WON])
    rows = game_by_deals(game).rows
    assert sheet_of(game, rows[1:]).rows == sheet_of(game).rows[1:]
