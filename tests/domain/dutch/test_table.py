"""What every game shares, in Dutch: seats, phases, dealers, corrections, and the shapes."""

import pytest

from tests.domain.dutch.entries import (
    ALL_TURNS,
    NOTE,
    VOID,
    Entry,
    accepted,
    counter,
    deal,
    draw,
    drop,
    dutch,
    look,
    malformed,
    peek,
    penalty,
    refused,
    result,
    reveal,
    snap,
    swap,
    take,
    trade,
    turn,
)


def take_back(to: int) -> Entry:
    return {"type": "take_back", "to": to}


def amend(version: int, move: Entry) -> Entry:
    return {"type": "amend", "version": version, "move": move}


# --- table.seat


@pytest.mark.parametrize("seat", [-1, 3])
def test_table_seat__of_nobody_is_refused(seat: int) -> None:
    refused(deal(dealer=seat), by="table.seat")
    refused(deal(), draw(seat), by="table.seat")
    refused(result(seat, 4, 5, 6), by="table.seat")
    refused(result(0, 4, 5, 6, counter=seat), by="table.seat")


def test_table_seat__of_everybody_is_accepted() -> None:
    accepted(deal(), *(look(seat, 0, 1) for seat in range(3)))


# --- table.phase


@pytest.mark.parametrize(
    "entry",
    [
        look(0, 0, 1),
        draw(1),
        take(1),
        swap(1, 0, "5S"),
        drop(1, "5S"),
        snap(0, 0, "5S"),
        peek(0, (0, 0)),
        trade(0, (0, 0), (1, 0)),
        penalty(0),
        dutch(1),
        counter(1),
        reveal(0, points=5),
        VOID,
    ],
)
def test_table_phase__between_deals_anything_but_a_deal_or_result_is_refused(entry: Entry) -> None:
    refused(entry, by="table.phase")


def test_table_phase__a_deal_within_a_deal_and_a_reveal_before_the_end_are_refused() -> None:
    refused(deal(), deal(), by="table.phase")
    refused(deal(), reveal(1, points=20), by="table.phase")


def test_table_phase__a_note_is_accepted_at_any_time() -> None:
    accepted(NOTE, deal(), NOTE, draw(1), NOTE)


# --- table.dealer


def test_table_dealer__the_first_is_free_and_then_the_player_to_the_left_is_accepted() -> None:
    log = [deal(dealer=2), result(0, 4, 5, 6)]
    assert accepted(*log)["to_act"] == [0]
    accepted(*log, deal(dealer=0))


def test_table_dealer__another_than_the_rotation_gives_is_refused() -> None:
    log = [deal(dealer=2), result(0, 4, 5, 6)]
    refused(*log, deal(dealer=1), by="table.dealer")
    refused(*log, result(0, 4, 5, 6, dealer=2), by="table.dealer")


def test_table_dealer__waived_the_rotation_goes_on_from_there_and_is_accepted() -> None:
    log = [deal(dealer=2), result(0, 4, 5, 6), deal(dealer=1, waive=["table.dealer"])]
    assert accepted(*log, result(0, 4, 5, 6))["to_act"] == [2]


def test_table_dealer__after_an_annulled_deal_the_same_one_is_accepted_another_refused() -> None:
    accepted(deal(dealer=1), VOID, deal(dealer=1))
    refused(deal(dealer=1), VOID, deal(dealer=2), by="table.dealer")


def test_table_dealer__results_that_name_none_leave_it_free() -> None:
    log = [result(0, 4, 5, 6)]
    assert accepted(*log)["to_act"] == [0, 1, 2]
    accepted(*log, deal(dealer=2))


# --- table.version


def test_table_version__an_amended_entry_and_one_gone_back_to_are_accepted() -> None:
    log = [deal(), *turn(1, "5S"), amend(4, drop(1, "6S")), draw(2), drop(2, "5S")]
    assert accepted(*log)["to_act"] == [0]
    assert accepted(*log, take_back(4), draw(2))["to_act"] == [2]


def test_table_version__what_was_not_written_by_hand_or_stands_no_more_is_refused() -> None:
    log = [result(0, 4, 5, 6)]
    refused(*log, take_back(3), by="table.version")  # 3 is the deal_ended
    refused(deal(), draw(1), take_back(2), take_back(3), by="table.version")


def test_table_version__a_correction_that_a_later_card_denies_is_refused() -> None:
    log = [deal(), *turn(1, "8S"), *turn(2, "4H"), amend(4, drop(1, "4H"))]
    refused(*log, by="cards.seen", contradicts=4)


# --- shapes


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        (deal("XX"), "$.log[0].up"),
        (deal("??"), "$.log[0].up"),
        (draw(1, "??"), "$.log[0].card"),
        (swap(1, 0, "1S"), "$.log[0].card"),
        ({"type": "peek", "seat": 1, "place": [1]}, "$.log[0].place"),
        ({"type": "snap", "seat": 1, "slot": 0}, "$.log[0].card"),
        (reveal(1), "$.log[0]"),
        (reveal(1, "AS ??"), "$.log[0]"),
        (reveal(1, "AS 2S", points=3), "$.log[0]"),
        ({"type": "result", "caller": 0, "totals": [1, 2, 3]}, "$.log[0].counter"),
        ({"type": "result", "counter": None, "totals": [1, 2, 3]}, "$.log[0].caller"),
        (draw(1, waive=["euchre.lead"]), "$.log[0].waive[0]"),
        (take(1, card="9C"), "$.log[0].card"),
    ],
)
def test_shapes__what_is_no_entry_of_dutch_is_malformed(entry: Entry, path: str) -> None:
    assert malformed(entry) == path


@pytest.mark.parametrize(
    "options",
    [
        {"target": 0},
        {"deals": 0},
        {"penalty": 0},
        {"penalty": 5},
        {"penalty": None},
        {"tie": "nobody"},
        {"red_kings": "both"},
        {"jokers": 2},
    ],
)
def test_shapes__options_no_table_of_four_has_are_malformed(options: dict[str, object]) -> None:
    assert malformed(deal(), seats=4, **options)


def test_shapes__both_red_kings_go_with_five_players() -> None:
    accepted(deal(), seats=5, red_kings="both")


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_shapes__another_number_of_seats_is_malformed(seats: int) -> None:
    assert malformed(deal(), seats=seats) == "$.seats"


def test_cards_deck__every_card_of_the_pack_is_accepted_and_a_joker_refused_as_malformed() -> None:
    for rank in "AKQJT98765432":
        for suit in "SHDC":
            accepted(deal(rank + suit))
    malformed(*ALL_TURNS, reveal(1, "XX AS 2S 3S"))
