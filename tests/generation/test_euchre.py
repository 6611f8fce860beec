"""True games of Euchre are never refused, and come to what really happened."""

from typing import Any

import pytest

from tests.answers import answer
from tests.generation.euchre import LOOSE, PROFILES, true_game
from tests.generation.euchre_deal import FOLLOW
from tests.generation.sizes import games

FIRST_SEED = 20_000


@pytest.mark.parametrize("profile", PROFILES)
def test_true_games__are_accepted_and_come_to_the_truth(profile: str) -> None:
    for seed in games(FIRST_SEED):
        record = true_game(seed, PROFILES[profile])
        assert answer(record) == record["expect"], f"seed {seed}: {record}"


def test_true_games__with_unnoticed_revokes_stand_once_follow_suit_is_waived() -> None:
    for seed in games(FIRST_SEED):
        record = true_game(seed, LOOSE)
        answered = waived_as_needed(record)
        assert answered == record["expect"], f"seed {seed}: {record}"


def waived_as_needed(record: dict[str, Any]) -> dict[str, Any]:
    while True:
        answered = answer(record)
        if answered["ok"] or answered["rule"] != FOLLOW:
            return answered
        entry = record["log"][answered["at"]]
        if entry["type"] != "play" or FOLLOW in entry.get("waive", ()):
            return answered
        entry["waive"] = [*entry.get("waive", []), FOLLOW]
