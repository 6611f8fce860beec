"""Attacks, who adds them, the word, the limits."""

import pytest
from msgspec import json

from domain.table.judgement import situation
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.malformed import Malformed
from tests.domain.durak.endings import SIX
from tests.domain.durak.entries import (
    BEATEN,
    BEGUN,
    SECOND,
    TABLE,
    Entry,
    accepted,
    attack,
    away,
    beat,
    deal,
    done,
    facts,
    lowest,
    refused,
    take,
)
from tests.domain.durak.test_ends import history

FOUR = [deal(dealer=3), lowest(0, "6S")]
FOUR_BEATEN = [*FOUR, attack(0, "7D"), beat(1, "7D", "9D")]


# --- durak.must-lead


def test_must_lead__an_attack_is_accepted() -> None:
    accepted(*BEGUN, attack(0, "7D"))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_must_lead__done_before_the_first_attack_is_refused(seat: int | None) -> None:
    refused(*BEGUN, done(seat), by="durak.must-lead")


def test_must_lead__no_waiver_helps_and_done_is_refused() -> None:
    refused(*BEGUN, done(0, waive=["durak.must-lead"]), by="durak.must-lead")


# --- durak.lead


def test_lead__several_cards_of_a_rank_are_refused_by_the_french_rules() -> None:
    refused(*BEGUN, attack(0, "7D 7C"), by="durak.lead")


def test_lead__several_cards_of_a_rank_are_accepted_by_the_german_rules() -> None:
    accepted(*BEGUN, attack(0, "7D 7C"), rules="de")


def test_lead__several_cards_are_accepted_when_the_table_lets_it_pass() -> None:
    accepted(*BEGUN, attack(0, "7D 7C", waive=["durak.lead"]))


def test_lead__several_added_cards_are_refused_by_the_french_rules() -> None:
    refused(*BEATEN, attack(0, "9C 9H"), by="durak.lead")


# --- durak.rank


@pytest.mark.parametrize("card", ["7C", "9C"])
def test_rank__a_rank_on_the_table_is_accepted(card: str) -> None:
    accepted(*BEATEN, attack(0, card))


def test_rank__another_rank_is_refused() -> None:
    refused(*BEATEN, attack(0, "8C"), by="durak.rank")


def test_rank__another_rank_is_accepted_when_the_table_lets_it_pass() -> None:
    accepted(*BEATEN, attack(0, "8C", waive=["durak.rank"]))


def test_rank__unlike_cards_together_are_refused() -> None:
    refused(*BEGUN, attack(0, "7D 8D"), by="durak.rank", rules="de")


def test_rank__of_the_french_example_every_step_is_accepted() -> None:
    log = [deal("6C"), lowest(0, "8C"), attack(0, "7S"), beat(1, "7S", "TS")]
    log += [attack(0, "TD"), beat(1, "TD", "KC")]
    for card in ("7H", "TH", "KH"):
        accepted(*log, attack(0, card))
    refused(*log, attack(0, "9H"), by="durak.rank")


# --- durak.unbeaten


def test_unbeaten__adding_meanwhile_is_refused_by_the_french_rules() -> None:
    refused(*BEGUN, attack(0, "7D"), attack(0, "7C"), by="durak.unbeaten")


def test_unbeaten__adding_meanwhile_is_accepted_by_the_german_rules() -> None:
    accepted(*BEGUN, attack(0, "7D"), attack(0, "7C"), rules="de")


def test_unbeaten__adding_meanwhile_is_accepted_when_the_table_lets_it_pass() -> None:
    accepted(*BEGUN, attack(0, "7D"), attack(0, "7C", waive=["durak.unbeaten"]))


# --- durak.who-adds


def test_who_adds__the_left_of_the_defender_is_accepted() -> None:
    accepted(*FOUR_BEATEN, done(0), attack(2, "9C"), seats=4)


def test_who_adds__the_player_opposite_is_refused_by_neighbours() -> None:
    log = [*FOUR_BEATEN, done(0), attack(3, "9C")]
    refused(*log, by="durak.who-adds", seats=4, teams=False)


def test_who_adds__everybody_is_accepted_where_all_throw() -> None:
    log = [*FOUR_BEATEN, done(0), done(2), attack(3, "9C")]
    accepted(*log, seats=4, teams=False, throwers="all")


