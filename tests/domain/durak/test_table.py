"""The clauses of every game, at a Durak table: seats, turns, phases, dealers, cards."""

import pytest

from tests.domain.durak.entries import (
    BEATEN,
    BEGUN,
    FINISH,
    SECOND,
    VOID,
    Entry,
    accepted,
    amend,
    attack,
    away,
    beat,
    deal,
    done,
    lowest,
    pass_on,
    redeal,
    refused,
    result,
    take,
    take_back,
)

HAND = ["7D", "7C", "8C", "9C", "TC", "JC"]
OPEN = [deal(hands=[None, HAND, None]), lowest(0, "6S")]


# --- table.seat


@pytest.mark.parametrize("seats", [2, 6])
def test_table_seat__the_last_seat_is_accepted(seats: int) -> None:
    accepted(deal(dealer=0), lowest(seats - 1), seats=seats)


@pytest.mark.parametrize(
    "entry",
    [
        lowest(3),
        lowest(-1),
        attack(3, "7D"),
        done(3),
        redeal("suit", seat=3, suit="H"),
        result([[0], [1], [3]], 3),
        result([[0], [1], [2]], 3),
    ],
)
def test_table_seat__somebody_who_is_not_there_is_refused(entry: Entry) -> None:
    refused(deal(), entry, by="table.seat")


@pytest.mark.parametrize("entry", [deal(dealer=3), result([[0], [1], [2]], 2, dealer=3)])
def test_table_seat__a_dealer_who_is_not_there_is_refused(entry: Entry) -> None:
    refused(entry, by="table.seat")


# --- table.turn


def test_table_turn__each_in_turn_is_accepted() -> None:
    accepted(*SECOND, attack(1, "7C"), beat(2, "7C", "TC"), done(1), done(0))


def test_table_turn__waiving_it_is_not_enough_where_durak_has_a_clause_and_refused() -> None:
    refused(*SECOND, attack(0, "AD", waive=["table.turn"]), by="durak.turn")


# --- table.phase


def test_table_phase__a_deal_between_deals_is_accepted() -> None:
    accepted(deal(), VOID, deal())


@pytest.mark.parametrize(
    "entry",
    [lowest(), attack(0, "7D"), beat(1, "7D", "9D"), take(1), done(0), away(0, "6S 6H 6D 6C")],
)
def test_table_phase__playing_before_a_deal_is_refused(entry: Entry) -> None:
    refused(entry, by="table.phase")


def test_table_phase__a_deal_in_a_deal_is_refused() -> None:
    refused(deal(), deal(), by="table.phase")


@pytest.mark.parametrize("entry", [beat(1, "7D", "9D"), take(1), pass_on(1, "7H")])
def test_table_phase__answering_no_attack_is_refused(entry: Entry) -> None:
    refused(*BEGUN, entry, by="table.phase", rules="de")


def test_table_phase__a_second_lowest_is_refused() -> None:
    refused(*BEGUN, lowest(1), by="table.phase")


def test_table_phase__lowest_in_a_later_deal_is_refused() -> None:
    refused(result([[2], [0], [1]], 1), deal(dealer=1), lowest(0), by="table.phase")


def test_table_phase__anything_after_the_end_is_refused() -> None:
    refused(FINISH, deal(), by="table.phase")


# --- table.dealer


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_table_dealer__anybody_first_is_accepted(dealer: int) -> None:
    accepted(deal(dealer=dealer))


def test_table_dealer__another_after_an_annulled_deal_is_refused() -> None:
    refused(deal(dealer=2), redeal(), deal(dealer=1), by="table.dealer")


def test_table_dealer__another_is_accepted_when_the_table_lets_it_pass() -> None:
    accepted(deal(dealer=2), VOID, deal(dealer=1, waive=["table.dealer"]))


# --- table.version


def test_table_version__a_misread_card_is_accepted_to_be_amended() -> None:
    accepted(*BEATEN, amend(5, beat(1, "7D", "TD")), attack(0, "TC"))


def test_table_version__what_later_entries_need_is_refused_to_be_amended() -> None:
    log = [*BEATEN, attack(0, "7C"), amend(4, attack(0, "8D"))]
    refused(*log, by="durak.target", contradicts=3)


def test_table_version__the_start_is_refused_to_be_amended() -> None:
    refused(deal(), amend(1, deal()), by="table.version")


