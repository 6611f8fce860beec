"""What Durak declares of itself, and the places its cards lie at."""

import pytest

from domain.durak.manifest import MANIFEST
from domain.durak.state import AWAY, LIMBO, STOCK, TABLES, UNDER
from schemas.durak import SEATS, Detail, Options


@pytest.mark.parametrize(
    ("teams", "sides"), [(True, ((0, 2), (1, 3))), (False, ()), (None, ())], ids=str
)
def test_teams__sit_opposite_where_there_are_any(
    teams: bool | None,  # noqa: FBT001 an option
    sides: tuple[tuple[int, int], ...],
) -> None:
    options = Options(rules="fr") if teams is None else Options(rules="fr", teams=teams)
    assert MANIFEST.teams is not None
    assert MANIFEST.teams(options) == sides


def test_places__of_cards_are_no_two_the_same() -> None:
    named = [STOCK, UNDER, AWAY, LIMBO, TABLES]
    assert sorted({*named, *range(max(SEATS))}) == [*range(max(SEATS)), *named]


def test_won__nobody_wins_and_each_deal_counts_its_durak() -> None:
    assert not MANIFEST.won
    (duraks,) = MANIFEST.counted
    assert duraks.of_deal(Detail(places=((2,), (0,), (1,)), durak=1), 3) == (0, 1, 0)
    assert duraks.of_deal(Detail(places=((2,), (0, 1)), durak=None), 3) == (0, 0, 0)
