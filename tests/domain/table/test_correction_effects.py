from typing import Any

import msgspec
import pytest

from domain.replay import opening
from domain.table.correction_effects import CorrectionEffects, correction_effects
from domain.table.correction_repairs import Repair, Repairs, find_repairs
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.entries import SPLICED_MAX
from schemas.strict_json import Malformed
from tests.domain.table.test_history import (
    NOTE,
    Raw,
    amend,
    decoded,
    judged,
    result,
    start,
    take_back,
)


def play(seat: int, card: str) -> Raw:
    return {"type": "play", "seat": seat, "card": card}


def splice(version: int, drop: int, *moves: Raw) -> Raw:
    return {"type": "splice", "version": version, "drop": drop, "moves": list(moves)}


HEARTS: list[Raw] = [
    {"type": "deal", "dealer": 0, "turn_up": "9S"},
    {"type": "pass", "seat": 1},
    {"type": "pass", "seat": 0},
    {"type": "name", "seat": 1, "suit": "H"},
]
# Versions 2 to 5, 6 to 15: seat 1 wins every trick; 16 the end of the deal.
WON: list[Raw] = [
    *HEARTS,
    *(play(1, "AS"), play(0, "9D"), play(1, "KS"), play(0, "TD"), play(1, "QS")),
    *(play(0, "JC"), play(1, "TS"), play(0, "QC"), play(1, "AC"), play(0, "KC")),
]
LOSES = amend(7, play(0, "9H"))  # a trump: seat 0 leads next


def history(*log: Raw, **options: object) -> History:
    made = History(start(**options))
    for entry in log:
        judged(made, entry)
    return made


def three_deals() -> History:
    return history(*WON, result(0, 3), result(1, 4))


def effects_and_repairs(made: History, correction: Raw) -> tuple[CorrectionEffects, Repairs | None]:
    (entry,) = decoded(correction)
    edit = made.preview(entry).edit
    assert edit is not None
    followed = correction_effects(made.opening, edit)
    return followed, find_repairs(made.opening, edit, entry, followed)


def fates(made: History, correction: Raw) -> list[tuple[int, str]]:
    return [(deal.deal, deal.fate) for deal in effects_and_repairs(made, correction)[0].deals]


def ways(made: History, correction: Raw) -> Repairs:
    found = effects_and_repairs(made, correction)[1]
    assert found is not None
    return found


def keeping_repair(made: History, correction: Raw) -> Repair:
    keep = ways(made, correction).keep
    assert keep is not None
    return keep


def taken(made: History, way: Repair, **filled: object) -> History:
    entries: list[Any] = msgspec.json.decode(msgspec.json.encode(way.entries))
    for gap in way.gaps:
        entries[gap.entry]["moves"][gap.move] |= filled
    judged(made, *entries)
    return made


def test_a_deal_that_falls_names_its_first_entry_and_why() -> None:
    first = effects_and_repairs(three_deals(), LOSES)[0].deals[0]
    assert first.falls is not None
    assert first.refusal is not None
    assert (first.fate, first.falls.version, first.refusal.rule) == ("falls", 8, "euchre.lead")
    assert (first.before, first.after) == ((0, 2), None)


def test_a_deal_whose_end_goes_falls_and_the_whole_one_after_it_is_dropped() -> None:
    assert fates(three_deals(), splice(10, 7)) == [(1, "falls"), (2, "dropped"), (3, "stands")]


def test_a_deal_whose_end_goes_has_lost_its_own_points_not_the_next_one_s() -> None:
    first = effects_and_repairs(three_deals(), splice(10, 7))[0].deals[0]
    assert first.falls is not None
    assert (first.falls.version, first.refusal, first.before) == (19, None, (0, 2))


def test_a_deal_that_goes_on_when_all_after_it_goes_changes() -> None:
    assert fates(three_deals(), splice(14, 4)) == [(1, "changes"), (2, "dropped"), (3, "dropped")]


