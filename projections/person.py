"""One player over all games: figures, results over time, and head-to-head records."""

from collections.abc import Iterable
from copy import copy
from datetime import datetime
from typing import Generic

from msgspec import Struct, field

from domain.games import ruleset_of
from projections.copy_on_write import CopyOnWriteMap
from projections.course import Course
from projections.ratings import Rating
from projections.standings import (
    GameResult,
    IdT,
    Rater,
    RulesetStandings,
    Standing,
    Standings,
    StandingsState,
)
from schemas.record import Times

RESULTS_MAX = 50

# Increment when `PersonsCheckpoint` or the fold changes: older checkpoints are then ignored.
CHECKPOINT_VERSION = 3


class PlacedGame(
    Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True, array_like=True
):
    """One finished game of a player: place, number of seats, total, rating after it.

    `place` None: the player was not ranked, so the rating stays as it was. `number` counts the
    player's finished games of the title, from 1. `shared`: another player who is no partner has the
    same place.
    """

    game_id: IdT
    number: int
    at: datetime
    seats: int
    place: int | None
    shared: bool
    total: int
    rating: Rating | None
    times: Times = "recorded"


class HeadToHead(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player against another one, over the finished games of a title with both.

    `ahead`, `level` and `behind` compare places, where a place is ahead of none; `together` counts
    games as partners. A game in which neither has a place compares nobody.
    """

    other: IdT
    games: int
    ahead: int
    level: int
    behind: int
    together: int


class PersonRuleset(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player in one title: its id, or the ruleset.

    `heads` are sorted by games together, most first. `course` is the thinned series of results,
    `results` the last `RESULTS_MAX`, both oldest first.
    """

    title: str
    standing: Standing[IdT]
    heads: tuple[HeadToHead[IdT], ...]
    course: tuple[PlacedGame[IdT], ...]
    results: tuple[PlacedGame[IdT], ...]

    @property
    def ruleset(self) -> str:
        """The ruleset of the title."""
        return ruleset_of(self.title)


class HeadToHeadCounts(Struct, frozen=True, array_like=True):
    ahead: int = 0
    level: int = 0
    behind: int = 0
    together: int = 0

    def with_game(
        self, place: int | None, other: int | None, *, partners: bool
    ) -> "HeadToHeadCounts":
        """Return the counts with one more game; a place of None is behind every place.

        >>> HeadToHeadCounts().with_game(1, None, partners=False)
        HeadToHeadCounts(ahead=1, level=0, behind=0, together=0)
        >>> HeadToHeadCounts().with_game(None, None, partners=False)
        HeadToHeadCounts(ahead=0, level=0, behind=0, together=0)
        """
        ahead, level, behind, together = self.ahead, self.level, self.behind, self.together
        if partners:
            return HeadToHeadCounts(ahead, level, behind, together + 1)
        if place is None and other is None:
            return self
        place, other = place or NO_PLACE, other or NO_PLACE
        return HeadToHeadCounts(
            ahead + (place < other), level + (place == other), behind + (place > other), together
        )

    def head(self, other: IdT) -> HeadToHead[IdT]:
        """Return the counts as a head-to-head record against the other player."""
        return HeadToHead(
            other=other,
            games=self.ahead + self.level + self.behind + self.together,
            ahead=self.ahead,
            level=self.level,
            behind=self.behind,
            together=self.together,
        )


NO_PLACE = 1 << 15  # behind every place
_NO_GAMES = HeadToHeadCounts()


class PlayerHistory(Struct, Generic[IdT], array_like=True):
    _games: int = 0
    _course: Course[PlacedGame[IdT]] = field(default_factory=Course[PlacedGame[IdT]])
    _results: list[PlacedGame[IdT]] = field(default_factory=list[PlacedGame[IdT]])
    _met: dict[IdT, HeadToHeadCounts] = field(default_factory=dict[IdT, HeadToHeadCounts])

    def add(self, result: GameResult[IdT], seat: int, rating: Rating | None) -> None:
        self._games += 1
        place = result.places[seat]
        placed = PlacedGame(
            game_id=result.game_id,
            number=self._games,
            at=result.started_at,
            seats=len(result.players),
            place=place,
            shared=result.shares_place(seat),
            total=result.totals[seat],
            rating=rating,
            times=result.times,
        )
        self._course.add(placed)
        self._results.append(placed)
        if len(self._results) > RESULTS_MAX:
            del self._results[0]
        for at, other in enumerate(result.players):
            if at != seat and result.took_part[at]:
                met = self._met.get(other, _NO_GAMES)
                self._met[other] = met.with_game(
                    place, result.places[at], partners=result.partners(seat, at)
                )

    def clone(self) -> "PlayerHistory[IdT]":
        copied = copy(self)
        copied._course = self._course.clone()  # noqa: SLF001 -- own class
        copied._results = self._results[:]  # noqa: SLF001 -- own class
        copied._met = self._met.copy()  # noqa: SLF001 -- own class
        return copied

    def heads(self) -> tuple[HeadToHead[IdT], ...]:
        heads = [met.head(other) for other, met in self._met.items()]
        compared = [head for head in heads if head.games]
        return tuple(sorted(compared, key=lambda head: -head.games))

    def summary(self, title: str, standing: Standing[IdT]) -> PersonRuleset[IdT]:
        """Return the player's figures in a title."""
        return PersonRuleset(
            title=title,
            standing=standing,
            heads=self.heads(),
            course=self._course.points(),
            results=tuple(self._results),
        )


class PersonsCheckpoint(Struct, Generic[IdT], frozen=True, array_like=True):
    """A checkpoint of the fold, by title; it is immutable."""

    counted: dict[str, StandingsState[IdT]] = field(default_factory=dict[str, StandingsState[IdT]])
    diaries: dict[str, dict[IdT, PlayerHistory[IdT]]] = field(
        default_factory=dict[str, dict[IdT, PlayerHistory[IdT]]]
    )


class Persons(Generic[IdT]):
    """Fold results one after another into figures of players and standings."""

    def __init__(self, rater: Rater, known: PersonsCheckpoint[IdT] | None = None) -> None:
        begun = known or PersonsCheckpoint()
        self._standings: Standings[IdT] = Standings(rater, begun.counted)
        self._diaries: dict[str, CopyOnWriteMap[IdT, PlayerHistory[IdT]]] = {
            title: CopyOnWriteMap(PlayerHistory, diaries)
            for title, diaries in begun.diaries.items()
        }

    def add(self, result: GameResult[IdT]) -> None:
        ratings = self._standings.add(result)
        diaries = self._diaries.get(result.title)
        if diaries is None:
            diaries = self._diaries[result.title] = CopyOnWriteMap(PlayerHistory, {})
        for seat, player in enumerate(result.players):
            diary = diaries.for_writing(player)
            if result.took_part[seat]:
                diary.add(result, seat, ratings[seat])

    def checkpoint(self) -> PersonsCheckpoint[IdT]:
        """Return a checkpoint, which later games do not change."""
        return PersonsCheckpoint(
            self._standings.checkpoint(),
            {title: diaries.checkpoint() for title, diaries in self._diaries.items()},
        )

    def person(self, player: IdT) -> tuple[PersonRuleset[IdT], ...]:
        return tuple(
            self._diaries[title].values[player].summary(title, standing)
            for title, standing in self._standings.of(player).items()
        )

    def games(self) -> dict[IdT, int]:
        return self._standings.games()

    def standings(self) -> tuple[RulesetStandings[IdT], ...]:
        return self._standings.all()


def persons(results: Iterable[GameResult[IdT]], rater: Rater) -> Persons[IdT]:
    """Fold the results, oldest first."""
    fold: Persons[IdT] = Persons(rater)
    for result in results:
        fold.add(result)
    return fold