def test_who_adds__the_defender_is_refused() -> None:
    refused(*BEATEN, attack(1, "9C"), by="durak.who-adds")


def test_who_adds__in_teams_an_opponent_is_refused() -> None:
    log = [*FOUR_BEATEN, done(0), attack(3, "9C")]
    refused(*log, by="durak.who-adds", seats=4, throwers="all")


def test_who_adds__a_waived_card_is_accepted_and_leaves_the_word_where_it_was() -> None:
    added = attack(3, "9C", waive=["durak.who-adds"])
    log = [*FOUR_BEATEN, added, beat(1, "9C", "TC")]
    answered = accepted(*log, seats=4, teams=False)
    assert answered["to_act"] == [0]


# --- durak.word


def test_word__the_second_adder_before_the_first_is_done_is_refused() -> None:
    refused(*BEATEN, attack(2, "9C"), by="durak.word")


def test_word__the_second_adder_is_accepted_where_the_word_is_loose() -> None:
    accepted(*BEATEN, attack(2, "9C"), word="loose")


def test_word__the_second_adder_is_accepted_when_the_table_lets_it_pass() -> None:
    log = [*BEATEN, attack(2, "9C", waive=["durak.word"]), beat(1, "9C", "TC")]
    assert accepted(*log)["to_act"] == [2]


def test_word__who_attacks_keeps_it_and_done_is_accepted_to_bring_it_back() -> None:
    log = [*BEATEN, done(0), attack(2, "9C"), beat(1, "9C", "TC")]
    assert accepted(*log)["to_act"] == [2]
    assert accepted(*log, done(2))["to_act"] == [0]
    assert accepted(*log, done(2), done(0))["to_act"] == [1]


def test_word__done_without_the_word_is_refused() -> None:
    refused(*BEATEN, done(2), by="durak.word")


def test_word__done_in_any_order_is_accepted_where_the_word_is_loose() -> None:
    answered = accepted(*BEATEN, done(2), done(0), word="loose")
    assert answered["to_act"] == [1]
    assert answered["stock"] == 16


def test_word__everybody_done_is_accepted_at_once() -> None:
    assert accepted(*BEATEN, done(None))["stock"] == 16


def test_word__everybody_done_over_an_unbeaten_card_is_refused() -> None:
    refused(*BEGUN, attack(0, "7D"), done(None), by="durak.word")


def test_word__done_over_an_unbeaten_card_is_accepted_and_only_passes_it() -> None:
    log = [*BEGUN, attack(0, "7D"), done(0), done(2), beat(1, "7D", "9D")]
    assert accepted(*log)["to_act"] == [0]


def test_word__done_with_nothing_left_to_add_is_refused_over_an_unbeaten_card() -> None:
    log = [*BEGUN, attack(0, "7D"), done(0)]
    refused(*log, by="durak.word", rules="de", first_bout=1)


# --- durak.limit


def test_limit__five_cards_before_a_bout_was_beaten_off_are_accepted() -> None:
    log = [*BEGUN, attack(0, "7D 7C 7H"), beat(1, "7D", "8D"), attack(0, "8C 8H")]
    accepted(*log, rules="de")


def test_limit__a_sixth_before_a_bout_was_beaten_off_is_refused() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), beat(1, "7D", "8D"), attack(0, "8C 8H"), done(0)]
    refused(*log, attack(2, "7H 7S"), by="durak.limit", rules="de")


def test_limit__a_sixth_is_accepted_once_a_bout_was_beaten_off() -> None:
    log = [*SECOND, attack(1, "7C 7H 7S"), beat(2, "7C", "8C"), attack(1, "8H 8S")]
    accepted(*log, done(1), attack(0, "8D"), rules="de")


def test_limit__more_cards_than_the_defender_held_are_refused() -> None:
    log = [*BEGUN, attack(0, "7D 7C 7H"), beat(1, "7D", "8D"), attack(0, "8C 8H"), done(0)]
    log += [attack(2, "8S"), attack(2, "7S")]
    refused(*log, by="durak.limit", rules="de", first_bout=None, max_bout=None)


