"""Who is first: whoever has most points, or fewest."""

import pytest
from msgspec.structs import replace

from domain.replay import opening
from schemas import dutch, euchre
from schemas.entries import Seat


@pytest.mark.parametrize(
    ("ruleset", "options", "first"),
    [("dutch", dutch.Options(), 1), ("euchre", euchre.Options(), 0)],
    ids=["dutch", "euchre"],
)
def test_ranking__is_by_points(
    ruleset: str, options: dutch.Options | euchre.Options, first: Seat
) -> None:
    game = opening(ruleset, options, 2)
    assert game.rules.ranking(replace(game, totals=(9, 3))) == ((first,), (1 - first,))
