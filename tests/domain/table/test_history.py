from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History, Line
from domain.table.refusal import Refusal
from domain.table.rules import Game, Status
from schemas.catalogue import encode, shapes
from schemas.entries import DealEnded, Entry, GameEnded, Started
from schemas.euchre import Detail, Options
from schemas.strict_json import Malformed
from tests.generation.euchre import PROFILES, true_game
from tests.generation.sizes import games

Raw = dict[str, Any]


def start(**options: Any) -> Game:  # noqa: ANN401 any option
    return opening("euchre", Options(**options), 2)


def decoded(*entries: Raw) -> tuple[Entry, ...]:
    found = shapes("euchre").decode_submitted(msgspec.json.encode(entries))
    assert not isinstance(found, Malformed)
    return found


def judged(history: History, *entries: Raw) -> list[Line]:
    lines: list[Line] = []
    for entry in decoded(*entries):
        written = history.judge(entry)
        assert not isinstance(written, Refusal), written
        lines.extend(written)
    return lines


def result(maker: int, tricks: int, **more: Any) -> Raw:  # noqa: ANN401 any field
    return {"type": "result", "maker": maker, "tricks": tricks, **more}


def take_back(to: int) -> Raw:
    return {"type": "take_back", "to": to}


def amend(version: int, move: Raw) -> Raw:
    return {"type": "amend", "version": version, "move": move}


NOTE: Raw = {"type": "note", "text": "tea"}


def true_games() -> Iterator[tuple[Game, list[Raw]]]:
    for seed in games(40_000):
        record = true_game(seed, PROFILES["unruly and doubtful"])
        yield start(**record["options"]), record["log"]


def same(one: Game, other: Game) -> bool:
    seen = [
        (game.totals, game.deals, game.status, judgement.situation(game)) for game in (one, other)
    ]
    return seen[0] == seen[1]


# --- the log


def test_log__versions_are_written_without_a_gap() -> None:
    for begun, log in true_games():
        lines = judged(History(begun), *log)
        assert [line.version for line in lines] == list(range(2, len(lines) + 2))


def test_log__restored_from_its_stored_lines_is_the_same_game() -> None:
    for begun, log in true_games():
        history, restored = History(begun), History(begun)
        stored = [encode(line.entry) for line in judged(history, *log)]
        restored.restore(shapes("euchre").decode_stored(data) for data in stored)
        assert same(history.game, restored.game)
        assert (history.version, history.take_back_targets) == (
            restored.version,
            restored.take_back_targets,
        )
        assert restored.steps() == history.steps()


def test_log__restored_part_way_goes_on_as_if_it_had_never_stopped() -> None:
    for begun, log in true_games():
        cut = Random(len(log)).randrange(len(log) + 1)  # noqa: S311 games, not secrets
        history, restored = History(begun), History(begun)
        restored.restore(line.entry for line in judged(history, *log[:cut]))
        assert judged(restored, *log[cut:]) == judged(history, *log[cut:])
        assert same(history.game, restored.game)


def test_log__restored_skips_its_opening() -> None:
    begun = start()
    restored = History(begun)
    opened = Started(ruleset="euchre", rules_version=1, options=begun.options, seats=2)
    restored.restore([opened, *decoded(result(0, 3))])
    assert (restored.version, restored.take_back_targets) == (3, (1, 2))


def test_log__restored_trusts_what_was_judged_then() -> None:
    # Today's rules refuse the dealer and the correction, but stored entries count.
    stored = decoded(
        result(0, 3, dealer=0), result(0, 3, dealer=0), amend(4, result(0, 4, dealer=0))
    )
    assert isinstance(History(start()).judge(stored[2]), Refusal)
    restored = History(start())
    restored.restore(stored)
    assert (restored.version, restored.game.totals) == (7, (2, 0))


def test_log__each_version_keeps_the_game_that_stood_then() -> None:
    for begun, log in true_games():
        history = History(begun)
        stood = {1: history.game}
        for entry in log:
            judged(history, entry)
            stood[history.version] = history.game
        assert all(history.at(version) is game for version, game in stood.items())


