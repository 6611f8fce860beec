from collections.abc import Callable

import pytest

from domain.table.refusal import Refusal
from schemas.entries import Note, SetAside
from tests.answers import judged
from tests.generation.exactness import Found, one_game
from tests.generation.makers import MAKERS
from tests.generation.sizes import games
from tests.generation.splices import HELD, splice_at, state, true_history

FIRST_SEED = 80_000
SHARE = 10
PROFILES = [
    pytest.param(name, profile, id=f"{name}-{profile}".replace(" ", "-"))
    for name, maker in MAKERS.items()
    for profile in maker.PROFILES
]


# The statements take turns on one kind of game, and share the games of it.
@pytest.mark.parametrize("holds", HELD, ids=lambda held: held.__name__)
@pytest.mark.parametrize(("name", "profile"), PROFILES)
def test_splices__hold_in_true_games(
    holds: Callable[[str, str, int], None], name: str, profile: str
) -> None:
    for seed in games(FIRST_SEED + HELD.index(holds), SHARE):
        holds(name, profile, seed)


def test_set_aside__at_random_awaits_notes_alone_and_comes_back_whole() -> None:
    for seed in games(FIRST_SEED + 4):
        history = true_history("euchre", "unruly and doubtful", seed)
        if history.game.set_aside:
            continue
        before, last = state(history.game), history.take_back_targets[-1]
        set_aside, note, back = SetAside(reason="a trial"), Note(text="tea"), last
        assert not isinstance(history.judge(set_aside), Refusal)
        assert isinstance(history.judge(set_aside), Refusal)
        assert not isinstance(history.judge(note), Refusal)
        assert history.game.set_aside
        gone = splice_at(history.steps(), len(history.steps()) - 2, 1, [])
        assert not isinstance(history.judge(gone), Refusal)
        assert (state(history.game), back) == (before, last)


@pytest.mark.parametrize(("ruleset", "profile"), PROFILES)
def test_true_games__are_accepted_and_come_to_the_truth(ruleset: str, profile: str) -> None:
    for seed in games(40_000, share=1 if ruleset == "euchre" else 3):
        record = MAKERS[ruleset].true_game(seed, MAKERS[ruleset].PROFILES[profile])
        assert judged(record) == record["expect"], f"seed {seed}: {record}"


@pytest.mark.parametrize("seed", [60_094, 60_149, 60_213, 60_284, 60_285])
def test_rows_revealed_by_their_points_after_ranks_alone__are_held_exactly(seed: int) -> None:
    found = Found()
    one_game("dutch", "ranks alone", seed, found)
    assert (found.judged.total(), found.listed.total()) == (0, 0)
