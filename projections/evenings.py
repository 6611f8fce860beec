"""Evenings: games of any kind that much the same people played one after another."""

from collections.abc import Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from schemas.record import Times

IdT = TypeVar("IdT", bound=Hashable)

PAUSE = timedelta(hours=6)
# A game of several days counts for the evening on which it began.
GAME_MAX = timedelta(hours=12)
# Games that began further apart belong to different evenings.
PAUSE_WITH_GAME = PAUSE + GAME_MAX
TABLES_MAX = 64  # tables that play at the same time


def seconds_at_table(started_at: datetime, last_at: datetime, times: Times) -> int | None:
    """Return the duration of a finished game, None if it is unknown.

    A game that went on for days was not played all the time, or was corrected later.
    """
    lasted = last_at - started_at
    known = times == "recorded" and lasted <= GAME_MAX
    return max(0, round(lasted.total_seconds())) if known else None


class EveningGame(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    game_id: IdT
    ruleset: str
    title: str
    status: Literal["open", "finished"]
    started_at: datetime
    last_at: datetime
    players: tuple[IdT, ...]
    deals: int
    totals: tuple[int, ...]
    places: tuple[int | None, ...]
    took_part: tuple[bool, ...]
    set_aside: bool = False
    times: Times = "recorded"
    title_name: str | None = None

    @property
    def ended_at(self) -> datetime:
        """When it was over for the evening; when it began, where that is all that is known."""
        if self.times != "recorded":
            return self.started_at
        return min(max(self.started_at, self.last_at), self.started_at + GAME_MAX)

    @property
    def seconds(self) -> int | None:
        """The time at the table until the last entry; None: unknown."""
        return seconds_at_table(self.started_at, self.last_at, self.times)

    @property
    def decided(self) -> bool:
        """Whether it is over and counts for somebody."""
        return any(self.took_part)

    def place(self, player: IdT) -> int | None:
        """Return a player's place; None: not ranked, or not at this table."""
        return self.places[self.players.index(player)] if player in self.players else None

    def counts_for(self, player: IdT) -> bool:
        """Return whether it is over and counts for a player."""
        return player in self.players and self.took_part[self.players.index(player)]


class EveningTally(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player's tally in an evening. `first` and `last` count places in finished games.

    A shared place counts for each. `games` includes open ones, `finished` those that count for the
    player.
    """

    player: IdT
    games: int
    finished: int
    first: int
    last: int


class Evening(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Games in starting order with one tally. Its id is the first game's."""

    games: tuple[EveningGame[IdT], ...]
    tally: tuple[EveningTally[IdT], ...]

    @property
    def evening_id(self) -> IdT:
        return self.games[0].game_id

    @property
    def started_at(self) -> datetime:
        return self.games[0].started_at

    @property
    def ended_at(self) -> datetime:
        """When the last game was over, or what was entered last."""
        return max(game.ended_at for game in self.games)

    @property
    def duration(self) -> timedelta | None:
        """How long it took; None: the times of some game are not known."""
        known = all(game.times == "recorded" for game in self.games)
        return self.ended_at - self.started_at if known else None

    @property
    def people(self) -> tuple[IdT, ...]:
        """All players, in the order of the tally."""
        return tuple(tally.player for tally in self.tally)


class _OpenEvening(Generic[IdT]):
    def __init__(self, game: EveningGame[IdT]) -> None:
        self.games = [game]
        self.people = {*game.players}
        self.seated = len(self.people)
        self.ended_at = game.ended_at

    def add(self, game: EveningGame[IdT], players: set[IdT]) -> None:
        self.games.append(game)
        self.people |= players
        self.seated = len(players)
        self.ended_at = max(self.ended_at, game.ended_at)

    def fits(self, players: set[IdT]) -> bool:
        return 2 * len(self.people & players) >= min(self.seated, len(players))


def evenings(games: Iterable[EveningGame[IdT]]) -> list[Evening[IdT]]:
    """Group games into evenings, in the order the evenings began."""
    tables: list[_OpenEvening[IdT]] = []
    for game in games:
        if game.times == "none":  # its evening is unknown
            continue
        players, begun = {*game.players}, game.started_at - PAUSE
        going_on = [
            table
            for table in tables[-TABLES_MAX:]
            if begun <= table.ended_at and table.fits(players)
        ]
        if going_on:
            max(going_on, key=lambda table: len(table.people & players)).add(game, players)
        else:
            tables.append(_OpenEvening(game))
    return [Evening(games=tuple(table.games), tally=_tallies_of(table.games)) for table in tables]


def _tallies_of(games: Sequence[EveningGame[IdT]]) -> tuple[EveningTally[IdT], ...]:
    people = dict.fromkeys(player for game in games for player in game.players)
    tallies = [_tally_of(player, games) for player in people]
    return tuple(sorted(tallies, key=lambda tally: (-tally.first, tally.last, -tally.finished)))


def _tally_of(player: IdT, games: Sequence[EveningGame[IdT]]) -> EveningTally[IdT]:
    own = [game for game in games if player in game.players]
    over = [game for game in own if game.counts_for(player)]
    placed = [
        (place, max(filter(None, game.places)))
        for game in over
        if (place := game.place(player)) is not None
    ]
    return EveningTally(
        player=player,
        games=len(own),
        finished=len(over),
        first=sum(place == 1 for place, _ in placed),
        last=sum(place == last for place, last in placed),
    )
