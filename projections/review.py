"""A year in review: what a club, or one of its people, played in a year."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, tzinfo
from itertools import combinations
from typing import Generic

from msgspec import Struct

from projections.evenings import Evening, EveningGame, IdT, evenings
from schemas.days import in_zone

MONTHS = 12


class TitleCount(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The games of a title: its id, or the ruleset. `name`: of a title by id."""

    ruleset: str
    title: str
    name: str | None
    games: int


class PersonCount(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player's games of any title. `wins`: first places of each month, from January.

    `longest_streak`: of first places in a row.
    """

    player: IdT
    games: int
    finished: int
    wins: tuple[int, ...]
    longest_streak: int


class Pair(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    players: tuple[IdT, IdT]
    games: int


class Review(Struct, Generic[IdT], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The games of a year. `finished`: those with a result; `months`: games begun in each.

    `seconds`: at the table, of the `timed` games that have a duration. `titles` and `people`: most
    games first. `longest`: the evening with most games, `pair`: who played most games together.
    """

    games: int
    finished: int
    evenings: int
    seconds: int
    timed: int
    months: tuple[int, ...]
    titles: tuple[TitleCount, ...]
    people: tuple[PersonCount[IdT], ...]
    longest: Evening[IdT] | None
    pair: Pair[IdT] | None


def review(games: Sequence[EveningGame[IdT]], zone: tzinfo | None) -> Review[IdT]:
    """Sum up the games of a year, oldest first; `zone`: of its months, None: the machine's."""
    every = evenings(games)
    timed = [one.seconds for one in games if one.decided and one.seconds is not None]
    titles = Counter(one.title for one in games)
    named = {one.title: one for one in games}
    people = Counter(player for one in games for player in one.players)
    order = {player: number for number, player in enumerate(people)}
    pairs = Counter(
        pair
        for one in games
        for pair in combinations(sorted(one.players, key=order.__getitem__), 2)
    )
    return Review(
        games=len(games),
        finished=sum(one.decided for one in games),
        evenings=len(every),
        seconds=sum(timed),
        timed=len(timed),
        months=_by_month(games, zone),
        titles=tuple(
            TitleCount(
                ruleset=named[title].ruleset,
                title=title,
                name=named[title].title_name,
                games=number,
            )
            for title, number in titles.most_common()
        ),
        people=tuple(
            _count(player, [one for one in games if player in one.players], zone)
            for player, _ in people.most_common()
        ),
        longest=max(every, key=lambda one: len(one.games), default=None),
        pair=next((Pair(players=pair, games=n) for pair, n in pairs.most_common(1)), None),
    )


def _count(player: IdT, games: Sequence[EveningGame[IdT]], zone: tzinfo | None) -> PersonCount[IdT]:
    over = [one for one in games if one.decided]
    won = [one for one in over if one.places[one.players.index(player)] == 1]
    streak = longest = 0
    for one in over:
        streak = streak + 1 if one.places[one.players.index(player)] == 1 else 0
        longest = max(longest, streak)
    return PersonCount(
        player=player,
        games=len(games),
        finished=len(over),
        wins=_by_month(won, zone),
        longest_streak=longest,
    )


def _by_month(games: Iterable[EveningGame[IdT]], zone: tzinfo | None) -> tuple[int, ...]:
    found = [0] * MONTHS
    for one in games:
        if one.times != "none":
            found[in_zone(one.started_at, UTC if one.times == "day" else zone).month - 1] += 1
    return tuple(found)
