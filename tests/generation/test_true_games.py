"""True games of every game are never refused, and come to what really happened."""

import pytest

from tests.answers import answer
from tests.generation.makers import MAKERS
from tests.generation.sizes import games
from tests.generation.test_splices import PROFILES


@pytest.mark.parametrize(("ruleset", "profile"), PROFILES)
def test_true_games__are_accepted_and_come_to_the_truth(ruleset: str, profile: str) -> None:
    for seed in games(40_000, share=1 if ruleset == "euchre" else 3):
        record = MAKERS[ruleset].true_game(seed, MAKERS[ruleset].PROFILES[profile])
        assert answer(record) == record["expect"], f"seed {seed}: {record}"
