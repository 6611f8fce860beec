from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from msgspec import convert

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.rami import Options
from tests.domain.listed import (
    assert_offered_is_accepted,
    decoded,
    key,
    keys,
    listed,
    played,
    stands,
)
from tests.domain.rami.entries import FINISH, VOID, Entry, deal, gone_out
from tests.generation.rami import PROFILES
from tests.generation.rami_cards import pack
from tests.generation.rami_deal import Habits, RealDeal
from tests.generation.sizes import games

FREE = {"adjust", "note", "finish", "set_aside", "void", "result", "count", "meld"}
CARDS = list(dict.fromkeys(pack()))
LAID = [card + star for card in CARDS if card != "XX" for star in ("", "*")]
OPTIONS = {"opening": 30}


def possible(game: Game) -> Iterator[Entry]:
    melds = range(len(game.deal.melds) + 2) if game.deal else (1,)
    for seat in range(game.seats):
        yield from ({"type": "deal", "dealer": seat, "up": card} for card in CARDS)
        yield {"type": "draw", "seat": seat}
        yield {"type": "take", "seat": seat}
        yield from ({"type": "draw", "seat": seat, "card": card} for card in CARDS)
        yield from ({"type": "discard", "seat": seat, "card": card} for card in CARDS)
        for number in melds:
            for card, end in product(LAID, ("low", "high")):
                yield {"type": "add", "seat": seat, "meld": number, "cards": (card,), "end": end}
            for card in CARDS:
                if card != "XX":
                    yield {"type": "swap_joker", "seat": seat, "meld": number, "card": card}


@pytest.mark.parametrize("profile", ["plain", "open", "hidden", "unruly"])
def test_choices__are_exactly_what_is_accepted(profile: str) -> None:
    for seed in games(0, share=20):
        chance = Random(seed)  # noqa: S311 games, not secrets
        seats = chance.randint(2, 6)
        options = convert(OPTIONS, Options)
        real = RealDeal(chance, vars_of(options), seats, 0, PROFILES[profile])
        happened = real.run().happened
        looked_at = {0, 1, *chance.sample(range(len(happened)), min(len(happened), 3))}
        log = [now.entry for now in happened]
        assert_offered_is_accepted(opening("rami", options, seats), log, looked_at, possible, FREE)


# Players seldom meld, so that the stock is rebuilt repeatedly; some cards are unsure.
LATE = Habits(given=0.0, named=0.02, eager=0.08, rich=0.0, unsure=0.01, turns=250)


def single(game: Game) -> Iterator[Entry]:
    kind = "discard" if game.deal.drawn else "draw"
    yield from ({"type": kind, "seat": game.deal.to_act, "card": card} for card in CARDS)


def test_choices__late_in_a_hidden_game_are_what_is_accepted_card_by_card() -> None:
    for seed in games(0, share=30):
        chance = Random(seed)  # noqa: S311 games, not secrets
        seats = chance.randint(4, 6)
        options = convert(OPTIONS, Options)
        happened = RealDeal(chance, vars_of(options), seats, 0, LATE).run().happened
        history = History(opening("rami", options, seats))
        looked_at = chance.sample(range(len(happened) // 2, len(happened)), 4)
        for place, now in enumerate(happened):
            game = history.game
            if place in looked_at and game.deal.winner is None:
                offered = keys(listed(judgement.choices(game), FREE))
                assert [key(one) in offered for one in single(game)] == [
                    stands(game, one) for one in single(game)
                ]
            assert not isinstance(history.judge(decoded(game, now.entry)), Refusal)


def vars_of(options: Options) -> Entry:
    return {name: getattr(options, name) for name in options.__struct_fields__}


def begin(*log: Entry) -> Game:
    return played(opening("rami", Options(), 2), log)


def test_choices__free_entries_are_offered_while_the_game_is_on() -> None:
    assert {choice.type for choice in judgement.choices(begin())} >= {"deal", "result", "note"}
    counting = {choice.type for choice in judgement.choices(begin(*gone_out()))}
    assert counting == {"count", "result", "void", "adjust", "note", "finish", "set_aside"}
    assert {choice.type for choice in judgement.choices(begin(deal(), VOID, FINISH))} == {
        "note",
        "set_aside",
    }
