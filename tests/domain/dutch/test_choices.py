from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any, Literal

import pytest

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.dutch import Options
from tests.domain.listed import decoded, keys, listed, played, stands
from tests.generation.dutch import PROFILES
from tests.generation.dutch_deal import RealDeal
from tests.generation.dutch_table import PACK
from tests.generation.sizes import games

Entry = dict[str, Any]
COMMON = {"adjust", "note", "finish", "set_aside", "void", "deal", "result", "reveal"}


def possible(seats: int, chance: Random) -> Iterator[Entry]:
    cards = chance.sample(PACK, 8)
    slots = range(7)
    for seat in range(seats):
        for kind in ("draw", "take", "penalty", "dutch", "counter"):
            yield {"type": kind, "seat": seat}
        for pair in permutations(range(4), 2):
            yield {"type": "look", "seat": seat, "slots": pair}
        for card in cards:
            yield {"type": "draw", "seat": seat, "card": card}
            yield {"type": "drop", "seat": seat, "card": card}
            for slot in slots:
                yield {"type": "swap", "seat": seat, "slot": slot, "card": card}
                yield {"type": "snap", "seat": seat, "slot": slot, "card": card}
        for place in product(range(seats), slots):
            yield {"type": "peek", "seat": seat, "place": place}
            yield {"type": "peek", "seat": seat, "place": place, "card": cards[0]}
            other = (chance.randrange(seats), chance.choice(slots))
            yield {"type": "trade", "seat": seat, "a": place, "b": other}


def situations(seed: int, profile: str) -> Iterator[tuple[Game, Random]]:
    chance = Random(seed)  # noqa: S311 games, not secrets
    seats = chance.choice([2, 3, 4])
    call: Literal["turn", "any"] = chance.choice(["turn", "any"])
    options = {"red_kings": "hearts", "penalty": 1, "call": call, "tie": "caller"}
    script = RealDeal(chance, options, seats, 0, PROFILES[profile]).run()
    history = History(opening("dutch", Options(call=call), seats))
    moments = set(chance.sample(range(len(script.happened)), min(3, len(script.happened))))
    for place, happened in enumerate(script.happened[:-1]):
        assert not isinstance(history.judge(decoded(history.game, happened.entry)), Refusal)
        if place in moments:
            yield history.game, chance


@pytest.mark.parametrize("profile", ["hidden hands", "open hands", "unruly and unsure"])
def test_choices__what_is_offered_is_accepted_and_what_is_accepted_is_offered(
    profile: str,
) -> None:
    for seed in games(60_000, share=12):
        for game, chance in situations(seed, profile):
            offered = list(listed(judgement.choices(game), COMMON))
            for entry in chance.sample(offered, min(40, len(offered))):
                assert stands(game, entry), entry
            accepted = (entry for entry in possible(game.seats, chance) if stands(game, entry))
            assert keys(accepted) <= keys(offered)


def test_choices__between_deals_a_deal_or_a_result_is_offered() -> None:
    offered = {choice.type for choice in judgement.choices(opening("dutch", Options(), 3))}
    assert offered == {"deal", "result", "adjust", "note", "finish", "set_aside"}


def test_choices__after_the_turns_every_row_left_is_offered_to_be_revealed() -> None:
    log: list[Entry] = [
        {"type": "deal", "dealer": 1, "up": "9C"},
        {"type": "dutch", "seat": 0},
        {"type": "draw", "seat": 1},
        {"type": "drop", "seat": 1, "card": "8S"},
        {"type": "reveal", "seat": 1, "points": 20},
    ]
    game = played(opening("dutch", Options(), 2), log)
    rows = [choice for choice in judgement.choices(game) if choice.type == "reveal"]
    assert [(choice.seat, set(choice.fields)) for choice in rows] == [
        (0, {"cards"}),
        (0, {"points"}),
    ]
    results = [choice for choice in judgement.choices(game) if choice.type == "result"]
    assert [choice.fields["caller"] for choice in results] == [(0,)]
    assert [choice.fields["counter"] for choice in results] == [(None,)]
