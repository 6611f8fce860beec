"""Standings: results of every player in each title, as a fold over games."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from msgspec import Struct, field

from domain.games import ruleset_of
from projections.copy_on_write import CopyOnWriteMap
from projections.course import Course
from projections.ratings import Rating
from schemas.record import Times

IdT = TypeVar("IdT", bound=Hashable)

# With fewer games, a rating depends more on chance than on strength.
RATED_GAMES_MIN = 5


class GameResult(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The result of one game.

    Per seat: `players`, `totals` in points, `places` from 1 (None: not ranked), `took_part`:
    whether the game, which is finished then, counts for the player.

    `title`: its id, or the ruleset. `teams` are the seats that play together, () if none do;
    `counted` is what the game counts beside wins, one number per seat by name. `seconds` at the
    table, None: unknown.
    """

    game_id: IdT
    title: str
    started_at: datetime
    deals: int
    players: tuple[IdT, ...]
    totals: tuple[int, ...]
    places: tuple[int | None, ...]
    took_part: tuple[bool, ...]
    teams: tuple[tuple[int, ...], ...] = ()
    counted: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    times: Times = "recorded"
    seconds: int | None = None

    @property
    def finished(self) -> bool:
        """Whether the game is over and counts for somebody."""
        return any(self.took_part)

    def partners(self, seat: int, other: int) -> bool:
        """Return whether two seats play together."""
        return any(seat in team and other in team for team in self.teams)

    def shares_place(self, seat: int) -> bool:
        """Return whether another seat that is no partner has the same place."""
        place = self.places[seat]
        return (
            place is not None
            and self.places.count(place) > 1
            and any(
                other != seat and at == place and not self.partners(seat, other)
                for other, at in enumerate(self.places)
            )
        )


class Rater(Protocol):
    def start(self) -> Rating: ...

    def rate(
        self, teams: Sequence[Sequence[Rating]], places: Sequence[int]
    ) -> Sequence[Sequence[Rating]]:
        """Return the ratings after a game; `places` has one number per team, the best is lowest."""
        ...


class Figures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Figures of one player in one title; None if no finished game gives a value.

    `finished` games count for the player. `wins` include the `shared_wins`; `win_share` is wins ÷
    finished games, 0 to 1. `place` is the mean over the games with a place. `streak` counts games
    won in a row up to the last finished one. Whether few or many points are good depends on the
    ruleset, so the extremes are `lowest` and `highest`. `counted` is what the ruleset counts beside
    wins, by name.
    """

    games: int
    finished: int
    wins: int
    shared_wins: int
    win_share: float | None
    deals: int
    points: int
    points_per_game: float | None
    points_per_deal: float | None
    place: float | None
    best_place: int | None
    worst_place: int | None
    lowest: int | None
    highest: int | None
    streak: int
    longest_streak: int
    counted: Mapping[str, int]


class RatedAt(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, array_like=True):
    """A player's rating after a game. `number`: finished games of the title so far, from 1."""

    number: int
    at: datetime
    rating: Rating


