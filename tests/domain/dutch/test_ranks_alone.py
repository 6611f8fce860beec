"""A card whose suit nobody noted: `7?` proves its rank and no more."""

import pytest
from msgspec import json

from domain.replay import Replayed, opening, replay
from domain.table import judgement
from schemas.catalogue import shapes
from schemas.dutch import Options
from schemas.malformed import Malformed
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.domain.dutch.entries import (
    ALL_TURNS,
    Entry,
    accepted,
    deal,
    draw,
    drop,
    facts,
    look,
    malformed,
    peek,
    refused,
    result,
    reveal,
    snap,
    swap,
    take,
    trade,
    turn,
)

SEVEN_IN_SLOT = [deal(), look(1, 0, 1, cards=["7?", "??"])]
THREE_SEVENS = [deal("7S"), *turn(1, "7H"), *turn(2, "7D")]


def test_rank_alone__stands_wherever_a_card_is_named() -> None:
    log = [deal("9?", hands=[["7?", "7?", "??", "8?"], None, None])]
    log += [look(1, 0, 1, cards=["K?", "??"]), draw(1, "2?"), swap(1, 0, "K?")]
    log += [snap(0, 0, "7?"), draw(2), drop(2, "Q?"), peek(2, (2, 0), card="3?")]
    accepted(*log)


def test_rank_alone__any_card_of_the_rank_is_accepted_there_later() -> None:
    for card in ("7S", "7H", "7D", "7C", "7?"):
        accepted(*SEVEN_IN_SLOT, draw(1), swap(1, 0, card))


@pytest.mark.parametrize("card", ["8S", "8?"])
def test_rank_alone__another_rank_there_is_refused_and_names_the_entry(card: str) -> None:
    refused(*SEVEN_IN_SLOT, draw(1), swap(1, 0, card), by="dutch.place", contradicts=1)


def test_rank_alone__the_entry_that_named_it_is_told_among_many_that_named_others() -> None:
    named = ["9S", "9H", "9D", "TS", "TH", "TD", "TC", "8H", "8D", "8C", "6S", "6H"]
    turns = [entry for n, card in enumerate(named) for entry in turn((n + 1) % 3, card)]
    refused(*SEVEN_IN_SLOT, *turns, draw(1), swap(1, 0, "8S"), by="dutch.place", contradicts=1)


def test_rank_alone__of_a_card_in_hand_another_is_refused() -> None:
    refused(deal(), draw(1, "7?"), drop(1, "8S"), by="cards.held", contradicts=1)
    accepted(deal(), draw(1, "7?"), drop(1, "7S"))


def test_rank_alone__of_a_card_known_there_another_is_refused_and_its_own_accepted() -> None:
    known = deal(hands=[None, ["7S", "??", "??", "??"], None])
    accepted(known, draw(1), swap(1, 0, "7?"))
    refused(known, draw(1), swap(1, 0, "8?"), by="dutch.place", contradicts=0)


def test_rank_alone__moves_with_its_card() -> None:
    traded = [deal(hands=[None, ["7?", "??", "??", "??"], None]), *turn(1, "JS")]
    traded += [trade(1, (1, 0), (2, 0)), draw(2)]
    accepted(*traded, swap(2, 0, "7C"))
    refused(*traded, swap(2, 0, "8C"), by="dutch.place", contradicts=0)


def test_rank_alone__taken_from_the_pile_lies_in_its_slot() -> None:
    log = [deal("7?"), take(1), swap(1, 3, "5S"), *turn(2, "2S"), *turn(0, "3S"), draw(1)]
    accepted(*log, swap(1, 3, "7D"))
    refused(*log, swap(1, 3, "8D"), by="dutch.place", contradicts=0)


def test_rank_alone__a_fourth_is_accepted_and_a_fifth_refused() -> None:
    accepted(*THREE_SEVENS, *turn(0, "7?"))
    refused(*THREE_SEVENS, *turn(0, "7?"), *turn(1, "7C"), by="cards.impossible", contradicts=6)
    refused(*THREE_SEVENS, *turn(0, "7?"), *turn(1, "7?"), by="cards.impossible", contradicts=6)


def test_rank_alone__five_of_a_rank_dealt_are_refused() -> None:
    sevens = ["7?", "7?", "7?", "7?"]
    accepted(deal("8?", hands=[sevens, None, None]))
    refused(deal("7?", hands=[sevens, None, None]), by="cards.impossible")


def test_rank_alone__unsure_proves_nothing() -> None:
    log = [deal(), draw(1, "7?", unsure=True)]
    accepted(*log, drop(1, "8S"))


def test_rank_alone__decides_whether_a_snap_matches() -> None:
    thrown = [deal(), *turn(1, "7?")]
    assert accepted(*thrown, snap(2, 0, "7?"))["hand_counts"] == [4, 4, 3]
    assert accepted(*thrown, snap(2, 0, "8?"))["hand_counts"] == [4, 4, 5]


