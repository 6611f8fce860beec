from typing import Any

import msgspec

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.waivers import waiving_helps, waiving_helps_correction
from schemas.catalogue import shapes
from schemas.entries import Entry
from schemas.euchre import Options
from schemas.strict_json import Malformed
from tests.domain.euchre.entries import amend, deal, names, orders, passes, play, splice

HEARTS = [deal("9S"), passes(1), passes(0), names(1, "H")]


def offer(*log: dict[str, Any]) -> bool:
    found = shapes("euchre").decode_submitted(msgspec.json.encode(log))
    assert not isinstance(found, Malformed)
    history = History(opening("euchre", Options(), 2))
    *before, last = found
    for entry in before:
        assert not isinstance(history.judge(entry), Refusal), entry
    refusal = refuse(history, last)
    return waiving_helps(history, (), last, refusal.rule)


def refuse(history: History, entry: Entry) -> Refusal:
    judged = history.copy().judge(entry)
    assert isinstance(judged, Refusal)
    return judged


def test_waiving__a_revoke_is_offered() -> None:
    assert offer(*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KS"), play(0, "QS"))


def test_waiving__a_bid_out_of_turn_is_offered() -> None:
    assert offer(deal("9S"), passes(0))
    assert offer(deal("9S"), passes(1), orders(1))


def test_waiving__a_bid_that_only_the_other_can_make_is_not_offered() -> None:
    assert not offer(deal("9S"), orders(0))


def test_waiving__a_second_card_to_ones_own_trick_is_not_offered() -> None:
    assert not offer(*HEARTS, play(1, "AS"), play(1, "KS"))


def test_waiving__a_physical_clause_is_not_offered() -> None:
    assert not offer(*HEARTS, play(1, "AS"), play(0, "AS"))


def test_waiving__a_correction_into_a_bid_out_of_turn_is_offered() -> None:
    assert offer(deal("9S"), passes(1), amend(3, passes(0)))


def test_waiving__a_correction_helps_where_what_it_puts_in_place_then_stands() -> None:
    log = [deal("9S"), passes(1), amend(3, passes(0)), amend(3, passes(2))]
    found = shapes("euchre").decode_submitted(msgspec.json.encode(log))
    assert not isinstance(found, Malformed)
    *before, early, nobody = found
    history = History(opening("euchre", Options(), 2))
    for entry in before:
        assert not isinstance(history.judge(entry), Refusal), entry
    for correction, helped in ((early, True), (nobody, False)):
        refusal = refuse(history, correction)
        assert waiving_helps_correction(history, correction, refusal.rule) is helped


def test_waiving__after_an_entry_that_cannot_stand_helps_nobody() -> None:
    history, (dealt, early, nobody) = begin(deal("9S"), passes(0), passes(2))
    assert not isinstance(history.judge(dealt), Refusal)
    assert waiving_helps(history, (), early, "euchre.bid-first")
    assert not waiving_helps(history, (nobody,), early, "euchre.bid-first")


def test_waiving__is_still_to_be_done_where_one_move_of_several_waives_already() -> None:
    waiving = passes(0, waive=["euchre.bid-first"])
    for moves in ([waiving, passes(0)], [passes(0), waiving]):
        history, (dealt, passed, twice) = begin(deal("9S"), passes(1), splice(3, 1, *moves))
        for entry in (dealt, passed):
            assert not isinstance(history.judge(entry), Refusal)
        assert refuse(history, twice).rule == "euchre.bid-first"
        assert waiving_helps_correction(history, twice, "euchre.bid-first")


def test_waiving__where_every_move_waives_already_helps_no_more() -> None:
    waiving = passes(0, waive=["euchre.bid-first"])
    history, (dealt, passed, twice) = begin(deal("9S"), passes(1), splice(3, 1, waiving, waiving))
    for entry in (dealt, passed):
        assert not isinstance(history.judge(entry), Refusal)
    assert not waiving_helps_correction(history, twice, "euchre.bid-first")


def begin(*log: dict[str, Any]) -> tuple[History, tuple[Entry, ...]]:
    found = shapes("euchre").decode_submitted(msgspec.json.encode(log))
    assert not isinstance(found, Malformed)
    return History(opening("euchre", Options(), 2)), tuple(found)
