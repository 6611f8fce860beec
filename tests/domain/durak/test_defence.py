"""The defender: beating, passing on, taking, what is thrown after."""

from typing import Any

import pytest

from tests.domain.durak.entries import (
    BEATEN,
    BEGUN,
    SECOND,
    accepted,
    attack,
    away,
    beat,
    deal,
    done,
    lowest,
    pass_on,
    refused,
    take,
)

ATTACKED = [*BEGUN, attack(0, "7D")]
TAKEN = [*ATTACKED, take(1)]


# --- durak.defender


def test_defender__the_left_of_the_attacker_is_accepted() -> None:
    accepted(*ATTACKED, beat(1, "7D", "9D"))


@pytest.mark.parametrize("answer", [beat(2, "7D", "9D"), take(2), pass_on(2, "7H")])
def test_defender__anybody_else_is_refused(answer: dict[str, object]) -> None:
    refused(*ATTACKED, answer, by="durak.defender", rules="de")


def test_defender__whoever_answers_is_accepted_when_the_table_lets_it_pass() -> None:
    log = [*ATTACKED, beat(2, "7D", "9D", waive=["durak.defender"])]
    assert accepted(*log, done(0))["to_act"] == [2]


# --- durak.target


def test_target__an_unbeaten_attack_card_is_accepted() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), beat(1, "7C", "9C"), beat(1, "7D", "9D")]
    accepted(*log, rules="de")


def test_target__a_card_that_is_beaten_already_is_refused() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), beat(1, "7C", "9C"), beat(1, "7C", "TC")]
    refused(*log, by="durak.target", rules="de")


def test_target__a_card_that_is_not_there_is_refused_whatever_is_waived() -> None:
    refused(*ATTACKED, beat(1, "7H", "9H", waive=["durak.target"]), by="durak.target")


# --- durak.beats


@pytest.mark.parametrize("card", ["9C", "AC", "7S", "AS"])
def test_beats__any_higher_club_or_any_spade_is_accepted(card: str) -> None:
    accepted(*BEGUN, attack(0, "8C"), beat(1, "8C", card))


@pytest.mark.parametrize("card", ["7C", "9H", "AD"])
def test_beats__a_lower_club_or_another_suit_is_refused(card: str) -> None:
    refused(*BEGUN, attack(0, "8C"), beat(1, "8C", card), by="durak.beats")


def test_beats__a_trump_by_a_higher_one_is_accepted() -> None:
    accepted(*BEGUN, attack(0, "TS"), beat(1, "TS", "JS"))


@pytest.mark.parametrize("card", ["8S", "AD"])
def test_beats__a_trump_by_a_lower_one_or_another_suit_is_refused(card: str) -> None:
    refused(*BEGUN, attack(0, "TS"), beat(1, "TS", card), by="durak.beats")


def test_beats__a_lower_card_is_accepted_when_the_table_lets_it_pass() -> None:
    accepted(*BEGUN, attack(0, "8C"), beat(1, "8C", "7C", waive=["durak.beats"]))


# --- durak.transfer


def test_transfer__the_same_rank_is_accepted_and_the_next_player_defends() -> None:
    answered = accepted(*ATTACKED, pass_on(1, "7C"), rules="de", while_unbeaten=False)
    assert answered["to_act"] == [2]


def test_transfer__is_refused_by_the_french_rules() -> None:
    refused(*ATTACKED, pass_on(1, "7C"), by="durak.transfer")


def test_transfer__is_accepted_when_the_table_lets_it_pass() -> None:
    accepted(*ATTACKED, pass_on(1, "7C", waive=["durak.transfer"]))


def test_transfer__another_rank_is_refused() -> None:
    refused(*ATTACKED, pass_on(1, "8C"), by="durak.transfer", rules="de")


def test_transfer__after_a_card_is_beaten_is_refused() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), beat(1, "7C", "9C"), pass_on(1, "7H")]
    refused(*log, by="durak.transfer", rules="de")


def test_transfer__more_cards_than_the_bout_may_have_are_refused() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), pass_on(1, "7H")]
    refused(*log, by="durak.transfer", rules="de", first_bout=2)