def test_deals_after_one_that_falls_stand_with_their_points() -> None:
    later = effects_and_repairs(three_deals(), LOSES)[0].deals[1:]
    points = [(1, 0), (0, 1)]
    assert [(deal.fate, deal.before, deal.after) for deal in later] == [
        ("stands", one, one) for one in points
    ]


def test_what_stands_is_kept_step_by_step_with_a_gap_where_the_deal_ended() -> None:
    followed = effects_and_repairs(three_deals(), LOSES)[0]
    assert [one.step and one.step.version for one in followed.survivors] == [None, 17, 19]
    assert followed.survivors[0].gap is not None


def test_the_later_deals_are_kept_by_one_splice_up_to_the_end_of_the_broken_one() -> None:
    (only,) = keeping_repair(three_deals(), LOSES).entries
    told_as = msgspec.to_builtins(only)
    assert (told_as["version"], told_as["drop"], len(told_as["moves"])) == (7, 9, 2)


def test_a_gap_says_what_the_game_is_there() -> None:
    (gap,) = keeping_repair(three_deals(), LOSES).gaps
    assert (gap.entry, gap.move, gap.choice.type) == (0, 1, "result")
    assert gap.game.deals == ()


def test_once_the_gap_is_filled_the_later_deals_count_on() -> None:
    made = three_deals()
    taken(made, keeping_repair(made, LOSES), maker=1, tricks=3)
    assert made.game.deals == ((0, 1), (1, 0), (0, 1))


def test_going_back_takes_everything_from_the_first_that_falls() -> None:
    made = three_deals()
    taken(made, ways(made, LOSES).back)
    assert made.game.deals == ()
    assert made.game.deal is not None


def test_a_deal_made_of_two_passes_the_deal_on_from_who_dealt_it() -> None:
    second: list[Raw] = [
        {**HEARTS[0], "dealer": 1},
        {"type": "pass", "seat": 0},
        {"type": "pass", "seat": 1},
        {"type": "name", "seat": 0, "suit": "H"},
        result(0, 3),
    ]
    made = history(*WON, *second, {**HEARTS[0], "dealer": 0})
    joined = splice(14, 5)  # the end of the first deal, and the second up to its second pass
    assert fates(made, joined) == [(1, "dropped"), (2, "falls"), (3, "stands")]
    assert effects_and_repairs(made, joined)[0].deals[2].waived == ("table.dealer",)
    taken(made, keeping_repair(made, joined), maker=1, tricks=4)
    assert made.game.deals == ((0, 1),)
    assert made.game.deal.dealer == 0


def test_where_one_splice_has_no_room_the_results_come_before_the_correction() -> None:
    many = splice(7, 1, play(0, "9H"), *[NOTE] * (SPLICED_MAX - 1))
    made = three_deals()
    way = keeping_repair(made, many)
    assert [msgspec.to_builtins(entry)["version"] for entry in way.entries] == [8, 7]
    assert [(gap.entry, gap.move) for gap in way.gaps] == [(0, 0)]
    taken(made, way, maker=1, tricks=3)
    assert made.game.deals == ((0, 1), (1, 0), (0, 1))


def test_where_one_splice_has_no_room_what_stands_before_a_fall_is_not_dropped() -> None:
    many = splice(6, 1, play(1, "TS"), *[NOTE] * (SPLICED_MAX - 1))
    told_as = msgspec.to_builtins(keeping_repair(three_deals(), many).entries)
    assert [(entry["version"], entry["drop"]) for entry in told_as] == [(12, 4), (6, 1)]


def test_one_splice_has_room_for_as_many_moves_as_a_splice_may_have() -> None:
    many = splice(7, 1, play(0, "9H"), *[NOTE] * (SPLICED_MAX - 2))
    assert len(keeping_repair(three_deals(), many).entries) == 1


