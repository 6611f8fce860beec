from typing import Any

from tests.answers import judged
from tests.generation.euchre import LOOSE, true_game
from tests.generation.euchre_deal import FOLLOW
from tests.generation.sizes import games

FIRST_SEED = 20_000


def test_true_games__with_unnoticed_revokes_stand_once_follow_suit_is_waived() -> None:
    for seed in games(FIRST_SEED):
        record = true_game(seed, LOOSE)
        answered = waived_as_needed(record)
        assert answered == record["expect"], f"seed {seed}: {record}"


def waived_as_needed(record: dict[str, Any]) -> dict[str, Any]:
    while True:
        answered = judged(record)
        if answered["ok"] or answered["rule"] != FOLLOW:
            return answered
        entry = record["log"][answered["at"]]
        if entry["type"] != "play" or FOLLOW in entry.get("waive", ()):
            return answered
        entry["waive"] = [*entry.get("waive", []), FOLLOW]
