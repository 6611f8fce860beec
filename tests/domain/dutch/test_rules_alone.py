"""Without knowledge of unseen cards (`exact` false) only what is visible is judged."""

from typing import Any

from domain.replay import Replayed, opening, replay
from domain.table.judgement import situation
from schemas.dutch import Options
from tests.domain.listed import decoded
from tests.generation.dutch import PROFILES, true_game
from tests.generation.sizes import games


def test_rules_alone__true_games_come_to_the_truth() -> None:
    for seed in games(90_000, share=2):
        record = true_game(seed, PROFILES["unruly"])
        start = opening("dutch", Options(**record["options"]), record["seats"], exact=False)
        log = [decoded(start, entry) for entry in record["log"]]
        outcome = replay(start, log)
        assert isinstance(outcome, Replayed)
        game = outcome.history.game
        assert list(game.totals) == record["expect"]["totals"]
        assert list(situation(game).to_act) == record["expect"]["to_act"]


def test_rules_alone__what_only_cards_deny_is_accepted() -> None:
    log: list[dict[str, Any]] = [
        {"type": "deal", "dealer": 0, "up": "9C"},
        {"type": "draw", "seat": 1},
        {"type": "drop", "seat": 1, "card": "9C"},
    ]
    start = opening("dutch", Options(), 2, exact=False)
    assert isinstance(replay(start, (decoded(start, entry) for entry in log)), Replayed)
