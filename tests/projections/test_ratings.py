from typing import TypeAlias

import openskill.models
from hypothesis import given
from hypothesis import strategies as st

from projections.ratings import PlackettLuce, Rating

Teams: TypeAlias = list[list[tuple[float, float]]]

BELIEVED = st.tuples(st.floats(-50, 100), st.floats(0.05, 12))


@st.composite
def games(draw: st.DrawFn) -> tuple[Teams, list[int]]:
    number = draw(st.integers(2, 8))
    teams = [draw(st.lists(BELIEVED, min_size=1, max_size=3)) for _ in range(number)]
    return teams, [draw(st.integers(1, number)) for _ in range(number)]


def by_openskill(teams: Teams, places: list[int]) -> Teams:
    model = openskill.models.PlackettLuce()
    before = [[model.create_rating(list(one)) for one in team] for team in teams]
    after = model.rate(before, ranks=[float(place) for place in places])
    return [[(one.mu, one.sigma) for one in team] for team in after]


@given(games())
def test_ratings__are_those_of_openskill_to_the_last_bit(game: tuple[Teams, list[int]]) -> None:
    teams, places = game
    before = [[Rating(mu=mu, sigma=sigma) for mu, sigma in team] for team in teams]
    after = PlackettLuce().rate(before, places)
    assert [[(one.mu, one.sigma) for one in team] for team in after] == by_openskill(teams, places)


def test_ratings__begin_as_those_of_openskill() -> None:
    new, theirs = PlackettLuce().start(), openskill.models.PlackettLuce().rating()
    assert (new.mu, new.sigma, new.ordinal) == (theirs.mu, theirs.sigma, theirs.ordinal())
