"""`splice`: what stands afterwards, how its moves are named, what is refused."""

import pytest

from tests.domain.euchre.entries import (
    FINISH,
    NOTE,
    Entry,
    accepted,
    adjust,
    amend,
    deal,
    malformed,
    names,
    passes,
    play,
    refused,
    result,
    set_aside,
    splice,
    take_back,
)

HEARTS = [deal("9S"), passes(1), passes(0), names(1, "H")]  # versions 2 to 5


# --- what stands


def test_splice__a_forgotten_entry_is_put_in_before_another() -> None:
    log = [result(0, 3), result(1, 3), splice(4, 0, result(0, 5))]
    answered = accepted(*log)
    assert (answered["deals"], answered["totals"]) == ([[1, 0], [2, 0], [0, 1]], [3, 1])


def test_splice__a_doubled_entry_is_dropped() -> None:
    log = [adjust(0, 1), adjust(0, 1), NOTE, splice(3, 1)]
    assert accepted(*log)["totals"] == [1, 0]


def test_splice__several_are_replaced_by_several() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KS")]
    mended = splice(6, 3, play(1, "KS"), play(0, "QS"))
    assert accepted(*log, mended)["hand_counts"] == [4, 4]


def test_splice__only_the_whole_must_stand() -> None:
    # Neither the pass alone nor the name alone could stand before the order of the later entries.
    log = [deal("9S"), passes(1), names(0, "H")]
    refused(*log, by="table.phase")
    accepted(deal("9S"), passes(1), splice(3, 1, passes(1), passes(0), names(1, "H")))


def test_splice__may_drop_everything() -> None:
    answered = accepted(adjust(0, 1), result(0, 3), splice(2, 2))
    assert (answered["totals"], answered["deals"]) == ([0, 0], [])


def test_splice__reaches_over_ended_deals_and_writes_them_again() -> None:
    log = [result(0, 3), result(1, 3), NOTE, splice(2, 2, result(0, 5))]
    assert accepted(*log)["deals"] == [[2, 0]]


def test_splice__may_go_on_with_a_game_that_was_over() -> None:
    log = [result(0, 3), FINISH, splice(4, 1)]
    assert not accepted(*log)["finished"]


def test_splice__restoring_what_was_dropped_changes_nothing() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KD")]
    again = splice(6, 3, play(1, "AS"), play(0, "9C"), play(1, "KD"))
    assert accepted(*log, again) == accepted(*log)


def test_splice__its_moves_carry_their_own_waivers() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C")]
    waived = play(0, "9C", waive=["euchre.follow-suit"])
    accepted(*log, splice(7, 1, waived), play(1, "KS"), play(0, "QS"))
    revoked = splice(7, 1, play(0, "9C"))
    refused(*log, revoked, play(1, "KS"), play(0, "QS"), by="euchre.follow-suit", contradicts=6)


def test_splice__the_next_entry_follows_its_derived_ones() -> None:
    # 2 and 4 results, 3 and 5 their ends; 6 splice, 7 to 9 the ends again, 10 the adjustment.
    log = [result(0, 3), result(1, 3), splice(2, 0, result(0, 3)), adjust(0, 1)]
    assert accepted(*log, adjust(0, 1), take_back(10))["totals"] == [3, 1]


# --- how its moves are named


def test_part__tells_the_moves_of_a_splice_apart() -> None:
    log = [NOTE, splice(2, 0, adjust(0, 1), adjust(0, 2), adjust(1, 4))]
    assert accepted(*log, amend(3, adjust(0, 8), part=1))["totals"] == [9, 4]
    assert accepted(*log, splice(3, 1, part=2))["totals"] == [3, 0]


def test_part__is_the_first_where_it_is_left_out() -> None:
    log = [NOTE, splice(2, 0, adjust(0, 1), adjust(0, 2))]
    assert accepted(*log, amend(3, adjust(0, 8)))["totals"] == [10, 0]


def test_part__keeps_its_number_when_others_are_dropped() -> None:
    log = [NOTE, splice(2, 0, adjust(0, 1), adjust(0, 2)), splice(3, 1)]
    assert accepted(*log, amend(3, adjust(0, 8), part=1))["totals"] == [8, 0]
    refused(*log, amend(3, adjust(0, 8)), by="table.version")


def test_part__of_an_entry_that_is_no_splice_is_the_first_only() -> None:
    refused(adjust(0, 1), amend(2, adjust(0, 2), part=1), by="table.version")


def test_splice__of_a_splice_carries_a_version_of_its_own() -> None:
    log = [NOTE, splice(2, 1, adjust(0, 1), adjust(0, 2)), splice(3, 1, adjust(0, 4), part=1)]
    assert accepted(*log, amend(4, adjust(0, 8)))["totals"] == [9, 0]