def test_transfer__several_cards_are_refused_where_one_is_laid_at_a_time() -> None:
    refused(*ATTACKED, pass_on(1, "7C 7H"), by="durak.lead", rules="de", lead="single")


def test_transfer__to_a_hand_smaller_than_the_attack_is_accepted() -> None:
    log = [*BEGUN, away(2, "8S 8H 8D 8C", waive=["durak.four-away"]), attack(0, "TD TH")]
    answered = accepted(*log, pass_on(1, "TC"), rules="de")
    assert answered["hand_counts"] == [4, 5, 2]
    assert answered["to_act"] == [2]


PASSED_ON = [deal(dealer=3), lowest(0, "6S"), attack(0, "7D"), pass_on(1, "7C")]
DEFENDED = [*PASSED_ON, beat(2, "7D", "8D"), beat(2, "7C", "8C")]


def test_transfer__who_opened_the_bout_is_accepted_to_keep_the_word() -> None:
    accepted(*DEFENDED, attack(0, "8H"), seats=4, rules="de")


def test_transfer__the_passer_is_refused_the_word_that_the_opener_keeps() -> None:
    refused(*DEFENDED, attack(1, "8H"), by="durak.who-adds", seats=4, rules="de")
    refused(*DEFENDED, attack(1, "8H"), by="durak.word", seats=4, rules="de", throwers="all")


def test_transfer__the_passer_is_accepted_to_have_the_word_where_the_table_says_so() -> None:
    table: dict[str, Any] = {"seats": 4, "rules": "de", "after_transfer": "passer"}
    accepted(*DEFENDED, attack(1, "8H"), **table)
    refused(*DEFENDED, attack(0, "8H"), by="durak.who-adds", **table)


def test_transfer__come_round_to_the_opener_leaves_the_last_passer_the_word() -> None:
    log = [deal(dealer=2), lowest(0, "6S"), attack(0, "7D"), pass_on(1, "7C"), pass_on(2, "7H")]
    log += [beat(0, "7D", "8D"), beat(0, "7C", "8C"), beat(0, "7H", "8H")]
    assert accepted(*log, rules="de")["to_act"] == [2]


def test_transfer__passed_on_by_the_opener_again_gives_the_word_back() -> None:
    log = [deal(dealer=2), lowest(0, "6S"), attack(0, "7D"), pass_on(1, "7C"), pass_on(2, "7H")]
    assert accepted(*log, pass_on(0, "7S"), take(1), rules="de")["to_act"] == [0]


def test_transfer__a_take_after_it_leaves_the_word_with_the_opener() -> None:
    answered = accepted(*PASSED_ON, take(2), seats=4, rules="de", throwers="all")
    assert answered["to_act"] == [0]


def test_transfer__to_a_player_without_cards_is_refused() -> None:
    log = [deal(dealer=1), lowest(0, "6S")]
    log += [away(0, "6S 6H 6D 6C", waive=["durak.four-away"]), attack(0, "8D 8H")]
    refused(*log, pass_on(1, "8C"), by="durak.transfer", seats=2, rules="de")


# --- durak.take


def test_take__an_unbeaten_card_is_accepted() -> None:
    answered = accepted(*TAKEN)
    assert answered["hand_counts"] == [6, 7, 6]
    assert answered["to_act"] == [2]


def test_take__when_everything_is_beaten_is_refused() -> None:
    refused(*BEATEN, take(1), by="durak.take")


def test_take__when_everything_is_beaten_is_accepted_if_the_table_lets_it_pass() -> None:
    assert accepted(*BEATEN, take(1, waive=["durak.take"]))["hand_counts"] == [6, 7, 6]


def test_take__the_cards_are_known_in_that_hand_and_anywhere_else_refused() -> None:
    accepted(*TAKEN, attack(2, "AD"), take(0), attack(1, "7D"))
    refused(*TAKEN, attack(2, "7D"), by="cards.seen", contradicts=2)


def test_take__twice_is_refused() -> None:
    refused(*TAKEN, take(1), by="table.phase", rules="de")


# --- durak.throw-after