def test_a_deal_whose_end_is_dropped_falls_at_what_follows() -> None:
    first = effects_and_repairs(three_deals(), splice(15, 1))[0].deals[0]
    assert first.falls is not None
    assert (first.fate, first.falls.version, first.refusal) == ("falls", 17, None)


def test_a_last_deal_that_is_dropped_is_gone_though_none_goes_on() -> None:
    assert fates(three_deals(), splice(19, 1)) == [(1, "stands"), (2, "stands"), (3, "dropped")]


def test_a_deal_that_is_dropped_is_gone_though_another_goes_on() -> None:
    made = history(result(1, 3), result(0, 3), *HEARTS)
    assert fates(made, splice(2, 1))[0] == (1, "dropped")


def test_going_back_drops_from_the_first_entry_that_falls_on() -> None:
    back = ways(three_deals(), amend(6, play(1, "TS"))).back
    gone = msgspec.to_builtins(back.entries[0])
    assert (gone["version"], gone["drop"]) == (12, 6)


def test_a_dropped_end_is_given_by_a_result() -> None:
    made = three_deals()
    taken(made, keeping_repair(made, splice(15, 1)), maker=1, tricks=5)
    assert made.game.deals == ((0, 2), (1, 0), (0, 1))


def test_a_dropped_end_of_the_last_deal_leaves_it_in_progress() -> None:
    assert fates(history(*WON), splice(15, 1)) == [(1, "changes")]
    assert effects_and_repairs(history(*WON), splice(15, 1))[1] is None


def test_a_deal_that_was_given_twice_is_dropped() -> None:
    made = history(result(0, 3, dealer=0), result(0, 3), result(1, 3))
    assert fates(made, splice(4, 1)) == [(1, "stands"), (2, "dropped"), (3, "stands")]


def test_a_deal_that_is_put_in_is_new() -> None:
    made = history(result(0, 3, dealer=0), result(1, 3))
    assert fates(made, splice(4, 0, result(0, 5))) == [(1, "stands"), (2, "new"), (2, "stands")]


def test_what_only_the_correction_makes_break_a_rule_is_waived_in_place() -> None:
    made = history(result(0, 3, dealer=0), {**HEARTS[0], "dealer": 1})
    correction = splice(4, 0, result(0, 5))
    (waiving,) = [deal for deal in effects_and_repairs(made, correction)[0].deals if deal.waived]
    assert (waiving.deal, waiving.fate, waiving.waived) == (2, "stands", ("table.dealer",))
    first, last = keeping_repair(made, correction).entries
    assert msgspec.to_builtins(first)["version"] == 4
    assert last == decoded(correction)[0]


def test_a_rule_that_an_entry_waives_already_is_not_waived_again() -> None:
    dealt = {**HEARTS[0], "dealer": 0, "waive": ["table.dealer"]}
    made = history(result(0, 3, dealer=0), dealt)
    assert all(deal.waived == () for deal in effects_and_repairs(made, splice(4, 0, NOTE))[0].deals)


def test_deals_after_the_end_of_the_game_cannot_be_kept() -> None:
    made = history(result(0, 3, dealer=0), result(1, 3), target=2)
    assert fates(made, amend(2, result(0, 5, dealer=0))) == [(1, "changes"), (2, "falls")]
    assert ways(made, amend(2, result(0, 5, dealer=0))).keep is None


def test_a_move_before_an_entry_that_falls_itself_comes_in_its_place() -> None:
    made = history(*HEARTS, play(1, "AS"))
    (gone, forgotten) = ways(made, splice(6, 0, play(1, "KS"))).back.entries
    assert msgspec.to_builtins(gone)["version"] == 6
    assert forgotten == decoded(play(1, "KS"))[0]


def test_the_entry_itself_is_corrected_once_what_falls_is_gone() -> None:
    made = three_deals()
    gone, last = ways(made, LOSES).back.entries
    assert (msgspec.to_builtins(gone)["version"], msgspec.to_builtins(gone)["drop"]) == (8, 10)
    assert last == decoded(LOSES)[0]