class Standing(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player in the standings. `rating` None: no rated game. `placed`: games with a place.

    `provisional`: fewer than `RATED_GAMES_MIN` finished games. `course`: the thinned rating over
    time.
    """

    player: IdT
    figures: Figures
    rating: Rating | None
    provisional: bool
    placed: int
    course: tuple[RatedAt, ...]


class RulesetStandings(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The standings of one title, highest rating first; provisional ones last, most wins first."""

    title: str
    games: int
    finished: int
    standings: tuple[Standing[IdT], ...]

    @property
    def ruleset(self) -> str:
        """The ruleset of the title."""
        return ruleset_of(self.title)


class Tally(Struct, array_like=True):
    """Counts the results of one player in one title."""

    games: int = 0
    finished: int = 0
    rating: Rating | None = None
    course: Course[RatedAt] = field(default_factory=Course[RatedAt])
    _wins: int = 0
    _shared: int = 0
    _deals: int = 0
    _points: int = 0
    _places: int = 0
    _best_worst: tuple[int, int] = (0, 0)
    _low_high: tuple[int, int] = (0, 0)
    _streak: int = 0
    _longest: int = 0
    _counted: dict[str, int] = field(default_factory=dict[str, int])
    _points_of_deals: int = 0
    placed: int = 0
    _scored: int = 0

    def add(self, result: GameResult[IdT], seat: int) -> None:
        self.games += 1
        if not result.took_part[seat]:
            return
        place, total = result.places[seat], result.totals[seat]
        self.finished += 1
        if place is not None:
            self._best_worst = _extend_range(self._best_worst, place, first=not self.placed)
            self.placed += 1
            self._places += place
        if result.deals or any(result.totals):  # else only the winner is known
            self._low_high = _extend_range(self._low_high, total, first=not self._scored)
            self._scored += 1
        self._deals += result.deals
        self._points += total
        if result.deals:
            self._points_of_deals += total
        self._wins += place == 1
        self._shared += place == 1 and result.shares_place(seat)
        self._streak = self._streak + 1 if place == 1 else 0
        self._longest = max(self._longest, self._streak)
        for name, times in result.counted.items():
            self._counted[name] = self._counted.get(name, 0) + times[seat]

    def clone(self) -> "Tally":
        copied = copy(self)
        copied.course = self.course.clone()
        copied._counted = self._counted.copy()  # noqa: SLF001 -- own class
        return copied

    def figures(self) -> Figures:
        low, high = self._low_high if self._scored else (None, None)
        best, worst = self._best_worst if self.placed else (None, None)
        return Figures(
            games=self.games,
            finished=self.finished,
            wins=self._wins,
            shared_wins=self._shared,
            win_share=_mean(self._wins, self.finished),
            deals=self._deals,
            points=self._points,
            points_per_game=_mean(self._points, self._scored),
            points_per_deal=_mean(self._points_of_deals, self._deals),
            place=_mean(self._places, self.placed),
            best_place=best,
            worst_place=worst,
            lowest=low,
            highest=high,
            streak=self._streak,
            longest_streak=self._longest,
            counted=dict(self._counted),
        )


class StandingsState(Struct, Generic[IdT], frozen=True, array_like=True):
    games: int = 0
    finished: int = 0
    tallies: dict[IdT, Tally] = field(default_factory=dict[IdT, Tally])


class _Table(Generic[IdT]):
    def __init__(self, counted: StandingsState[IdT]) -> None:
        self.games = counted.games
        self.finished = counted.finished
        self._tallies = CopyOnWriteMap(Tally, counted.tallies)

    @property
    def tallies(self) -> Mapping[IdT, Tally]:
        return self._tallies.values

    def checkpoint(self) -> StandingsState[IdT]:
        return StandingsState(self.games, self.finished, self._tallies.checkpoint())

    def add(self, result: GameResult[IdT], rater: Rater) -> tuple[Rating | None, ...]:
        self.games += 1
        self.finished += result.finished
        tallies = [self._tallies.for_writing(player) for player in result.players]
        for seat, tally in enumerate(tallies):
            tally.add(result, seat)
        if result.finished:
            self._rate(result, tallies, rater)
        return tuple([tally.rating for tally in tallies])

    def _rate(self, result: GameResult[IdT], tallies: Sequence[Tally], rater: Rater) -> None:
        teams = result.teams or [(seat,) for seat in range(len(tallies))]
        placed = [[seat for seat in team if result.places[seat] is not None] for team in teams]
        sides = [side for side in placed if side]
        if len(sides) < 2:  # noqa: PLR2004 -- a rating needs two sides
            return
        before = [[tallies[seat].rating or rater.start() for seat in side] for side in sides]
        # Partners share what the better placed of them reached.
        places = [min(result.places[seat] or 0 for seat in side) for side in sides]
        after = rater.rate(before, places)
        for side, ratings in zip(sides, after, strict=True):
            for seat, rating in zip(side, ratings, strict=True):
                rated = RatedAt(number=self.finished, at=result.started_at, rating=rating)
                tallies[seat].rating = rating
                tallies[seat].course.add(rated)


class Standings(Generic[IdT]):
    """Fold results one after another into the standings of every title."""

    def __init__(
        self, rater: Rater, begun: Mapping[str, StandingsState[IdT]] | None = None
    ) -> None:
        self._rater = rater
        self._tables: dict[str, _Table[IdT]] = {
            ruleset: _Table(counted) for ruleset, counted in (begun or {}).items()
        }

    def add(self, result: GameResult[IdT]) -> tuple[Rating | None, ...]:
        """Add one game; return the players' ratings after it, per seat."""
        table = self._tables.get(result.title)
        if table is None:
            table = self._tables[result.title] = _Table(StandingsState())
        return table.add(result, self._rater)

    def checkpoint(self) -> dict[str, StandingsState[IdT]]:
        """Return checkpoints by title, which later games do not change."""
        return {title: table.checkpoint() for title, table in self._tables.items()}

    def games(self) -> dict[IdT, int]:
        finished: dict[IdT, int] = {}
        for table in self._tables.values():
            for player, tally in table.tallies.items():
                finished[player] = finished.get(player, 0) + tally.games
        return finished

    def of(self, player: IdT) -> Mapping[str, Standing[IdT]]:
        """Return a player's standing by title, {} for a player without games."""
        return {
            ruleset: _standing(player, table.tallies[player])
            for ruleset, table in sorted(self._tables.items())
            if player in table.tallies
        }

    def all(self) -> tuple[RulesetStandings[IdT], ...]:
        """Return the standings of every title, sorted by name."""
        return tuple(
            RulesetStandings(
                title=title,
                games=table.games,
                finished=table.finished,
                standings=_rank_all(table.tallies),
            )
            for title, table in sorted(self._tables.items())
        )


def standings(
    results: Iterable[GameResult[IdT]], rater: Rater
) -> tuple[RulesetStandings[IdT], ...]:
    """Fold results, oldest first, into the standings of every title."""
    fold: Standings[IdT] = Standings(rater)
    for result in results:
        fold.add(result)
    return fold.all()


def _rank_all(tallies: Mapping[IdT, Tally]) -> tuple[Standing[IdT], ...]:
    standings = [_standing(player, tally) for player, tally in tallies.items()]
    return tuple(sorted(standings, key=rank))


def rank(standing: Standing[IdT]) -> tuple[bool, float, float, int]:
    """Return the order of a table: by rating; provisional ones by wins, then mean place."""
    figures = standing.figures
    ordinal = standing.rating.ordinal if standing.rating else float("-inf")
    if standing.provisional:
        return (True, -figures.wins, figures.place or float("inf"), -figures.finished)
    return (False, -ordinal, -figures.wins, -figures.finished)


def _standing(player: IdT, tally: Tally) -> Standing[IdT]:
    return Standing(
        player=player,
        figures=tally.figures(),
        rating=tally.rating,
        provisional=tally.finished < RATED_GAMES_MIN,
        placed=tally.placed,
        course=tally.course.points(),
    )


def _extend_range(ends: tuple[int, int], value: int, *, first: bool) -> tuple[int, int]:
    return (value, value) if first else (min(ends[0], value), max(ends[1], value))


def _mean(total: int, count: int) -> float | None:
    return total / count if count else None
