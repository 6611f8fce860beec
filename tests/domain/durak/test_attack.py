import pytest
from msgspec import json

from domain.table.judgement import situation
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.strict_json import Malformed
from tests.domain.durak.endings import SIX
from tests.domain.durak.entries import (
    BEATEN,
    BEGUN,
    TABLE,
    Entry,
    attack,
    beat,
    deal,
    done,
    lowest,
)
from tests.domain.durak.test_ends import history

# --- facts of refusals

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


# --- the state of the bout


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