def test_log__until_a_version_is_the_history_as_that_version_left_it() -> None:
    for begun, log in true_games():
        history, then = History(begun), History(begun)
        judged(history, *log)
        for entry in log:
            judged(then, entry)
            until = history.until(then.version)
            assert (until.version, until.take_back_targets) == (
                then.version,
                then.take_back_targets,
            )
            assert same(until.game, then.game)
            assert [(step.version, step.entry, step.derived) for step in until.steps()] == [
                (step.version, step.entry, step.derived) for step in then.steps()
            ]


def test_log__until_a_version_goes_on_by_itself() -> None:
    history = History(start())
    judged(history, result(0, 3), NOTE, NOTE)
    until = history.until(3)
    assert judged(until, take_back(2)) == judged(history.until(3), take_back(2))
    assert (history.version, history.take_back_targets) == (5, (1, 2, 4, 5))
    assert [v for v in range(7) if history.is_take_back_target(v)] == [1, 2, 4, 5]


def test_log__a_version_that_never_was_has_no_game() -> None:
    with pytest.raises(ValueError, match="version 2 is not one of 1 to 1"):
        History(start()).at(2)


def test_log__a_refusal_changes_nothing() -> None:
    history = History(start())
    judged(history, result(0, 3))
    before = (history.version, history.take_back_targets, history.game)
    for entry in decoded(
        take_back(3), amend(3, NOTE), amend(2, result(2, 3)), {"type": "pass", "seat": 0}
    ):
        assert isinstance(history.judge(entry), Refusal)
    assert (history.version, history.take_back_targets, history.game) == before


def test_log__a_splice_that_drops_too_many_is_told_how_many_there_are() -> None:
    history = History(start())
    judged(history, result(0, 3), NOTE)
    (beyond,) = decoded({"type": "splice", "version": 4, "drop": 3, "moves": []})
    refusal = history.judge(beyond)
    assert isinstance(refusal, Refusal)
    assert refusal.facts == {"version": 4, "number": 1, "why": "beyond"}


def test_log__a_copy_goes_its_own_way() -> None:
    history = History(start())
    judged(history, result(0, 3))
    twin = history.copy()
    judged(twin, result(0, 3), take_back(1))
    assert (history.version, history.game.totals) == (3, (1, 0))


# --- derived entries


def kinds(lines: list[Line]) -> list[str]:
    return [type(line.entry).__name__ for line in lines]


def test_derived__a_deal_that_decides_is_followed_by_the_end_of_the_game() -> None:
    lines = judged(History(start(target=2)), result(0, 5))
    assert kinds(lines) == ["Result", "DealEnded", "GameEnded"]
    assert lines[2].entry == GameEnded(totals=(2, 0), ranking=((0,), (1,)))


def test_derived__a_deal_ended_says_which_its_points_and_its_detail() -> None:
    lines = judged(History(start()), result(0, 3), result(1, 1))
    detail = Detail(maker=1, trump=None, tricks=(4, 1), euchred=True)
    assert lines[3].entry == DealEnded(deal=2, points=(2, 0), detail=detail)


def test_derived__a_finish_ends_the_game_with_ties_together() -> None:
    lines = judged(History(start()), {"type": "finish", "reason": "late"})
    assert lines[1].entry == GameEnded(totals=(0, 0), ranking=((0, 1),))


def test_derived__a_stored_deal_is_never_computed_again() -> None:
    history = History(start())
    detail = Detail(maker=0, trump=None, tricks=(3, 2), euchred=False)
    agreed = DealEnded(deal=1, points=(4, 0), detail=detail)
    history.restore([*decoded(result(0, 3)), agreed])
    assert (history.game.totals, tuple(history.game.deals)) == ((4, 0), ((4, 0),))


def test_derived__a_take_back_writes_again_what_was_agreed() -> None:
    history = History(start())
    detail = Detail(maker=0, trump=None, tricks=(3, 2), euchred=False)
    agreed = DealEnded(deal=1, points=(4, 0), detail=detail)
    history.restore([*decoded(result(0, 3)), agreed])
    lines = judged(history, NOTE, take_back(2))
    assert [(line.version, line.entry) for line in lines[2:]] == [(6, agreed)]


