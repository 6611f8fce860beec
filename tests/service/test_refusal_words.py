from typing import Any

import msgspec
import pytest

from domain.replay import StoppedRecord, opening, replay
from schemas.catalogue import decode_record, ruleset_of
from schemas.strict_json import Malformed
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.domain.durak import entries as durak
from tests.domain.dutch import entries as dutch
from tests.domain.rami import entries as rami
from tests.service.refused import forms_of

Entry = dict[str, Any]
THIRTEEN = "TS JS QS KS AS"


def refusal_sentence(
    ruleset: str, *log: Entry, lang: str = "en", seats: int = 2, **options: object
) -> str:
    line = {"ruleset": ruleset, "options": options, "seats": seats, "log": list(log)}
    record = decode_record(msgspec.json.encode(line))
    assert not isinstance(record, Malformed), record
    outcome = replay(opening(ruleset_of(record), record.options, seats), record.log)
    if not isinstance(outcome, StoppedRecord):
        return ""
    refusal, label = outcome.refusal, None
    if outcome.contradicts is not None:
        label = f"log[{outcome.contradicts}]"
    return texts().refusal(refusal, lang, entry_label=label)


def counting(*, drawn: str = "QH") -> list[Entry]:
    return [
        rami.deal(dealer=1),
        rami.draw(0, drawn),
        rami.meld(0, THIRTEEN, "2D 3D 4D", "6C 7C 8C"),
        rami.throw(0, "9H"),
        rami.draw(1),
        rami.meld(1, "TC JC QC KC AC", "2S 3S 4S 5S 6S", "7D 8D 9D TD"),
    ]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Player 1 holds 2 cards: 99 points cannot be, 30 at most."),
        ("fr", "La place 1 tient 2 cartes : cela ne peut pas faire 99 points, mais 30 au plus."),
        ("de", "Spieler 1 hält 2 Karten: 99 Punkte können das nicht sein, höchstens 30."),
    ],
)
def test_count__of_too_many_points_says_how_many_there_are_at_most(lang: str, said: str) -> None:
    heard = refusal_sentence("rami", *counting(), rami.count(0, points=99), lang=lang)
    assert heard.replace("\u202f", " ").replace("\u00a0", " ") == said


def test_count__of_too_few_points_says_what_is_known_to_be_there() -> None:
    assert refusal_sentence("rami", *counting(), rami.count(0, points=5)) == (
        "Player 1 is known to hold the queen of hearts, which is 10 already:"
        " 5 points cannot be, 12 at least."
    )


ROW_OF_TWO_CLUBS = [
    {"type": "deal", "dealer": 0, "up": "2C"},
    {"type": "dutch", "seat": 1},
    {"type": "take", "seat": 0},
    {"type": "swap", "seat": 0, "slot": 0, "card": "5C"},
]


def row_of(points: int) -> dict[str, object]:
    return {"type": "reveal", "seat": 0, "cards": ["??", "??", "??", "??"], "points": points}


def test_reveal__of_unseen_cards_worth_too_little_says_how_little_they_can_be() -> None:
    assert refusal_sentence("dutch", *ROW_OF_TWO_CLUBS, row_of(3)) == (
        "Player 1 is known to hold the two of clubs, which is 2 already:"
        " 3 points cannot be, 4 at least."
    )


def test_reveal__of_unseen_cards_worth_the_least_they_can_be_is_told_nothing() -> None:
    assert not refusal_sentence("dutch", *ROW_OF_TWO_CLUBS, row_of(4))


def test_count__of_points_that_can_be_is_told_nothing() -> None:
    assert not refusal_sentence("rami", *counting(), rami.count(0, points=20))


def test_count__that_leaves_out_a_card_says_which_and_who_named_it() -> None:
    assert refusal_sentence("rami", *counting(), rami.count(0, "QD 2C")) == (
        "Player 1 drew the queen of hearts and still holds that card, but the list leaves it out."
    )


def test_turn__of_somebody_who_has_not_thrown_yet_is_told_by_name() -> None:
    heard = refusal_sentence("rami", rami.deal(dealer=1), rami.draw(0), rami.draw(1))
    assert heard == "It is not player 2’s turn yet: player 1 has not thrown a card."


def test_result__of_more_points_than_a_hand_can_hold_says_how_many_it_can() -> None:
    heard = refusal_sentence("rami", rami.result(0, None, {"opened": True, "points": 300}))
    assert "300 points cannot be" in heard
    assert not refusal_sentence("rami", rami.result(0, None, {"opened": True, "points": 100}))


HAND = ["6H", "7H", "8H", "9H", "TH", "JC"]