def test_splice__an_entry_kept_after_it_keeps_its_number() -> None:
    log = [adjust(0, 1), adjust(0, 2), splice(2, 0, NOTE), amend(3, adjust(0, 4))]
    assert accepted(*log)["totals"] == [5, 0]


def test_splice__what_was_dropped_can_be_named_no_more() -> None:
    log = [adjust(0, 1), adjust(0, 2), splice(2, 1, NOTE)]
    refused(*log, amend(2, NOTE), by="table.version")
    refused(*log, splice(2, 1), by="table.version")


# --- taken back


def test_take_back__to_before_a_splice_undoes_it() -> None:
    log = [adjust(0, 1), NOTE, splice(2, 1), take_back(3)]
    assert accepted(*log)["totals"] == [1, 0]


def test_take_back__to_a_splice_keeps_it_whole() -> None:
    log = [adjust(0, 1), splice(2, 0, adjust(0, 2), adjust(0, 4)), adjust(0, 8), take_back(3)]
    assert accepted(*log)["totals"] == [7, 0]


def test_take_back__goes_by_the_raw_log_also_to_what_a_splice_dropped() -> None:
    log = [adjust(0, 1), adjust(0, 2), splice(2, 2), take_back(2)]
    assert accepted(*log)["totals"] == [1, 0]


# --- refused


def test_splice__past_the_last_entry_is_refused() -> None:
    refused(adjust(0, 1), NOTE, splice(3, 2), by="table.version")


@pytest.mark.parametrize("version", [0, 1, 3, 5, 9])
def test_splice__at_what_is_no_standing_entry_by_hand_is_refused(version: int) -> None:
    # 2 the result, 3 its end, 4 the adjustment, 5 its correction.
    log = [result(0, 3), adjust(0, 1), amend(4, adjust(0, 2))]
    refused(*log, splice(version, 0, NOTE), by="table.version")


def test_splice__an_illegal_move_is_refused_for_its_own_clause() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C")]
    refused(*log, splice(7, 1, play(0, "AS")), by="cards.seen", contradicts=4)


def test_splice__moves_that_contradict_each_other_cite_no_entry() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C")]
    refused(*log, splice(6, 2, play(1, "AS"), play(0, "AS")), by="cards.seen")


def test_splice__that_leaves_a_later_entry_illegal_is_refused_citing_it() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KD")]
    refused(*log, splice(7, 1), by="table.turn", contradicts=6)


# --- malformed


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        (splice(2, 0), ""),
        (splice(2, -1, NOTE), ".drop"),
        (splice(2, 0, *[NOTE] * 101), ".moves"),
        (splice(2, 0, take_back(1)), ".moves[0].type"),
        (splice(2, 0, NOTE, amend(2, NOTE)), ".moves[1].type"),
        (splice(2, 0, splice(2, 0, NOTE)), ".moves[0].type"),
        (splice(2, 0, {"type": "started"}), ".moves[0].type"),
        (splice(2, 0, {"type": "game_ended", "totals": [], "ranking": []}), ".moves[0].type"),
        (splice(2, 0, {**NOTE, "waive": ["no.clause"]}), ".moves[0].waive[0]"),
        (splice(2, 0, NOTE, part=-1), ".part"),
        (amend(2, NOTE, part=-1), ".part"),
    ],
)
def test_splice__what_makes_no_sense_is_malformed(entry: Entry, path: str) -> None:
    assert malformed(NOTE, entry) == f"$.log[1]{path}"


# --- set aside


def test_set_aside__leaves_the_game_as_it_is() -> None:
    log = [*HEARTS, play(1, "AS")]
    assert accepted(*log, set_aside()) == accepted(*log)


def test_set_aside__may_follow_the_end() -> None:
    assert accepted(result(0, 3), FINISH, set_aside(), NOTE)["finished"]


@pytest.mark.parametrize("entry", [passes(1), adjust(0, 1), FINISH, set_aside(), result(0, 3)])
def test_set_aside__only_notes_may_follow(entry: Entry) -> None:
    refused(deal("9S"), set_aside(), NOTE, entry, by="table.phase")


def test_set_aside__taken_back_the_game_goes_on() -> None:
    accepted(deal("9S"), set_aside(), take_back(2), passes(1))


def test_set_aside__may_be_spliced_away_and_amended() -> None:
    accepted(deal("9S"), set_aside(), splice(3, 1), passes(1))
    refused(deal("9S"), set_aside(), amend(3, set_aside("why")), passes(1), by="table.phase")


def test_set_aside__where_others_follow_is_refused() -> None:
    log = [deal("9S"), passes(1), splice(3, 0, set_aside())]
    refused(*log, by="table.phase", contradicts=1)
