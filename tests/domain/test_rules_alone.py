from typing import Any

import msgspec
import pytest
from msgspec import convert

from domain.replay import ReplayedRecord, opening, replay
from domain.table.history import History
from domain.table.judgement import choices, situation
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record, shapes
from schemas.strict_json import Malformed
from tests.domain.durak import entries as durak
from tests.domain.euchre import entries as euchre
from tests.domain.rami import entries as rami
from tests.generation.makers import MAKERS
from tests.generation.sizes import games

Log = list[dict[str, Any]]
TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "durak": (3, {"rules": "fr"}),
    "dutch": (2, {}),
    "euchre": (2, {}),
    "rami": (2, {}),
}
HEARTS = [euchre.deal("9S"), euchre.passes(1), euchre.passes(0), euchre.names(1, "H")]
SLOUGHED = [("AS", 1), ("9C", 0), ("KS", 1), ("QS", 0)]
GIVEN = [["6S", "7S", "8S", "TS", "JS", "QS"], None, None]


def last(ruleset: str, *log: dict[str, Any], **more: object) -> tuple[History, Refusal | None]:
    seats, options = TABLES[ruleset]
    known = shapes(ruleset)
    settled: Any = known.complete_options(convert(options | more, known.options), seats)
    history = History(opening(ruleset, settled, seats, exact=False))
    judged = [history.judge(convert(entry, known.submitted)) for entry in log]
    assert not any(isinstance(one, Refusal) for one in judged[:-1])
    return history, judged[-1] if isinstance(judged[-1], Refusal) else None


@pytest.mark.parametrize("ruleset", MAKERS)
def test_rules_alone__true_games_come_to_the_truth(ruleset: str) -> None:
    for seed in games(90_000, share=2):
        record = MAKERS[ruleset].true_game(seed, MAKERS[ruleset].PROFILES["unruly"])
        decoded = decode_record(msgspec.json.encode(record))
        assert not isinstance(decoded, Malformed)
        start = opening(ruleset, decoded.options, record["seats"], exact=False)
        outcome = replay(start, decoded.log)
        assert isinstance(outcome, ReplayedRecord)
        game, expected = outcome.history.game, record["expect"]
        now = situation(game)
        assert list(game.totals) == expected["totals"]
        assert list(now.to_act) == expected["to_act"]
        assert list(now.hand_counts) == expected["hand_counts"]
        assert now.stock == expected["stock"]


@pytest.mark.parametrize(
    ("ruleset", "log"),
    [
        ("durak", [durak.deal(hands=GIVEN), *durak.BEGUN[1:], durak.attack(0, "AH")]),
        (
            "durak",
            [
                *durak.BEGUN,
                durak.attack(0, "7D"),
                durak.beat(1, "7D", "7D", waive=["durak.beats"]),
            ],
        ),
        (
            "dutch",
            [
                {"type": "deal", "dealer": 0, "up": "9C"},
                {"type": "draw", "seat": 1},
                {"type": "drop", "seat": 1, "card": "9C"},
            ],
        ),
        ("euchre", [*HEARTS, *(euchre.play(seat, card) for card, seat in SLOUGHED)]),
        (
            "euchre",
            [
                euchre.deal("9S"),
                euchre.orders(),
                euchre.takes(discard="AH"),
                euchre.play(1, "AH"),
            ],
        ),
        (
            "rami",
            [rami.deal(), *rami.turn(1, "9S"), *rami.turn(0, "9S"), *rami.turn(1, "9S")],
        ),
    ],
)
def test_rules_alone__what_only_unseen_cards_deny_is_accepted(ruleset: str, log: Log) -> None:
    assert last(ruleset, *log)[1] is None


SEEN_DURAK = [
    ("durak.first-lead", [*durak.BEGUN, durak.attack(1, "7D")]),
    ("cards.deck", [*durak.BEGUN, durak.attack(0, "5D")]),
    ("durak.beats", [*durak.BEGUN, durak.attack(0, "7D"), durak.beat(1, "7D", "6D")]),
    ("durak.rank", [*durak.BEATEN, durak.attack(0, "TD")]),
    ("durak.word", [*durak.BEATEN, durak.done(2)]),
    ("durak.take", [*durak.BEATEN, durak.take(1)]),
]
SEEN_EUCHRE = [
    ("euchre.lead", [*HEARTS, euchre.play(0, "AS")]),
    ("table.turn", [*HEARTS, euchre.play(1, "AS"), euchre.play(1, "KS")]),
    ("cards.deck", [*HEARTS, euchre.play(1, "8S")]),
    ("euchre.bid-first", [euchre.deal("9S"), euchre.passes(0)]),
    ("table.phase", [euchre.deal("9S"), euchre.leaves()]),
    ("euchre.accept", [euchre.deal("9S"), euchre.passes(1), euchre.accepts(discard="9S")]),
    ("cards.seen", [euchre.deal("9S", hands=[["9S", "AS", "KS", "QS", "TS"], None])]),
]
SEEN_RAMI = [
    ("rami.draw-first", [rami.deal(), rami.throw(1, "9S")]),
    ("table.turn", [rami.deal(), rami.draw(0)]),
    ("rami.opening", [rami.deal(), rami.draw(1), rami.meld(1, "2S 3S 4S")]),
    ("rami.add", [rami.deal(), rami.draw(1), rami.meld(1, rami.ROYAL), rami.add(1, 1, "8C")]),
]


@pytest.mark.parametrize(
    ("ruleset", "rule", "log"),
    [
        *(("durak", *one) for one in SEEN_DURAK),
        *(("euchre", *one) for one in SEEN_EUCHRE),
        *(("rami", *one) for one in SEEN_RAMI),
    ],
)
def test_rules_alone__what_everybody_sees_is_refused(ruleset: str, rule: str, log: Log) -> None:
    refusal = last(ruleset, *log)[1]
    assert refusal is not None
    assert refusal.rule == rule


def test_rules_alone__a_new_deal_is_refused_against_the_lowest_trump_shown() -> None:
    refusal = last("durak", *durak.BEGUN, durak.redeal())[1]
    assert refusal is not None
    assert (refusal.rule, refusal.contradicts) == ("durak.redeal", 3)


def test_rules_alone__sets_of_cards_are_offered() -> None:
    history, _ = last("durak", *durak.BEGUN, lead="several")
    offered = [one.fields["cards"] for one in choices(history.game) if one.type == "attack"]
    assert any(("7S", "7H", "7D", "7C") in cards for cards in offered)