@pytest.mark.parametrize(
    ("log", "options", "said"),
    [
        ([durak.redeal()], {"redeal_no_trump": False}, "this table does not play so"),
        ([durak.lowest(0, "7S"), durak.redeal()], {}, "player 1 showed the lowest one"),
        ([durak.redeal("suit", seat=1, suit="S")], {"rules": "de"}, "spades are trumps"),
        ([durak.redeal("suit", seat=1, suit="D")], {"rules": "de"}, "the hand noted at the deal"),
    ],
)
def test_redeal__names_the_one_reason_against_it(
    log: list[Entry], options: dict[str, str], said: str
) -> None:
    asked = {"rules": "fr", **options}
    heard = refusal_sentence("durak", durak.deal(hands=[None, HAND, None]), *log, seats=3, **asked)
    assert said in heard
    assert " or " not in heard.replace("a trump or fewer", "")


def test_redeal__that_may_be_is_told_nothing() -> None:
    log = [durak.deal(hands=[None, HAND, None]), durak.redeal("suit", seat=1, suit="H")]
    assert not refusal_sentence("durak", *log, seats=3, rules="de")


def test_first_lead__against_the_deal_does_not_say_that_the_deal_showed_the_lowest_trump() -> None:
    hand = ["6S", "7C", "8C", "9C", "TC", "JC"]
    log = [durak.deal(hands=[None, hand, None]), durak.lowest(0, "7S")]
    heard = refusal_sentence("durak", *log, seats=3, rules="fr")
    assert "noted at the deal" in heard


def test_first_lead__of_another_suit_is_told_to_be_no_trump() -> None:
    heard = refusal_sentence("durak", durak.deal(), durak.lowest(0, "7H"), seats=3, rules="fr")
    assert heard == "The seven of hearts cannot be the lowest trump: it is no trump."


def test_phase__with_a_card_in_hand_says_whose_hand() -> None:
    heard = refusal_sentence("dutch", dutch.deal(), dutch.draw(1), dutch.draw(1), seats=3)
    assert "player 2 has a card in hand" in heard


def test_turn__in_dutch_says_whose_it_is_and_that_it_is_the_last() -> None:
    called: list[Entry] = [dutch.deal(), {"type": "dutch", "seat": 1}]
    heard = refusal_sentence("dutch", dutch.deal(), dutch.draw(2), seats=3)
    assert heard == "It is not player 3’s turn but player 2’s."
    heard = refusal_sentence("dutch", *called, dutch.draw(1), seats=3)
    assert "after “Dutch” everybody else has one last turn" in heard
    assert "now it is player 3’s" in heard
    assert not refusal_sentence("dutch", *called, dutch.draw(2), seats=3)


SEVENS = [dutch.deal("7C"), *dutch.turn(1, "7?"), *dutch.turn(2, "7D")]
SEEN_TWICE = dutch.look(1, 0, 1, cards=["7?", "7?"])


@pytest.mark.parametrize(
    ("log", "lang", "said"),
    [
        (
            [*SEVENS, *dutch.turn(0, "7?"), *dutch.turn(1, "7S")],
            "en",
            (
                "Player 2 cannot have the seven of spades:"
                " the four cards of that rank are elsewhere already."
            ),
        ),
        (
            [*SEVENS, *dutch.turn(0, "7?"), *dutch.turn(1, "7?")],
            "fr",
            (
                "La place 2 ne peut pas avoir un sept :"
                " les quatre cartes de ce rang sont déjà ailleurs."
            ),
        ),
        (
            [dutch.deal("7C"), SEEN_TWICE, dutch.look(2, 0, 1, cards=["7?", "7?"])],
            "en",
            (
                "A seven, named here 2 times and elsewhere already 3:"
                " the pack has only four of that rank."
            ),
        ),
        (
            [dutch.deal("7C", hands=[["7?", "7?", "7?", "7?"], None, None])],
            "de",
            "Sieben (Farbe unbekannt), 5-mal genannt: Von diesem Rang hat das Blatt nur vier.",
        ),
    ],
)
def test_impossible__of_a_fifth_card_of_a_rank_counts_them(
    log: list[Entry], lang: str, said: str
) -> None:
    heard = refusal_sentence("dutch", *log, lang=lang, seats=3)
    assert heard.replace("\u202f", " ").replace("\u00a0", " ") == said


def test_impossible__of_a_card_peeked_at_names_whose_it_is() -> None:
    log = [*SEVENS, *dutch.turn(0, "7?"), *dutch.turn(1, "QS")]
    heard = refusal_sentence("dutch", *log, dutch.peek(1, (2, 0), card="7?"), seats=3)
    assert heard.startswith("Player 3 cannot have a seven")
    assert not refusal_sentence("dutch", *log, dutch.peek(1, (2, 0), card="8?"), seats=3)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("word", ["deal of", "répartition", "Verteilung"])
def test_impossible__is_told_as_what_cannot_be_and_not_as_a_rule_for_machines(
    lang: str, word: str
) -> None:
    clause = texts().clauses["cards.impossible"]
    assert word not in clause.of(lang)
    assert not [form for form in forms_of("cards.impossible") if word in form.of(lang)]
