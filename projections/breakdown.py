"""Figures of players by year, month, season, table size, opponent and partner."""

from collections.abc import Hashable, Iterator, Mapping
from datetime import UTC, date, tzinfo
from typing import Generic, Literal, TypeAlias

from msgspec import Struct, field

from domain.games import ruleset_of
from projections.person import HeadToHeadCounts
from projections.standings import Figures, GameResult, IdT, Tally
from schemas.days import in_zone

Dimension: TypeAlias = Literal["all", "year", "month", "season", "seats", "opponent", "partner"]
DIMENSIONS: tuple[Dimension, ...] = (
    *("all", "year", "month", "season", "seats"),
    *("opponent", "partner"),
)
_TABLE: frozenset[Dimension] = frozenset(DIMENSIONS[-2:])

# The first and the last day of each season, by its id.
Seasons: TypeAlias = Mapping[str, tuple[date, date]]


class Group(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player's figures in the games of a title that have one `key` in common.

    `key`: a year, a month such as `2026-03`, the id of a season or of another player, the number of
    seats; "" for games of an unknown day, and for all games. `seconds`: the time at the table, of
    the `timed` finished games that have one. `ahead` to `together`: as in a head-to-head record, in
    groups by other players, or against the player that the breakdown is limited to.
    """

    key: str
    figures: Figures
    seconds: int
    timed: int
    ahead: int
    level: int
    behind: int
    together: int


class TitleBreakdown(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player in one title: its id, or the ruleset."""

    title: str
    groups: Mapping[Dimension, tuple[Group, ...]]

    @property
    def ruleset(self) -> str:
        return ruleset_of(self.title)

    @property
    def all(self) -> Group:
        """All games of the title."""
        return self.groups["all"][0]


class _Count(Struct):
    tally: Tally = field(default_factory=Tally)
    seconds: int = 0
    timed: int = 0
    met: HeadToHeadCounts = field(default_factory=HeadToHeadCounts)

    def add(self, result: GameResult[IdT], seat: int, other: int | None) -> None:
        self.tally.add(result, seat)
        if not result.took_part[seat]:
            return
        if result.seconds is not None:
            self.seconds += result.seconds
            self.timed += 1
        if other is not None and result.took_part[other]:
            places, partners = result.places, result.partners(seat, other)
            self.met = self.met.with_game(places[seat], places[other], partners=partners)

    def group(self, key: str) -> Group:
        return Group(
            key=key,
            figures=self.tally.figures(),
            seconds=self.seconds,
            timed=self.timed,
            ahead=self.met.ahead,
            level=self.met.level,
            behind=self.met.behind,
            together=self.met.together,
        )


class Breakdown(Generic[IdT]):
    """Fold results, oldest first, into groups of every player, or of the player `of` alone.

    `other`: a player whom all results have; every group counts the meetings with them. `zone`: of
    days; None: the machine's.
    """

    def __init__(
        self,
        zone: tzinfo | None,
        seasons: Seasons,
        of: IdT | None = None,
        other: IdT | None = None,
    ) -> None:
        self._zone = zone
        self._seasons = seasons
        self._of = of
        self._other = other
        self._counts: dict[IdT, dict[str, dict[tuple[Dimension, Hashable], _Count]]] = {}

    def add(self, result: GameResult[IdT]) -> None:
        keys = [*self._keys(result)]
        for seat, player in enumerate(result.players):
            if self._of is not None and player != self._of:
                continue
            counts = self._counts.setdefault(player, {}).setdefault(result.title, {})
            for key, other in (*keys, *_others(result, seat)):
                count = counts.get(key)
                if count is None:
                    count = counts[key] = _Count()
                count.add(result, seat, other)

    def players(self) -> tuple[IdT, ...]:
        return tuple(self._counts)

    def title_groups(self, player: IdT) -> tuple[TitleBreakdown, ...]:
        """Return a player's groups by title, () without a game.

        Groups are in order of their keys, other players by the number of games, most first.
        """
        return tuple(
            TitleBreakdown(title=title, groups={name: _sorted(name, counts) for name in DIMENSIONS})
            for title, counts in sorted(self._counts.get(player, {}).items())
        )

    def _keys(
        self, result: GameResult[IdT]
    ) -> Iterator[tuple[tuple[Dimension, Hashable], int | None]]:
        other = None if self._other is None else result.players.index(self._other)
        day = self._day(result)
        yield ("all", ""), other
        yield ("year", day.isoformat()[:4] if day else ""), other
        yield ("month", day.isoformat()[:7] if day else ""), other
        yield ("seats", len(result.players)), other
        for season, (first, last) in self._seasons.items():
            if day and first <= day <= last:
                yield ("season", season), other

    def _day(self, result: GameResult[IdT]) -> date | None:
        if result.times == "none":
            return None
        return in_zone(result.started_at, UTC if result.times == "day" else self._zone).date()


def _others(result: GameResult[IdT], seat: int) -> Iterator[tuple[tuple[Dimension, Hashable], int]]:
    for at, other in enumerate(result.players):
        if at != seat:
            yield ("partner" if result.partners(seat, at) else "opponent", other), at


def _sorted(
    name: Dimension, counts: Mapping[tuple[Dimension, Hashable], _Count]
) -> tuple[Group, ...]:
    groups = [(key, count) for (dimension, key), count in counts.items() if dimension == name]
    if name in _TABLE:
        groups.sort(key=lambda item: -item[1].tally.games)
    elif name != "season":
        groups.sort(key=lambda item: (len(str(item[0])), str(item[0])))
    return tuple(count.group(str(key)) for key, count in groups)