@pytest.mark.parametrize("tricks", [3, 5])
def test_a_result_that_is_corrected_changes_its_deal_alone(tricks: int) -> None:
    made = history(result(0, 3, dealer=0), result(1, 3), result(0, 4))
    fate = "stands" if tricks == 3 else "changes"
    correction = amend(4, result(1, tricks))
    assert fates(made, correction) == [(1, "stands"), (2, fate), (3, "stands")]
    assert effects_and_repairs(made, correction)[1] is None


def test_a_taking_back_edits_nothing() -> None:
    (entry,) = decoded(take_back(2))
    assert three_deals().preview(entry).edit is None


def test_among_three_too_a_deal_made_of_two_passes_the_deal_on_from_who_dealt_it() -> None:
    dealt = [{"type": "deal", "dealer": seat, "up": "9C"} for seat in range(3)]
    ended = {"type": "result", "caller": 0, "counter": None, "totals": [5, 9, 12]}
    log = [dealt[0], ended, dealt[1], {"type": "draw", "seat": 2}, ended, dealt[2]]
    found = shapes("dutch").decode_submitted(msgspec.json.encode([*log, splice(3, 2)]))
    assert not isinstance(found, Malformed)
    *entries, joined = found
    made = History(opening("dutch", shapes("dutch").options(), 3))
    for entry in entries:
        assert not isinstance(made.judge(entry), Refusal)
    edit = made.preview(joined).edit
    assert edit is not None
    deals = correction_effects(made.opening, edit).deals
    assert [one.fate for one in deals] == ["dropped", "falls", "stands"]
    assert deals[2].waived == ("table.dealer",)


@pytest.mark.parametrize("known", [{"dealer": 0}, {}])
def test_a_result_replaced_by_a_deal_passes_the_deal_on_as_the_result_did(known: Raw) -> None:
    made = history(result(0, 3, **known), {**HEARTS[0], "dealer": 1})
    first, second = effects_and_repairs(made, amend(2, {**HEARTS[0], "dealer": 1}))[0].deals
    assert (first.fate, first.refusal, second.fate) == ("falls", None, "stands")
    assert second.waived == ()


def test_keep__where_nothing_falls_the_splice_ends_with_the_gap() -> None:
    (only,) = keeping_repair(three_deals(), splice(15, 1)).entries
    told = msgspec.to_builtins(only)
    assert (told["version"], told["drop"], len(told["moves"])) == (15, 1, 1)


def test_keep__what_stands_before_the_last_that_falls_is_written_down_again() -> None:
    made = history(result(1, 3, dealer=1), *WON, NOTE, result(0, 3), target=4)
    # The first deal is worth one more, and the second is broken: the game is over with it.
    better = splice(2, 7, result(1, 5, dealer=1), *HEARTS, play(1, "AS"), play(0, "9H"))
    assert fates(made, better) == [(1, "changes"), (2, "falls"), (3, "falls")]
    way = keeping_repair(made, better)
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
    way = keeping_repair(made, splice(14, 5, *[NOTE] * SPLICED_MAX))
    assert [msgspec.to_builtins(entry)["type"] for entry in way.entries] == [
        "amend",
        "splice",
        "splice",
    ]
    assert [(gap.entry, gap.move) for gap in way.gaps] == [(1, 0)]


def test_keep__what_stands_after_the_last_that_falls_is_left_alone() -> None:
    made = history(result(1, 3, dealer=1), *WON, NOTE, result(0, 3), NOTE, NOTE, target=4)
    better = splice(2, 7, result(1, 5, dealer=1), *HEARTS, play(1, "AS"), play(0, "9H"))
    way = keeping_repair(made, better)
    told = msgspec.to_builtins(way.entries[0])
    assert [move["type"] for move in told["moves"][-2:]] == ["result", "note"]
    taken(made, way, maker=1, tricks=4)
    assert [type(step.entry).__name__ for step in made.steps()].count("Note") == 3