def test_rank_alone__a_queen_gives_her_power() -> None:
    accepted(deal(), *turn(1, "Q?"), peek(1, (2, 0)))
    refused(deal(), *turn(1, "K?"), peek(1, (2, 0)), by="dutch.powers")


def test_rank_alone__a_row_revealed_by_ranks_is_counted() -> None:
    others = [reveal(0, points=30), reveal(2, points=30)]
    answered = accepted(*ALL_TURNS, reveal(1, "A? A? 4? 6?"), *others)
    assert answered["deals"] == [[30, 0, 30]]


def test_rank_alone__a_king_revealed_needs_the_points_and_they_tell_which() -> None:
    malformed(*ALL_TURNS, reveal(1, "A? A? 4? K?"))
    malformed(*ALL_TURNS, reveal(1, "A? A? 4? 5?", points=11))
    accepted(*ALL_TURNS, reveal(1, "A? A? 4? K?", points=6))
    accepted(*ALL_TURNS, reveal(1, "A? A? 4? K?", points=19))
    refused(*ALL_TURNS, reveal(1, "A? A? 4? K?", points=18), by="cards.impossible")


def test_rank_alone__the_king_worth_nothing_is_told_by_the_points_and_refused_elsewhere() -> None:
    log = [*ALL_TURNS, reveal(1, "A? A? 4? K?", points=6)]
    refused(*log, reveal(0, "KH 2H 3H 4H"), by="cards.impossible", contradicts=6)
    accepted(*log, reveal(0, "KS 2H 3H 4H"))


def test_rank_alone__totals_are_held_against_it() -> None:
    told = [deal(), look(1, 0, 1, cards=["7?", "??"]), *ALL_TURNS[1:], reveal(0, points=30)]
    accepted(*told, result(1, 30, 9, 30))
    refused(*told, result(1, 30, 8, 30), by="table.result", contradicts=1)


def test_rank_alone__a_rank_of_which_no_card_is_left_is_not_told_to_be_spent() -> None:
    log = [*ALL_TURNS, reveal(1, "A? A? 4? K?", points=6)]
    assert facts(*log, reveal(0, "KH AH AD 4H"))["why"] == "row"


def table(*log: Entry) -> dict[str, object]:
    decoded = shapes("dutch").decode_submitted(json.encode(log))
    assert not isinstance(decoded, Malformed)
    replayed = replay(opening("dutch", Options(), 3), decoded)
    assert isinstance(replayed, Replayed)
    return dict(judgement.situation(replayed.history.game).table)


def test_rank_alone__is_shown_where_it_lies() -> None:
    rows = table(*SEVEN_IN_SLOT)["rows"]
    assert isinstance(rows, list)
    assert rows[1][0] == {"slot": 0, "card": "7?"}
    assert table(deal("7?"))["top"] == "7?"


def test_rank_alone__of_a_card_known_is_shown_in_full() -> None:
    known = deal(hands=[None, ["7S", "??", "??", "??"], None])
    assert table(known, draw(1), swap(1, 0, "7?"))["top"] == "7S"


def test_rank_alone__is_said_in_every_language() -> None:
    said = [texts().card("7?", lang) for lang in LANGUAGES]
    assert said == ["some seven", "le sept (couleur inconnue)", "Sieben (Farbe unbekannt)"]


def test_rank_alone__no_rank_is_malformed() -> None:
    assert malformed(deal("1?")) == "$.log[0].up"


def test_rank_alone__it_is_told_how_often_a_rank_is_named_and_lies_elsewhere() -> None:
    spent = [deal("7S"), look(0, 0, 1, cards=["7?", "7?"])]
    assert facts(*spent, look(1, 0, 1, cards=["7?", "7?"])) == {
        "seat": 1,
        "card": "7?",
        "why": "rank too often",
        "named": 2,
        "elsewhere": 3,
    }
    five = deal("7?", hands=[["7?", "7?", "7?", "7?"], None, None])
    told = facts(five)
    assert (told["why"], told["named"], told["elsewhere"]) == ("rank named too often", 5, 0)


@pytest.mark.parametrize("card", ["7H", "7?"])
def test_rank_alone__it_is_told_that_a_rank_is_spent(card: str) -> None:
    held = deal("7S", hands=[["7?", "7?", "7?", "??"], None, None])
    told = facts(held, look(1, 0, 1, cards=[card, "??"]))
    assert told == {"seat": 1, "card": card, "why": "rank spent"}
    # What only may be a seven is none: another card of the deck lies there.
    accepted(
        deal("7S", hands=[["7?", "7?", "??", "??"], None, None]), look(1, 0, 1, cards=[card, "??"])
    )


def test_rank_alone__it_is_told_that_a_rank_is_spent_whatever_the_points() -> None:
    held = deal("7S", hands=[["7?", "7?", "7?", "??"], None, None])
    row = reveal(1, "7? A? 4? K?", points=25)
    assert facts(held, *ALL_TURNS[1:], row)["why"] == "rank spent"


def test_pile__begun_anew_has_one_card() -> None:
    assert table(deal(), take(1), swap(1, 0, "5C"))["pile"] == 1