def test_throw_after__cards_are_accepted_by_the_german_rules() -> None:
    log = [*TAKEN, attack(0, "7H"), done(0), attack(2, "7C"), done(None)]
    answered = accepted(*log, rules="de")
    assert answered["hand_counts"] == [6, 9, 6]
    assert answered["stock"] == 15


def test_throw_after__the_bout_is_over_and_more_is_refused_by_the_french_rules() -> None:
    refused(*TAKEN, attack(0, "7H"), by="durak.turn")


def test_throw_after__another_rank_is_refused() -> None:
    refused(*TAKEN, attack(0, "8H"), by="durak.rank", rules="de")


def test_throw_after__the_word_goes_back_to_the_last_attacker_and_others_are_refused() -> None:
    log = [*BEATEN, done(0), attack(2, "9C"), take(1)]
    assert accepted(*log, rules="de")["to_act"] == [2]
    refused(*log, attack(0, "9H"), by="durak.word", rules="de")


def test_throw_after__at_the_limit_the_bout_is_over_by_itself_and_accepted() -> None:
    log = [*ATTACKED, take(1), attack(0, "7H")]
    assert accepted(*log, rules="de", first_bout=2)["to_act"] == [2]


# --- durak.four-away


def test_four_away__all_four_of_a_rank_are_accepted_between_bouts() -> None:
    answered = accepted(*SECOND, away(2, "8S 8H 8D 8C"), rules="de")
    assert answered["hand_counts"] == [6, 6, 2]
    assert answered["stock"] == 16


def test_four_away__before_the_first_bout_is_refused() -> None:
    refused(*BEGUN, away(2, "8S 8H 8D 8C"), by="durak.four-away", rules="de")


def test_four_away__during_a_bout_is_refused() -> None:
    refused(*BEATEN, away(2, "8S 8H 8D 8C"), by="durak.four-away", rules="de")


def test_four_away__is_refused_by_the_french_rules() -> None:
    refused(*SECOND, away(2, "8S 8H 8D 8C"), by="durak.four-away")


def test_four_away__unlike_cards_are_refused() -> None:
    refused(*SECOND, away(2, "8S 8H 8D TC"), by="durak.four-away", rules="de")


def test_four_away__three_cards_are_refused() -> None:
    refused(*SECOND, away(2, "8S 8H 8D"), by="cards.count", rules="de")


def test_four_away__is_accepted_when_the_table_lets_it_pass() -> None:
    accepted(*BEGUN, away(2, "8S 8H 8D 8C", waive=["durak.four-away"]))


def test_four_away__the_cards_are_gone_and_one_of_them_is_refused() -> None:
    log = [*SECOND, away(2, "8S 8H 8D 8C"), attack(1, "8D")]
    refused(*log, by="cards.seen", contradicts=6, rules="de")


def test_four_away__an_emptied_hand_is_passed_over_while_stock_remains_and_accepted() -> None:
    # Seat 2 takes twice, lays eight cards away and holds none; seat 1 attacks seat 0.
    log = [*SECOND, attack(1, "8D 8C"), take(2), done(None)]
    log += [away(2, "8S 8H 8D 8C"), away(2, "KS KH KD KC")]
    log += [attack(0, "TD")]
    answered = accepted(*log, rules="de")
    assert answered["hand_counts"][2] == 0
    assert 1 in answered["to_act"]


def test_throw_after__the_word_is_the_main_attackers_where_the_last_attacker_takes() -> None:
    log = [deal(dealer=3), lowest(0, "6S"), attack(0, "7D"), attack(2, "7H", waive=["durak.word"])]
    accepted(*log, take(1), attack(2, "7C"), rules="de", throwers="all", seats=4)
    taken = [*log, take(2, waive=["durak.defender"])]
    assert accepted(*taken, rules="de", throwers="all", seats=4)["to_act"] == [0]


def test_defender__whoever_has_the_word_keeps_it_where_another_answers_for_the_defender() -> None:
    log = [deal(dealer=3), lowest(0, "6S"), attack(0, "7D"), attack(2, "7H", waive=["durak.word"])]
    answered = [beat(3, "7D", "9D", waive=["durak.defender"]), beat(3, "7H", "9H")]
    table = accepted(*log, *answered, rules="de", throwers="all", seats=4)
    assert table["to_act"] == [2]
