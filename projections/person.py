"""One player over the games played: figures, results over time, and how each other player fared.

Promises: pure; memory grows with players and with pairs who met, not with games. Everybody is
folded at once, because a rating depends on the ratings of the others. Assumes what
`projections/standings.py` assumes.
"""

from collections import deque
from collections.abc import Iterable
from datetime import datetime
from typing import Generic

from msgspec import Struct

from projections.course import Course
from projections.standings import IdT, Rater, Rating, Result, RulesetStandings, Standing, Standings

RESULTS_KEPT = 50


class Placed(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished game of a player: place of how many seats, total, rating after it.

    `number` counts the player's finished games of the ruleset, from 1; `shared`: somebody else has
    the place too, who is no partner.
    """

    game_id: IdT
    number: int
    at: datetime
    seats: int
    place: int
    shared: bool
    total: int
    rating: Rating | None


class HeadToHead(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player against another one, over the finished games of a ruleset with both.

    `games` are those `ahead`, `level` and `behind` by place, and those `together`, as partners.
    """

    other: IdT
    games: int
    ahead: int
    level: int
    behind: int
    together: int


class PersonRuleset(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody in one ruleset.

    `heads`: whom most games were played with comes first. `course` are results over time, thinned;
    `results` the last `RESULTS_KEPT`. Both oldest first.
    """

    ruleset: str
    standing: Standing[IdT]
    heads: tuple[HeadToHead[IdT], ...]
    course: tuple[Placed[IdT], ...]
    results: tuple[Placed[IdT], ...]


class _Meetings:
    """Counts how one player fared against another."""

    def __init__(self) -> None:
        self.ahead = self.level = self.behind = self.together = 0

    def add(self, place: int, other: int, *, partners: bool) -> None:
        if partners:
            self.together += 1
        elif place < other:
            self.ahead += 1
        elif place == other:
            self.level += 1
        else:
            self.behind += 1

    def head(self, other: IdT) -> HeadToHead[IdT]:
        return HeadToHead(
            other=other,
            games=self.ahead + self.level + self.behind + self.together,
            ahead=self.ahead,
            level=self.level,
            behind=self.behind,
            together=self.together,
        )


class _Diary(Generic[IdT]):
    """Keeps one player's finished games of one ruleset."""

    def __init__(self) -> None:
        self._games = 0
        self._course: Course[Placed[IdT]] = Course()
        self._results: deque[Placed[IdT]] = deque(maxlen=RESULTS_KEPT)
        self._met: dict[IdT, _Meetings] = {}

    def add(self, result: Result[IdT], seat: int, rating: Rating | None) -> None:
        self._games += 1
        place = result.places[seat]
        placed = Placed(
            game_id=result.game_id,
            number=self._games,
            at=result.started_at,
            seats=len(result.players),
            place=place,
            shared=result.shared(seat),
            total=result.totals[seat],
            rating=rating,
        )
        self._course.add(placed)
        self._results.append(placed)
        for at, other in enumerate(result.players):
            if at != seat:
                met = self._met.setdefault(other, _Meetings())
                met.add(place, result.places[at], partners=result.partners(seat, at))

    def heads(self) -> tuple[HeadToHead[IdT], ...]:
        found = [met.head(other) for other, met in self._met.items()]
        return tuple(sorted(found, key=lambda head: -head.games))

    def told(self, ruleset: str, standing: Standing[IdT]) -> PersonRuleset[IdT]:
        return PersonRuleset(
            ruleset=ruleset,
            standing=standing,
            heads=self.heads(),
            course=self._course.points(),
            results=tuple(self._results),
        )


class Persons(Generic[IdT]):
    """Folds results, one after the other, into what everybody did, and into the standings."""

    def __init__(self, rater: Rater) -> None:
        self._standings: Standings[IdT] = Standings(rater)
        self._diaries: dict[tuple[IdT, str], _Diary[IdT]] = {}

    def add(self, result: Result[IdT]) -> None:
        """Count one more game."""
        ratings = self._standings.add(result)
        for seat, player in enumerate(result.players):
            diary = self._diaries.setdefault((player, result.ruleset), _Diary())
            if result.finished:
                diary.add(result, seat, ratings[seat])

    def person(self, player: IdT) -> tuple[PersonRuleset[IdT], ...]:
        """Return what somebody did, by ruleset; () for who never played."""
        return tuple(
            self._diaries[player, ruleset].told(ruleset, standing)
            for ruleset, standing in self._standings.of(player).items()
        )

    def standings(self) -> tuple[RulesetStandings[IdT], ...]:
        """Return the standings of every ruleset, by its name."""
        return self._standings.all()


def persons(results: Iterable[Result[IdT]], rater: Rater) -> Persons[IdT]:
    """Fold the results, oldest first."""
    fold: Persons[IdT] = Persons(rater)
    for result in results:
        fold.add(result)
    return fold
