import re
from typing import Any

import pytest

from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.domain.durak import entries as durak
from tests.domain.durak.entries import attack, away, beat, done, pass_on
from tests.domain.dutch import entries as dutch
from tests.domain.rami import entries as rami
from tests.service.refused import forms_of
from tests.service.test_refusal_words import refusal_sentence

Entry = dict[str, Any]
RULES = {"durak": {"rules": "fr", "lead": "several"}}
PASSING = {"rules": "de"}
SHOWN = durak.lowest(0, "6S")
FOURS = "8S 8H 8D 8C"


def read_words(ruleset: str, seats: int, log: list[Entry], options: Entry) -> str:
    return refusal_sentence(ruleset, *log, seats=seats, **RULES.get(ruleset, {}) | options)


def begin(*log: Entry, **deal: Any) -> list[Entry]:  # noqa: ANN401 an entry's fields
    return [durak.deal(**deal), SHOWN, *log]


OVER = begin(attack(0, "9H"), beat(1, "9H", "TH"), done(0), done(2))
DURAK: list[tuple[list[Entry], Entry, str]] = [
    (begin(attack(0, "9H"), pass_on(1, "9D")), {}, "table does not play so"),
    (begin(attack(0, "9H 9D"), beat(1, "9H", "TH"), pass_on(1, "9C")), PASSING, "been beaten"),
    (begin(attack(0, "9H"), pass_on(1, "TD")), PASSING, "of another rank"),
    (begin(attack(0, "9H"), pass_on(1, "9D TD")), PASSING, "not of one rank"),
    (
        begin(attack(0, "9H 9D"), pass_on(1, "9S")),
        PASSING | {"first_bout": 2},
        "more attack cards than allowed (2)",
    ),
    (begin(attack(0, "9H TD")), {}, "not of one rank"),
    (begin(attack(0, "9H"), beat(1, "9H", "TH"), attack(0, "KD")), {}, "no card of that rank"),
    (begin(attack(0, "9H"), beat(1, "9H", "TH"), attack(2, "TD")), {}, "It is player 1, not"),
    (begin(attack(0, "9H"), done(None)), {}, "Not everybody can be done"),
    (begin(attack(0, "9H"), done(0)), {"first_bout": 1}, "Nothing more can be added"),
    (begin(attack(0, "9H 9D")), {"first_bout": 1}, "until a bout has been beaten off"),
    (
        begin(attack(0, "9H"), beat(1, "9H", "TH"), attack(1, "TD")),
        {},
        "defends this bout and cannot add",
    ),
    (begin(attack(0, "9H"), beat(2, "9H", "TH")), {}, "player 2 is"),
    (begin(attack(1, "9H")), {}, "player 1 showed the lowest trump and leads"),
    ([durak.deal(), attack(1, "9H")], {}, "shows it first, and leads"),
    ([*OVER, attack(2, "KD")], {}, "it is player 2’s turn to lead"),
    ([*OVER, away(0, FOURS)], {}, "this table does not play so"),
    (begin(away(0, FOURS)), {"four_away": True}, "there has been no bout"),
    (begin(attack(0, "9H"), away(0, FOURS)), {"four_away": True}, "between two bouts"),
    ([*OVER, away(0, "8S 8H 8D 7C")], {"four_away": True}, "not of one rank"),
    ([*OVER, away(0, "8S 8H 8D")], {"four_away": True}, "Cards laid by player 1: 3; it takes 4"),
    (begin(attack(0, "9H"), beat(1, "9H", "8H")), {}, "it is not higher"),
    (begin(attack(0, "9H"), beat(1, "9H", "TD")), {}, "neither hearts nor a trump"),
    (begin(attack(0, "JS"), beat(1, "JS", "TD")), {}, "only a higher trump beats a trump"),
    (
        begin(attack(0, "9H"), beat(1, "9H", "TH"), beat(1, "9H", "JH")),
        {},
        "it is beaten already",
    ),
    (begin(attack(0, "9H"), beat(1, "9D", "TD")), {}, "no such attack card"),
    (begin(attack(0, "9H 9H")), {}, "more often than the pack"),
    (begin(attack(0, "")), {}, "at least one card"),
]
CALL, COUNTER = {"type": "dutch", "seat": 2}, {"type": "counter", "seat": 0}
HELD = [dutch.deal(), dutch.draw(1)]


def look(seat: int, *slots: int) -> Entry:
    return {"type": "look", "seat": seat, "slots": list(slots)}


def announce(kind: str, seat: int) -> Entry:
    return {"type": kind, "seat": seat}


DUTCH: list[tuple[list[Entry], Entry, str]] = [
    ([dutch.deal(), announce("dutch", 1), announce("dutch", 2)], {}, "player 2 has said it"),
    ([*HELD, announce("dutch", 1)], {}, "in the middle of a turn"),
    ([*HELD, announce("dutch", 2)], {}, "it is player 2’s turn"),
    ([dutch.deal(), announce("dutch", 1), announce("counter", 1)], {}, "cannot counter that"),
    ([dutch.deal(), announce("dutch", 1), announce("counter", 0)], {}, "it is player 3’s turn"),
    (
        [dutch.deal(), announce("dutch", 1), announce("counter", 2), announce("counter", 0)],
        {},
        "player 3 has said it",
    ),
    ([dutch.deal(), look(0, 1, 1)], {}, "card 2 is named twice"),
    ([dutch.deal(), announce("penalty", 0), look(0, 1, 4)], {}, "cannot look at card 5"),
    ([dutch.deal(), look(0, 0, 1), look(0, 2, 3)], {}, "already"),
    ([*HELD, look(0, 0, 1)], {}, "the turns have begun"),
]
RAMI: list[tuple[list[Entry], Entry, str]] = [
    ([rami.deal(dealer=1), rami.throw(0, "2H")], {}, "begin the turn with one card first"),
    ([rami.deal(dealer=1), rami.draw(0), rami.draw(0)], {}, "with a card already"),
    (
        [
            rami.deal(dealer=1),
            rami.draw(0),
            {"type": "swap_joker", "seat": 0, "meld": 1, "card": "2H"},
        ],
        {},
        "no combination 1",
    ),
]
CASES = [
    *(("durak", 3, *case) for case in DURAK),
    *(("dutch", 3, *case) for case in DUTCH),
    *(("rami", 2, *case) for case in RAMI),
]


@pytest.mark.parametrize(("ruleset", "seats", "log", "options", "reason"), CASES)
def test_refusal__tells_the_one_reason_that_holds(
    ruleset: str, seats: int, log: list[Entry], options: Entry, reason: str
) -> None:
    assert reason in read_words(ruleset, seats, log, options)


@pytest.mark.parametrize("rule", sorted(texts().clauses))
def test_refusal__lists_no_reasons_to_choose_from(rule: str) -> None:
    listed = re.compile(r", (or|ou|oder) ")
    for form in forms_of(rule):
        assert not [lang for lang in LANGUAGES if listed.search(form.of(lang))], form
