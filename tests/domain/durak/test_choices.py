from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest
from msgspec import convert

from domain.replay import opening
from domain.table import judgement
from domain.table.rules import Game
from schemas.durak import Options, complete_options
from tests.domain.durak.entries import BEGUN, FINISH, SECOND, VOID, Entry, deal, lowest
from tests.domain.listed import assert_offered_is_accepted, played, stands
from tests.generation.durak import PROFILES
from tests.generation.durak_cards import PACK, SUITS, UPWARD, table_rules
from tests.generation.durak_deal import RealDeal
from tests.generation.durak_play import Played
from tests.generation.sizes import games

FREE = {"adjust", "note", "finish", "set_aside", "void", "result"}
ALIKE = [
    tuple(rank + suit for suit in suits)
    for rank in UPWARD
    for count in range(1, 5)
    for suits in combinations(SUITS, count)
]


def possible(game: Game) -> Iterator[Entry]:
    unbeaten = game.deal.bout.unbeaten if game.deal and game.deal.bout else ("7D",)
    yield {"type": "redeal", "reason": "no_trump"}
    yield {"type": "done", "seat": None}
    for seat in range(game.seats):
        yield from ({"type": "deal", "dealer": seat, "trump": card} for card in PACK)
        yield {"type": "lowest", "seat": seat}
        yield {"type": "take", "seat": seat}
        yield {"type": "done", "seat": seat}
        yield from ({"type": "lowest", "seat": seat, "card": card} for card in PACK)
        for suit in SUITS:
            yield {"type": "redeal", "reason": "suit", "seat": seat, "suit": suit}
        for kind in ("attack", "pass_on", "away"):
            yield from ({"type": kind, "seat": seat, "cards": cards} for cards in ALIKE)
        for card, over in product(unbeaten, PACK):
            yield {"type": "beat", "seat": seat, "card": card, "with": over}


@pytest.mark.parametrize("profile", ["plain", "open", "hidden", "unruly"])
def test_choices__are_exactly_what_is_accepted(profile: str) -> None:
    for seed in games(0, share=15):
        chance = Random(seed)  # noqa: S311 games, not secrets
        seats = chance.randint(2, 6)
        said, rules = table_rules(chance, seats)
        real = RealDeal(chance, rules, seats, 0, None)
        happened = Played(chance, real, PROFILES[profile]).run().happened
        options = complete_options(convert(said, Options), seats)
        looked_at = {0, 1, *chance.sample(range(len(happened)), min(len(happened), 2))}
        log = [now.entry for now in happened]
        assert_offered_is_accepted(opening("durak", options, seats), log, looked_at, possible, FREE)


def begin(*log: Entry, seats: int = 3) -> Game:
    options = complete_options(convert({"rules": "de"}, Options), seats)
    return played(opening("durak", options, seats), log)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_choices__every_result_offered_is_accepted(seats: int) -> None:
    for game in (begin(seats=seats), begin(deal(dealer=0), lowest(0), seats=seats)):
        found = [choice for choice in judgement.choices(game) if choice.type == "result"]
        assert found
        for choice in found:
            values = [choice.fields[name] for name in ("places", "durak", "dealer")]
            for places, durak, dealer in product(*values):
                entry = {"type": "result", "places": places, "durak": durak, "dealer": dealer}
                assert stands(game, entry)


def test_choices__four_cards_are_laid_away_only_between_two_bouts() -> None:
    first = begin(*BEGUN)
    later = begin(*SECOND)
    assert "away" not in {choice.type for choice in judgement.choices(first)}
    assert "away" in {choice.type for choice in judgement.choices(later)}


def test_choices__free_entries_are_offered_while_the_game_is_on() -> None:
    assert {choice.type for choice in judgement.choices(begin())} >= FREE - {"void"}
    assert "void" in {choice.type for choice in judgement.choices(begin(deal()))}
    assert {choice.type for choice in judgement.choices(begin(deal(), VOID, FINISH))} == {
        "note",
        "set_aside",
    }
