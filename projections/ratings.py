"""Ratings of players from rankings of finished games, by the Plackett-Luce model.

R. C. Weng and C.-J. Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011),
algorithm 4, with the constants of openskill: everybody starts at 25 ± 25/3. A test compares the
results with openskill 6 to the last bit.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import exp, sqrt
from typing import TypeAlias

from msgspec import Struct

SIGMAS = 3
MU = 25.0
SIGMA = MU / 3
# The chance in a game, the change of a player between two games, and the minimal share of the
# variance that remains after a game.
BETA_SQUARED = (25.0 / 6.0) ** 2
TAU_SQUARED = (MU / 300.0) * (MU / 300.0)
KAPPA = 0.0001


class Rating(Struct, frozen=True, forbid_unknown_fields=True):
    """The estimated strength of a player: mean `mu`, standard deviation `sigma`.

    >>> Rating(mu=25.0, sigma=5.0).ordinal
    10.0
    """

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """The conservative estimate, `mu` − 3 `sigma`."""
        return self.mu - SIGMAS * self.sigma


# A strength and its standard deviation.
_Member: TypeAlias = tuple[float, float]


class PlackettLuce:
    """Rates a game as one ranking of its players or teams."""

    def start(self) -> Rating:
        return Rating(mu=MU, sigma=SIGMA)

    def rate(self, teams: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
        order = sorted(range(len(teams)), key=places.__getitem__)
        sides = [_members(teams[at]) for at in order]
        sums = [_sum(side) for side in sides]
        square = 0.0
        for _, variance in sums:
            square += variance + BETA_SQUARED
        scale = sqrt(square)
        strengths = [exp(mu / scale) for mu, _ in sums]
        rivals = _rivals([places[at] for at in order], strengths)
        rated: list[list[Rating]] = [[] for _ in teams]
        for at, (_, variance) in enumerate(sums):
            omega = delta = 0.0
            ahead, _, _ = rivals[at]
            for other in range(ahead):
                _, behind, level = rivals[other]
                chance = strengths[at] / behind
                delta += chance * (1 - chance) / level
                omega += (1 - chance if other == at else -chance) / level
            omega *= variance / scale
            delta *= variance / scale**2
            delta *= sqrt(variance) / scale
            rated[order[at]] = _updated(sides[at], variance, omega, delta)
        return rated


def _members(team: Sequence[Rating]) -> list[_Member]:
    return [(rating.mu, sqrt(rating.sigma * rating.sigma + TAU_SQUARED)) for rating in team]


def _sum(side: Sequence[_Member]) -> _Member:
    # A fixed order, because sums of floats depend on it.
    ordered = sorted(side, key=_ordinal, reverse=True) if len(side) > 1 else side
    strength = variance = 0.0
    for mu, sigma in ordered:
        strength += mu
        variance += sigma**2
    return strength, variance


def _rivals(places: Sequence[int], strengths: Sequence[float]) -> list[tuple[int, float, int]]:
    rivals: list[tuple[int, float, int]] = []
    for place in places:
        ahead = bisect_right(places, place)
        first = bisect_left(places, place)
        behind = 0.0
        for strength in strengths[first:]:
            behind += strength
        rivals.append((ahead, behind, ahead - first))
    return rivals


def _updated(side: Sequence[_Member], variance: float, omega: float, delta: float) -> list[Rating]:
    ratings: list[Rating] = []
    for mu, sigma in side:
        share = sigma**2 / variance
        left = 1 - share * delta
        ratings.append(Rating(mu + share * omega, sigma * sqrt(max(KAPPA, left))))
    return ratings


def _ordinal(member: _Member) -> float:
    return member[0] - SIGMAS * member[1]