def test_derived__a_take_back_writes_again_what_several_entries_caused() -> None:
    history = History(start())
    judged(history, result(0, 3), result(0, 3), amend(2, result(0, 5)))
    lines = judged(history, NOTE, take_back(6))
    assert [line.version for line in lines] == [9, 10, 11, 12]
    assert kinds(lines) == ["Note", "TakeBack", "DealEnded", "DealEnded"]


def test_derived__an_amend_computes_anew_from_its_target_on() -> None:
    history = History(start())
    judged(history, result(0, 3), result(0, 3))
    lines = judged(history, amend(4, result(0, 5)))
    assert [line.version for line in lines] == [6, 7]
    assert history.game.deals == ((1, 0), (2, 0))


# --- previews


def test_preview__stores_nothing() -> None:
    history = History(start())
    judged(history, result(0, 3), result(0, 3))
    (correction,) = decoded(amend(2, result(0, 5)))
    history.preview(correction)
    assert (history.version, history.game.totals) == (5, (2, 0))


def test_preview__shows_the_game_that_would_stand() -> None:
    history = History(start())
    judged(history, result(0, 3), result(0, 3))
    for correction, totals in ((amend(2, result(0, 5)), (3, 0)), (take_back(2), (1, 0))):
        shown = history.preview(decoded(correction)[0])
        assert (shown.refusal, shown.fallen, shown.game.totals) == (None, (), totals)


def test_history__a_very_long_one_is_freed_without_deep_calls() -> None:
    history = History(start())
    for note in decoded(NOTE) * 300_000:
        history.judge(note)
    judged(history, amend(2, NOTE))
    del history  # recursive deallocation of a long chain would overflow the stack


def test_preview__shows_every_entry_that_would_fall() -> None:
    history = History(start(target=2))
    judged(
        history,
        result(0, 3),
        NOTE,
        result(1, 3),
        {"type": "adjust", "seat": 0, "points": 0, "reason": "x"},
    )
    shown = history.preview(decoded(amend(2, result(0, 5)))[0])
    assert [(fallen.version, fallen.refusal.rule) for fallen in shown.fallen] == [
        (5, "table.phase"),
        (7, "table.phase"),
    ]
    assert shown.game.status is Status.OVER


def test_preview__says_what_judging_would_say() -> None:
    for begun, log in true_games():
        history = History(begun)
        judged(history, *log)
        for version in range(history.version + 2):
            for correction in decoded(
                amend(version, result(0, 3)), *[take_back(version)] * (version > 0)
            ):
                refusal = history.preview(correction).refusal
                told = history.copy().judge(correction)
                assert refusal == (told if isinstance(told, Refusal) else None), correction


DEALT: Raw = {"type": "deal", "dealer": 0, "turn_up": "QH"}
PASS: Raw = {"type": "pass", "seat": 1}
VOID: Raw = {"type": "void", "reason": "misdeal"}
FIRST = result(0, 3, dealer=0)  # versions 2 and 3
SECOND: Raw = {**DEALT, "dealer": 1}
ORDER: Raw = {"type": "order", "seat": 0}


@pytest.mark.parametrize(
    ("log", "first"),
    [
        ([], None),
        ([NOTE], None),
        ([DEALT, PASS], 2),
        ([DEALT, VOID], None),
        ([DEALT, {"type": "finish", "reason": "late"}], None),
        ([FIRST, SECOND, ORDER], 4),
        ([FIRST, NOTE, SECOND], 5),
        # A correction of an earlier deal, whose derived entries have later versions.
        ([FIRST, SECOND, ORDER, amend(2, result(0, 4, dealer=0))], 4),
        # The deal was restarted: its earlier entries still belong to it.
        ([FIRST, SECOND, ORDER, take_back(2), NOTE, SECOND], 4),
        ([FIRST, SECOND, ORDER, take_back(2), NOTE], 4),
        ([FIRST, SECOND, take_back(2), {**FIRST, "dealer": 1}, DEALT], 9),
        # An ended deal is reopened.
        ([DEALT, PASS, result(0, 3), SECOND, take_back(3)], 2),
    ],
)
def test_deal_from__is_the_first_version_of_the_deal_in_progress(
    log: list[Raw], first: int | None
) -> None:
    history = History(start())
    judged(history, *log)
    assert history.deal_first_version == first
