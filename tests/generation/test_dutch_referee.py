"""True deals of Dutch with a mistake: recorded so, or inserted by a splice.

Another card, seat, slot or number, or an entry dropped, doubled or swapped with the next one: the
verdict must be that of a referee that follows the rule text and matches cards (`dutch_referee`).
"""

from random import Random

import pytest

from tests.generation.dutch_deal import RealDeal
from tests.generation.dutch_referee import Referee
from tests.generation.dutch_table import PACK
from tests.generation.dutch_watched import Entry, Habits
from tests.generation.refereed import Played, compared
from tests.generation.sizes import games

FIRST_SEED, TRIES = 320_000, 24
TABLES = {
    "hidden": Habits(mistake=0.4),
    "open": Habits(given=0.8, told=0.6, mistake=0.3),
    "unsure": Habits(given=0.4, told=0.4, unsure=0.25, mistake=0.3),
    "ranks alone": Habits(given=0.4, told=0.5, rank=0.5, mistake=0.3),
    "snapping": Habits(given=0.3, told=0.3, snap=1.0, call=0.1),
}


@pytest.mark.parametrize("table", TABLES)
def test_mistakes__are_judged_as_by_the_rule_text_and_by_matching_cards(table: str) -> None:
    assert sum(mistaken(seed, table) for seed in games(FIRST_SEED, share=6))


def mistaken(seed: int, table: str) -> int:
    chance = Random(seed)  # noqa: S311 games, not secrets
    seats = chance.choice([2, 2, 3, 4, 5])
    chosen: Entry = {
        "target": None,
        "deals": None,
        "red_kings": chance.choice(["hearts", "both"]) if seats > 4 else "hearts",
        "penalty": chance.choice([1, 2]),
        "call": chance.choice(["turn", "any"]),
        "tie": "caller",
    }
    script = RealDeal(chance, chosen, seats, chance.randrange(seats), TABLES[table]).run()
    log = [happened.entry for happened in script.happened]
    played = Played("dutch", chosen, seats, log, PACK)
    return compared(played, Referee(chosen, seats), chance, TRIES)
