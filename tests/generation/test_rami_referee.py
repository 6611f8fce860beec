"""True deals of Rami with a mistake: recorded so, or inserted by a splice.

Another card, seat or number, or an entry dropped, doubled or swapped with the next one: the verdict
must be that of a referee that follows the rule text and counts cards (`rami_referee`).
"""

from random import Random

import pytest

from tests.generation.rami_cards import pack
from tests.generation.rami_deal import Habits, RealDeal
from tests.generation.rami_layings import Entry
from tests.generation.rami_referee import Referee
from tests.generation.refereed import Played, compared
from tests.generation.sizes import games

FIRST_SEED, TRIES = 330_000, 24
LAYS = {"meld", "add", "swap_joker"}
TABLES = {
    "hidden": Habits(given=0.0),
    "open": Habits(given=0.8, named=0.5),
    "all open": Habits(given=1.0, named=1.0, eager=0.6),
    "unsure": Habits(given=0.3, named=0.3, unsure=0.15),
}


@pytest.mark.parametrize("table", TABLES)
def test_mistakes__are_judged_as_by_the_rule_text_and_by_counting_cards(table: str) -> None:
    assert sum(mistaken(seed, table) for seed in games(FIRST_SEED, share=6))


def mistaken(seed: int, table: str) -> int:
    chance = Random(seed)  # noqa: S311 games, not secrets
    seats = chance.choice([2, 2, 3, 4])
    chosen: Entry = {
        "target": 5000,
        "opening": chance.choice([0, 30, 51]),
        "pure_run": chance.choice(["no_joker", "any_run"]),
        "not_opened": 100,
        "dry": 200,
        "joker_in_hand": chance.choice([0, 20, 25]),
        "reshuffle": "all",
    }
    deal = RealDeal(chance, chosen, seats, chance.randrange(seats), TABLES[table])
    log = [certain(happened.entry) for happened in deal.run().happened]
    played = Played("rami", chosen, seats, log, [*dict.fromkeys(pack())])
    return compared(played, Referee(chosen, seats), chance, TRIES)


def certain(entry: Entry) -> Entry:
    if entry["type"] not in LAYS:
        return entry
    return {field: value for field, value in entry.items() if field != "unsure"}
