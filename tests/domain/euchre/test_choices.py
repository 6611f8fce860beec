"""What is offered is accepted, and what is accepted and can be listed is offered."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.euchre import Options
from tests.domain.listed import listed
from tests.generation.euchre import PROFILES
from tests.generation.euchre_cards import SUITS, pack
from tests.generation.euchre_deal import RealDeal
from tests.generation.sizes import games
from tests.generation.test_euchre_oracle import decoded

Entry = dict[str, Any]
Key = frozenset[tuple[str, object]]
FREE = {"adjust", "note", "finish", "set_aside", "void"}


def possible(deck: int) -> Iterator[Entry]:
    """List every entry of Euchre that can be listed, hands apart."""
    cards = pack(deck)
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


def keys(entries: Iterator[Entry]) -> set[Key]:
    return {frozenset(entry.items()) for entry in entries}


def accepted(game: Game, deck: int) -> set[Key]:
    entries = possible(deck)
    return keys(entry for entry in entries if judgement.refuse(game, decoded(entry), 99) is None)


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
        history = History(opening("euchre", chosen, 2))
        for happened in script.happened:
            offered = keys(listed(judgement.choices(history.game), FREE))
            assert offered == accepted(history.game, chosen.deck), happened.entry
            assert not isinstance(history.judge(decoded(happened.entry)), Refusal)


def types(game: Game) -> set[str]:
    return {choice.type for choice in judgement.choices(game)}


def test_choices__free_entries_are_offered_while_the_game_is_on() -> None:
    history = History(opening("euchre", Options(), 2))
    assert {"adjust", "note", "finish"} <= types(history.game)
    assert "void" not in types(history.game)
    history.judge(decoded({"type": "deal", "dealer": 0, "turn_up": "9S"}))
    assert "void" in types(history.game)