def test_table_version__an_ended_deal_is_accepted_to_be_taken_back() -> None:
    answered = accepted(*BEGUN, result([[2], [0], [1]], 1), take_back(3), attack(0, "7D"))
    assert answered["deals"] == []


def test_table_version__a_derived_entry_is_refused() -> None:
    refused(result([[2], [0], [1]], 1), take_back(3), by="table.version")


# --- cards.deck


def test_cards_deck__a_six_is_accepted() -> None:
    accepted(*BEGUN, attack(0, "6D"))


@pytest.mark.parametrize("entry", [attack(0, "5D"), attack(0, "2S")])
def test_cards_deck__a_five_is_refused(entry: Entry) -> None:
    refused(*BEGUN, entry, by="cards.deck")


def test_cards_deck__a_low_card_shown_or_given_is_refused() -> None:
    refused(deal("5S"), by="cards.deck")
    refused(deal(hands=[["5S", *HAND[1:]], None, None]), by="cards.deck")


# --- cards.count


def test_cards_count__as_many_as_are_held_are_accepted() -> None:
    accepted(*BEGUN, attack(0, "7D 7C 7H 7S"), rules="de")


@pytest.mark.parametrize("cards", ["", "7D 7D"])
def test_cards_count__no_card_or_one_twice_is_refused(cards: str) -> None:
    refused(*BEGUN, attack(0, cards), by="cards.count", rules="de")


@pytest.mark.parametrize(
    "hands", [[HAND], [HAND, None, None, None], [HAND[:5], None, None], [HAND[:5] * 2, None, None]]
)
def test_cards_count__hands_of_another_size_are_refused(hands: list[object]) -> None:
    refused(deal(hands=hands), by="cards.count")


def test_cards_count__more_than_a_hand_holds_are_refused() -> None:
    log = [*BEGUN, away(0, "6S 6H 6D 6C", waive=["durak.four-away"])]
    refused(*log, attack(0, "8S 8H 8D"), by="cards.count", rules="de")


# --- cards.seen


def test_cards_seen__a_card_that_was_taken_is_accepted_from_the_taker() -> None:
    accepted(*BEGUN, attack(0, "7D"), take(1), attack(2, "AD"), take(0), attack(1, "7D"))


def test_cards_seen__a_card_on_the_table_is_refused_against_its_entry() -> None:
    refused(*BEATEN, attack(0, "9D"), by="cards.seen", contradicts=3)


def test_cards_seen__the_card_under_the_stock_is_refused_against_the_deal() -> None:
    refused(*BEGUN, attack(0, "9S"), by="cards.seen", contradicts=0)


def test_cards_seen__a_card_shown_as_lowest_is_refused_from_another_hand() -> None:
    refused(*BEGUN, attack(0, "7D"), beat(1, "7D", "6S"), by="cards.seen", contradicts=1)


def test_cards_seen__a_card_given_to_another_hand_is_refused_against_the_deal() -> None:
    refused(*OPEN, attack(0, "7D"), by="cards.seen", contradicts=0)


# --- cards.held


def test_cards_held__a_card_of_the_given_hand_is_accepted() -> None:
    accepted(*OPEN, attack(0, "8D"), take(1), attack(2, "AC"))


def test_cards_held__a_card_that_a_given_hand_lacks_is_refused_against_the_deal() -> None:
    refused(*OPEN, attack(0, "8D"), beat(1, "8D", "9D"), by="cards.held", contradicts=0)


# --- cards.impossible


def test_cards_impossible__five_cards_beside_the_lowest_are_accepted() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), attack(0, "7H 7S")]
    accepted(*log, beat(1, "7D", "8D"), attack(0, "8C"), rules="de")


def test_cards_impossible__a_sixth_unknown_card_beside_the_lowest_is_refused() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), attack(0, "7H 7S")]
    refused(*log, beat(1, "7D", "8D"), attack(0, "8C"), attack(0, "8H"), by="cards.held",
            contradicts=1, rules="de", first_bout=None)  # fmt: skip


def test_cards_impossible__a_lowest_for_which_the_lower_ones_find_no_room_is_refused() -> None:
    # Among six no trump lies outside the hands.
    refused(deal("KS", dealer=5), lowest(0, "7S"), by="durak.first-lead", seats=6)
