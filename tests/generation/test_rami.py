from random import Random

import pytest

from tests.answers import Answer, judged
from tests.generation.rami import PROFILES, true_game
from tests.generation.rami_cards import pack
from tests.generation.rami_deal import Habits, RealDeal
from tests.generation.sizes import games

FIRST_SEED = 40_000
OPTIONS = {
    "target": 5000,
    "opening": 51,
    "pure_run": "no_joker",
    "not_opened": 100,
    "dry": 200,
    "joker_in_hand": 20,
    "reshuffle": "all",
}


def test_result__no_hand_names_a_joker_that_lay_on_the_table_when_the_record_stopped() -> None:
    record = true_game(40_245, PROFILES["unruly and doubtful"])
    assert judged(record) == record["expect"]


def deal_up_to(seed: int, kind: str, habits: Habits) -> tuple[Answer, RealDeal] | None:
    chance = Random(seed)  # noqa: S311 games, not secrets
    seats = chance.randint(2, 6)
    real = RealDeal(chance, OPTIONS, seats, chance.randrange(seats), habits)
    log = [happened.entry for happened in real.run().happened]
    places = [place for place, entry in enumerate(log) if entry["type"] == kind]
    if not places:
        return None
    log = log[: chance.choice(places) + 1]
    return {"ruleset": "rami", "options": OPTIONS, "seats": seats, "log": log}, real


def shown_so_far(log: list[Answer]) -> list[str]:
    return [log[0]["up"], *(entry["card"] for entry in log if entry["type"] == "discard")]


def test_cards_seen__a_third_copy_thrown_is_refused() -> None:
    for seed in games(FIRST_SEED):
        found = deal_up_to(seed, "discard", Habits(given=0.0, named=0.0, eager=0.0))
        assert found is not None
        record, _ = found
        log = record["log"]
        gone = shown_so_far(log[:-1])
        thrice = [card for card in gone if gone.count(card) == pack().count(card)]
        draws = sum(entry["type"] == "draw" for entry in log)
        if not thrice or draws > 107 - 13 * record["seats"]:
            continue  # the pile has become the stock: the card can be drawn again
        log[-1] = {**log[-1], "card": thrice[0]}
        answered = judged(record)
        assert (answered["ok"], answered.get("at")) == (False, len(log) - 1), record
        assert answered["rule"] == "cards.seen"
        last = max(place for place, entry in enumerate(log[:-1]) if thrice[0] in entry.values())
        assert answered["contradicts"] == last


@pytest.mark.parametrize("kind", ["draw", "discard"])
def test_turn__another_seat_is_refused(kind: str) -> None:
    for seed in games(FIRST_SEED):
        found = deal_up_to(seed, kind, Habits())
        if found is None:  # a player was out before the first
            continue
        record, _ = found
        log = record["log"]
        log[-1] = {**log[-1], "seat": (log[-1]["seat"] + 1) % record["seats"]}
        answered = judged(record)
        assert (answered.get("at"), answered.get("rule")) == (len(log) - 1, "table.turn"), record


def test_count__a_sum_no_hand_can_make_is_refused() -> None:
    for seed in games(FIRST_SEED):
        found = deal_up_to(seed, "count", Habits(rich=0.9))
        if found is None:
            continue
        record, _ = found
        log = record["log"]
        log[-1] = {"type": "count", "seat": log[-1]["seat"], "points": 1 + 20 * 13}
        answered = judged(record)
        assert (answered.get("at"), answered.get("rule")) == (len(log) - 1, "cards.impossible")