def test_limit__a_card_too_many_is_accepted_when_the_table_lets_it_pass() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), beat(1, "7D", "8D"), attack(0, "8C 8H"), done(0)]
    accepted(*log, attack(2, "7H 7S", waive=["durak.limit"]), rules="de")


# --- durak.beaten-off


def test_beaten_off__six_attacks_beaten_end_the_bout_by_themselves() -> None:
    log = [deal(), lowest(0, "7S"), attack(0, "7S"), beat(1, "7S", "8S")]
    log += [attack(0, "8C"), beat(1, "8C", "9C")]
    log += [attack(0, "9H"), beat(1, "9H", "TH"), attack(0, "TD"), beat(1, "TD", "JD")]
    log += [attack(0, "JC"), beat(1, "JC", "QC"), attack(0, "QD"), beat(1, "QD", "KD")]
    answered = accepted(*log)
    assert answered["to_act"] == [1]
    assert answered["hand_counts"] == [6, 6, 6]
    assert answered["stock"] == 6


def test_beaten_off__a_card_that_left_the_game_is_refused_against_its_last_entry() -> None:
    refused(*SECOND, attack(1, "7D"), by="cards.seen", contradicts=2)


# --- durak.turn


def test_turn__who_beat_the_bout_off_is_accepted() -> None:
    assert accepted(*SECOND, attack(1, "AD"))["to_act"] == [2]


def test_turn__anybody_else_is_refused() -> None:
    refused(*SECOND, attack(0, "AD"), by="durak.turn")


def test_turn__after_a_take_the_left_of_the_defender_is_accepted() -> None:
    accepted(*BEGUN, attack(0, "7D"), take(1), attack(2, "AD"))


def test_turn__after_a_take_the_defender_is_refused() -> None:
    refused(*BEGUN, attack(0, "7D"), take(1), attack(1, "AD"), by="durak.turn")


def test_turn__somebody_else_is_accepted_when_the_table_lets_it_pass() -> None:
    answered = accepted(*SECOND, attack(0, "AD", waive=["durak.turn"]))
    assert answered["to_act"] == [1]


# --- durak.draw


def test_draw__the_main_attacker_first_and_the_defender_last() -> None:
    # Five players leave a stock of six: seat 0 draws two, seat 2 one, the defender the rest.
    log = [deal(dealer=4), lowest(0, "6S"), attack(0, "7D"), beat(1, "7D", "9D"), attack(0, "9C")]
    log += [beat(1, "9C", "TC"), done(0), attack(2, "TD"), beat(1, "TD", "JD"), done(None)]
    answered = accepted(*log, seats=5)
    assert answered["hand_counts"] == [6, 6, 6, 6, 6]
    assert answered["stock"] == 0


def test_draw__the_shown_card_is_known_to_be_with_whoever_drew_last() -> None:
    log = [deal(dealer=4), lowest(0, "6S"), attack(0, "7D"), beat(1, "7D", "9D"), attack(0, "9C")]
    log += [beat(1, "9C", "TC"), done(0), attack(2, "TD"), beat(1, "TD", "JD"), done(None)]
    accepted(*log, attack(1, "9S"), seats=5)
    refused(*log, attack(1, "QH"), beat(2, "QH", "9S"), by="cards.seen", contradicts=0, seats=5)


# --- what refusals tell

FIVE = [*BEGUN, attack(0, "7D 7C"), beat(1, "7D", "8D"), attack(0, "8C 8H"), done(0)]


@pytest.mark.parametrize(
    ("log", "clause", "told"),
    [
        ([*FIVE, attack(2, "7H 7S")], "durak.limit", {"seat", "card", "most", "why"}),
        ([*BEATEN, attack(0, "8C")], "durak.rank", {"seat", "card", "why"}),
    ],
    ids=["limit", "rank"],
)
def test_refusal__of_the_limit_alone_says_how_many_there_may_be(
    log: list[Entry], clause: str, told: set[str]
) -> None:
    *before, last = log
    made = history(*before, seats=3, rules="de")
    decoded = shapes("durak").decode_submitted(json.encode([last]))
    assert not isinstance(decoded, Malformed)
    refusal = made.judge(decoded[0])
    assert isinstance(refusal, Refusal)
    assert refusal.rule == clause
    assert refusal.facts.keys() == told


