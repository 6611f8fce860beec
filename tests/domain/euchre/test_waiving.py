"""What waiving a clause lets pass, what it forgets, and what it never helps."""

import pytest

from tests.domain.euchre.entries import (
    accepted,
    accepts,
    amend,
    deal,
    leaves,
    malformed,
    names,
    orders,
    passes,
    play,
    refused,
    tricks,
)

FOLLOW = ["euchre.follow-suit"]
HEARTS = [deal("9S"), passes(1), passes(0), names(1, "H")]
SLOUGHED = [*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "AD"), play(0, "TC")]  # no S, no D


def test_waiving__a_later_card_of_the_suit_denied_is_accepted() -> None:
    accepted(*SLOUGHED, play(1, "KS"), play(0, "QS", waive=FOLLOW))


def test_waiving__forgets_what_was_concluded_about_that_seat_and_suit() -> None:
    forgiven = [*SLOUGHED, play(1, "KS"), play(0, "QS", waive=FOLLOW)]
    accepted(*forgiven, play(1, "JS"), play(0, "TS"))


def test_waiving__keeps_what_was_concluded_about_other_suits() -> None:
    log = [*SLOUGHED, play(1, "KS"), play(0, "QS", waive=FOLLOW), play(1, "KC")]
    refused(*log, play(0, "QD"), by="euchre.follow-suit", contradicts=7)


def test_waiving__keeps_what_was_concluded_about_the_other_seat() -> None:
    log = [
        *HEARTS,
        *tricks(1, "9C 9D", "KD AD"),
        *tricks(0, "QD TS"),
    ]  # 0: no clubs, 1: no diamonds
    log += [play(0, "AC", waive=FOLLOW), play(1, "KC"), play(0, "TC")]
    refused(*log, play(1, "TD"), by="euchre.follow-suit", contradicts=9)


def test_waiving__several_conclusions_and_counting_together_forgets_all_of_that_seats() -> None:
    # Five hearts by counting: no single conclusion stands against KH, all three together do.
    counted = [deal("9H"), passes(1), passes(0), names(1, "S")]
    counted += tricks(1, "AC TH", "AD JH", "AS QH")
    refused(*counted, play(1, "KH"), by="euchre.follow-suit", contradicts=9)
    accepted(*counted, play(1, "KH", waive=FOLLOW))
    accepted(*counted, play(1, "KH", waive=FOLLOW), play(0, "KS"))


def test_waiving__the_entry_itself_proves_nothing_from_the_clause() -> None:
    revoked = [*HEARTS, play(1, "AS"), play(0, "9C", waive=FOLLOW)]
    accepted(*revoked, play(1, "KS"), play(0, "QS"))


def test_waiving__the_card_was_seen_all_the_same() -> None:
    revoked = [*HEARTS, play(1, "AS"), play(0, "9C", waive=FOLLOW)]
    refused(*revoked, play(1, "9C"), by="cards.seen", contradicts=5)


def test_waiving__a_revoke_from_a_known_hand_is_accepted() -> None:
    known = [deal("9S", hands=[["AS", "KS", "QH", "JD", "TC"], None]), orders(), leaves()]
    accepted(*known, play(1, "AC"), play(0, "QH", waive=FOLLOW), play(1, "KC"), play(0, "TC"))


@pytest.mark.parametrize("clause", ["euchre.lead", "table.dealer", "cards.seen", "euchre.win"])
def test_waiving__a_clause_that_is_not_broken_is_harmless(clause: str) -> None:
    accepted(*HEARTS, play(1, "AS", waive=[clause]), play(0, "KS", waive=[clause]))


def test_waiving__a_clause_that_is_not_broken_forgets_nothing() -> None:
    log = [*HEARTS, *tricks(1, "AS 9C"), play(1, "KC"), play(0, "TC", waive=FOLLOW)]
    refused(*log, play(1, "KS"), play(0, "QS"), by="euchre.follow-suit", contradicts=5)


def test_waiving__another_clause_than_the_broken_one_is_refused() -> None:
    refused(*HEARTS, play(0, "AS", waive=["table.turn"]), by="euchre.lead")


def test_waiving__one_of_two_broken_clauses_is_refused_for_the_other() -> None:
    log = [*SLOUGHED, play(1, "KS"), play(0, "KH")]
    lead = "euchre.lead"
    refused(*log, play(1, "QD", waive=FOLLOW), by=lead)
    accepted(*log, play(1, "QD", waive=[*FOLLOW, lead]))


@pytest.mark.parametrize(
    "clause", ["cards.deck", "cards.seen", "cards.held", "cards.impossible", "euchre.deal"]
)
def test_waiving__a_physical_clause_never_helps(clause: str) -> None:
    refused(*HEARTS, play(1, "AS"), play(0, "AS", waive=[clause]), by="cards.seen", contradicts=4)


@pytest.mark.parametrize("clause", ["euchre.nonsense", "rami.meld", "", "follow-suit"])
def test_waiving__an_id_that_no_clause_has_is_malformed(clause: str) -> None:
    assert malformed(deal("9S", waive=["table.dealer", clause])) == "$.log[0].waive[1]"


def test_waiving__an_unknown_id_inside_an_amended_move_is_malformed() -> None:
    log = [deal("9S"), amend(2, deal("9H", waive=["nonsense"]))]
    assert malformed(*log) == "$.log[1].move.waive[0]"


def test_waiving__a_revoke_while_the_turned_card_is_held_is_accepted() -> None:
    taken = [deal("QH"), passes(1), accepts(), play(1, "9H"), play(0, "AS", waive=FOLLOW)]
    accepted(*taken, play(1, "KH"), play(0, "QH"))
