from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from domain.replay import opening
from domain.table import judgement
from domain.table.rules import Game
from schemas.euchre import Options
from tests.domain.listed import assert_offered_is_accepted, played
from tests.generation.euchre import PROFILES
from tests.generation.euchre_cards import SUITS, pack
from tests.generation.euchre_deal import RealDeal
from tests.generation.sizes import games

Entry = dict[str, Any]
FREE = {"adjust", "note", "finish", "set_aside", "void"}


def possible(game: Game) -> Iterator[Entry]:
    cards = pack(game.options.deck)
    for seat in (0, 1):
        yield {"type": "pass", "seat": seat}
        yield {"type": "order", "seat": seat}
        yield {"type": "exchange", "seat": seat, "take": False}
        for card in ["??", *cards]:
            yield {"type": "exchange", "seat": seat, "take": True, "discard": card}
            yield {"type": "accept", "seat": seat, "discard": card}
        yield from ({"type": "name", "seat": seat, "suit": suit} for suit in SUITS)
        yield from ({"type": "play", "seat": seat, "card": card} for card in cards)
        yield {"type": "result", "maker": None, "dealer": seat}
        for maker, tricks in product((0, 1), range(6)):
            yield {"type": "result", "maker": maker, "tricks": tricks, "dealer": seat}
        for card in cards:
            suits: list[Entry] = [{"turn_up_suit": suit} for suit in SUITS]
            suits = suits if card == "XX" else [{}]
            yield from ({"type": "deal", "dealer": seat, "turn_up": card, **suit} for suit in suits)


@pytest.mark.parametrize("profile", PROFILES)
def test_choices__are_exactly_what_is_accepted_at_every_point(profile: str) -> None:
    for seed in games(0, share=4):
        chance = Random(seed)  # noqa: S311 games, not secrets
        chosen = Options(
            deck=chance.choice([24, 25, 32]),
            last_bid=chance.choice(["pass", "stick"]),
            turned_down_suit=chance.choice(["allowed", "forbidden"]),
        )
        written = {name: getattr(chosen, name) for name in Options.__struct_fields__}
        script = RealDeal(chance, written, chance.randrange(2), PROFILES[profile]).run()
        log = [now.entry for now in script.happened]
        everywhere = range(len(log))
        assert_offered_is_accepted(opening("euchre", chosen, 2), log, everywhere, possible, FREE)


def types(game: Game) -> set[str]:
    return {choice.type for choice in judgement.choices(game)}


def test_choices__free_entries_are_offered_while_the_game_is_on() -> None:
    game = opening("euchre", Options(), 2)
    assert {"adjust", "note", "finish"} <= types(game)
    assert "void" not in types(game)
    dealt = played(game, [{"type": "deal", "dealer": 0, "turn_up": "9S"}])
    assert "void" in types(dealt)