def test_refusal__of_one_card_named_twice_says_which() -> None:
    told = TABLE.facts(*SIX, attack(0, "KH KH"), seats=6)
    assert told == {"seat": 0, "card": "KH"}


def test_refusal__of_several_cards_names_the_one_that_lies_elsewhere() -> None:
    log = [*SECOND, attack(1, "9C 9D")]
    refused(*log, by="cards.seen", contradicts=3, lead="several")
    assert TABLE.facts(*log, lead="several")["card"] == "9D"


def test_refusal__of_the_limit_says_if_the_table_sets_it_once_a_bout_was_beaten_off() -> None:
    log = [*SECOND, attack(1, "TS TH TD TC"), beat(2, "TD", "JD"), done(1), attack(0, "JS JH JC")]
    assert TABLE.facts(*log, rules="de")["why"] == "table"


def test_refusal__of_done_before_an_attack_says_whose_it_was() -> None:
    assert TABLE.facts(*BEGUN, done(0)) == {"seat": 0}
    assert TABLE.facts(*BEGUN, done(None)) == {}


def test_held__a_given_hand_that_drew_too_few_unseen_cards_is_still_the_deals() -> None:
    hands = [None, ["7D", "7C", "8C", "9C", "TC", "JC"], None]
    log = [deal(hands=hands), lowest(0, "6S"), attack(0, "6D"), beat(1, "6D", "7D"), done(None)]
    refused(*log, attack(1, "KH"), beat(2, "KH", "AH"), attack(1, "KD"), by="cards.held",
            contradicts=0)  # fmt: skip


# --- the bout as it stands


def test_bout__is_over_when_the_defender_holds_no_card_before_the_limit() -> None:
    let_pass = away(1, "TS TH TD TC", waive=["durak.four-away"])
    log = [*BEGUN, attack(0, "7D"), beat(1, "7D", "8D"), let_pass]
    answered = accepted(*log, attack(0, "8C"), beat(1, "8C", "9C"))
    assert answered["hand_counts"] == [6, 6, 6]


def test_bout__a_rank_on_the_table_is_noted_once() -> None:
    bout = history(*BEGUN, attack(0, "7D 7C"), seats=3, lead="several").game.deal.bout
    assert bout.ranks == "7"


@pytest.mark.parametrize(("seat", "word"), [(2, 0), (0, 2)])
def test_word__loose_it_passes_on_only_from_whoever_has_it(seat: int, word: int) -> None:
    log = [deal(dealer=3), lowest(0, "6S"), attack(0, "7D"), beat(1, "7D", "9D"), done(seat)]
    options = {"word": "loose", "throwers": "all", "teams": False}
    game = history(*log, seats=4, **options).game
    assert situation(game).table["word"] == word


def test_bout__what_nothing_lies_on_waits_to_be_beaten() -> None:
    log = [*BEGUN, attack(0, "7D 7C"), beat(1, "7D", "8D")]
    assert history(*log, seats=3, lead="several").game.deal.bout.unbeaten == ("7C",)


def test_table__the_card_under_the_stock_is_not_gone() -> None:
    assert situation(history(*BEGUN, seats=3).game).table["gone"] == []


def test_cards_count__it_is_told_which_card_was_named_twice() -> None:
    log = [*BEGUN, attack(0, "7D 7C 7C")]
    assert facts(*log, lead="several") == {"seat": 0, "card": "7C"}


def test_four_away__the_first_card_is_told_and_why() -> None:
    told = {"seat": 0, "card": "7D"}
    four = away(0, "7D 7C 7H 7S")
    assert facts(*BEGUN, four) == {**told, "why": "table"}
    assert facts(*BEGUN, four, four_away=True) == {**told, "why": "first"}
    assert facts(*BEGUN, attack(0, "8D"), four, four_away=True) == {**told, "why": "bout"}
    other = away(0, "7D 8C 7H 7S")
    assert facts(*SECOND, other, four_away=True) == {**told, "why": "unlike"}


def test_who_adds__done_by_somebody_else_lets_the_word_where_it_is() -> None:
    log = [*BEATEN, done(1, waive=["durak.who-adds"])]
    assert accepted(*log)["to_act"] == accepted(*BEATEN)["to_act"] == [0]
