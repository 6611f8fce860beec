"""True games of Dutch are never refused, and come to what really happened."""

import pytest

from tests.answers import answer
from tests.generation.dutch import PROFILES, true_game
from tests.generation.sizes import games

FIRST_SEED = 30_000


@pytest.mark.parametrize("profile", PROFILES)
def test_true_games__are_accepted_and_come_to_the_truth(profile: str) -> None:
    for seed in games(FIRST_SEED, share=3):
        record = true_game(seed, PROFILES[profile])
        assert answer(record) == record["expect"], f"seed {seed}: {record}"
