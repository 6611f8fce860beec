"""Ratings by openskill: what every finished game tells of its players' strength.

Promises: the same ratings for the same games in the same order. Stands outside the pure folders
because openskill names every rating object by chance (an id that nothing here reads). Assumes
openskill's own defaults: everybody starts at 25 ± 25/3.
"""

from collections.abc import Sequence

from openskill.models import PlackettLuce

from projections.standings import Rating


class OpenSkill:
    """Rates a game as one ranking of its players or teams (Plackett-Luce)."""

    def __init__(self) -> None:
        self._model = PlackettLuce()

    def start(self) -> Rating:
        """Return what is believed of somebody who never played."""
        return Rating(mu=self._model.mu, sigma=self._model.sigma)

    def rate(self, teams: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
        """Return the ratings after a game; `places` has one number a team, the best is lowest."""
        before = [
            [self._model.create_rating([rating.mu, rating.sigma]) for rating in team]
            for team in teams
        ]
        after = self._model.rate(before, ranks=[float(place) for place in places])
        return [[Rating(mu=one.mu, sigma=one.sigma) for one in team] for team in after]
