"""`take_back` and `amend`: what stands afterwards, which versions count, what is refused."""

from tests.domain.euchre.entries import (
    FINISH,
    NOTE,
    VOID,
    accepted,
    adjust,
    amend,
    deal,
    judged,
    leaves,
    malformed,
    names,
    orders,
    passes,
    play,
    refused,
    result,
    take_back,
    tricks,
)

HEARTS = [deal("9S"), passes(1), passes(0), names(1, "H")]  # versions 2 to 5


# --- take_back


def test_take_back__the_effective_history_forgets_what_came_after() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), take_back(6)]
    assert accepted(*log)["hand_counts"] == [5, 4]
    accepted(*log, play(0, "KS"), play(1, "9C"))


def test_take_back__a_slough_taken_back_proves_nothing() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KS"), take_back(6), play(0, "9D")]
    refused(*log, play(1, "KC"), play(0, "QS"), by="euchre.follow-suit", contradicts=8)


def test_take_back__reopens_a_deal_that_had_ended() -> None:
    played = [deal("9S"), orders(), leaves(), *tricks(1, "AH 9H", "KH TH", "AD 9D", "AC 9C")]
    ended = [*played, *tricks(1, "KC TC")]  # versions 2 to 14; 15 ends the deal
    answered = accepted(*ended, take_back(13))
    assert (answered["deals"], answered["hand_counts"]) == ([], [1, 0])


def test_take_back__to_the_entry_that_ended_a_deal_keeps_the_deal() -> None:
    log = [result(0, 3, dealer=0), deal("9S", dealer=1), take_back(2)]
    answered = accepted(*log)
    assert (answered["deals"], answered["to_act"]) == ([[1, 0]], [1])


def test_take_back__derived_entries_written_again_count_as_versions() -> None:
    # 2 result, 3 its end, 4 note, 5 take_back to 2, 6 the end written again, 7 the adjustment.
    log = [result(0, 3), NOTE, take_back(2), adjust(0, 1)]
    assert accepted(*log, take_back(7))["totals"] == [2, 0]
    refused(*log, take_back(6), by="table.version")


def test_take_back__derived_entries_from_before_the_target_are_not_written_again() -> None:
    # 2 result, 3 its end, 4 adjustment, 5 note, 6 take_back to 4, 7 the next.
    log = [result(0, 3), adjust(0, 1), NOTE, take_back(4), adjust(0, 1)]
    assert accepted(*log, take_back(7))["totals"] == [3, 0]


def test_take_back__undoes_amends_made_after_the_target() -> None:
    log = [adjust(0, 1), NOTE, amend(2, adjust(0, 5)), take_back(3)]
    assert accepted(*log)["totals"] == [1, 0]


def test_take_back__keeps_amends_made_before_the_target() -> None:
    log = [adjust(0, 1), amend(2, adjust(0, 5)), NOTE, NOTE, take_back(4)]
    assert accepted(*log)["totals"] == [5, 0]


def test_take_back__after_the_end_reopens_the_game() -> None:
    answered = accepted(result(0, 3), FINISH, take_back(2))
    assert (answered["finished"], answered["totals"]) == (False, [1, 0])


def test_take_back__of_a_void_brings_the_deal_back() -> None:
    assert accepted(deal("9S"), VOID, take_back(2))["hand_counts"] == [5, 5]


# --- amend


def test_amend__the_move_stands_in_its_place() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), amend(7, play(0, "KS"))]
    accepted(*log, play(1, "KC"), play(0, "9C"))


def test_amend__changes_who_won_and_so_who_leads() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), amend(7, play(0, "9H"))]
    assert accepted(*log)["to_act"] == [0]


def test_amend__an_illegal_move_is_refused_for_its_own_clause() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), amend(7, play(0, "AS"))]
    refused(*log, by="cards.seen", contradicts=4)


def test_amend__that_leaves_a_later_entry_illegal_is_refused_citing_it() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KD"), amend(7, play(0, "9H"))]
    refused(*log, by="euchre.lead", contradicts=6)


def test_amend__that_a_later_card_contradicts_is_refused_citing_the_card() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "KS"), play(1, "QC"), play(0, "TS")]
    refused(*log, amend(7, play(0, "9C")), by="euchre.follow-suit", contradicts=7)


def test_amend__of_an_ended_deal_rewrites_its_points() -> None:
    log = [result(0, 3), result(1, 3), amend(2, result(0, 5))]
    answered = accepted(*log)
    assert (answered["deals"], answered["totals"]) == ([[2, 0], [0, 1]], [2, 1])


def test_amend__that_would_have_ended_the_game_before_later_deals_is_refused() -> None:
    log = [result(0, 3), result(0, 3), amend(2, result(0, 5))]
    refused(*log, by="table.phase", contradicts=1, target=2)


def test_amend__may_end_the_game_when_only_notes_follow() -> None:
    assert accepted(result(0, 3), NOTE, amend(2, result(0, 5)), target=2)["finished"]


def test_amend__keeps_the_number_and_may_be_amended_again() -> None:
    log = [adjust(0, 1), amend(2, adjust(0, 2)), amend(2, adjust(0, 3))]
    assert accepted(*log)["totals"] == [3, 0]


def test_amend__derived_entries_written_again_count_as_versions() -> None:
    # 2 result, 3 its end, 4 amend, 5 the end again, 6 the adjustment.
    log = [result(0, 3), amend(2, result(0, 5)), adjust(0, 1)]
    assert accepted(*log, take_back(6))["totals"] == [3, 0]
    refused(*log, take_back(5), by="table.version")


def test_amend__into_another_kind_of_entry_is_accepted_where_it_can_stand() -> None:
    assert accepted(NOTE, amend(2, adjust(0, 1)))["totals"] == [1, 0]


def test_amend__to_a_move_of_a_seat_that_is_not_there_is_refused() -> None:
    refused(adjust(0, 1), amend(2, adjust(2, 1)), by="table.seat")


def test_amend__by_a_correction_is_malformed() -> None:
    assert malformed(NOTE, amend(2, take_back(1))).startswith("$.log[1].move")
    assert malformed(NOTE, amend(2, amend(2, NOTE))).startswith("$.log[1].move")


def test_amend__of_a_deal_keeps_what_its_cards_allow() -> None:
    log = [*HEARTS, play(1, "AS"), amend(2, deal("9D"))]
    accepted(*log, play(0, "9S"))
    refused(*HEARTS, play(1, "AS"), amend(2, deal("AS")), by="cards.seen", contradicts=4)


def test_amend__with_a_waiver_lets_a_later_breach_stand() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C")]
    waived = play(0, "9C", waive=["euchre.follow-suit"])
    accepted(*log, amend(7, waived), play(1, "KS"), play(0, "QS"))


def test_amend__a_refused_correction_changes_nothing() -> None:
    stopped = judged(adjust(0, 1), amend(2, adjust(2, 1)))
    assert stopped["at"] == 1
