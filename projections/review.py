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
    all_evenings = evenings(games)
    timed = [game.seconds for game in games if game.decided and game.seconds is not None]
    titles = Counter(game.title for game in games)
    game_of_title = {game.title: game for game in games}
    people = Counter(player for game in games for player in game.players)
    order = {player: number for number, player in enumerate(people)}
    pairs = Counter(
        pair
        for game in games
        for pair in combinations(sorted(game.players, key=order.__getitem__), 2)
    )
    return Review(
        games=len(games),
        finished=sum(game.decided for game in games),
        evenings=len(all_evenings),
        seconds=sum(timed),
        timed=len(timed),
        months=_by_month(games, zone),
        titles=tuple(
            TitleCount(
                ruleset=game_of_title[title].ruleset,
                title=title,
                name=game_of_title[title].title_name,
                games=number,
            )
            for title, number in titles.most_common()
        ),
        people=tuple(
            _person_count(player, [game for game in games if player in game.players], zone)
            for player, _ in people.most_common()
        ),
        longest=max(all_evenings, key=lambda evening: len(evening.games), default=None),
        pair=next((Pair(players=pair, games=n) for pair, n in pairs.most_common(1)), None),
    )


def _person_count(
    player: IdT, games: Sequence[EveningGame[IdT]], zone: tzinfo | None
) -> PersonCount[IdT]:
    over = [game for game in games if game.counts_for(player)]
    won = [game for game in over if game.place(player) == 1]
    streak = longest = 0
    for game in over:
        streak = streak + 1 if game.place(player) == 1 else 0
        longest = max(longest, streak)
    return PersonCount(
        player=player,
        games=len(games),
        finished=len(over),
        wins=_by_month(won, zone),
        longest_streak=longest,
    )


def _by_month(games: Iterable[EveningGame[IdT]], zone: tzinfo | None) -> tuple[int, ...]:
    months = [0] * MONTHS
    for game in games:
        if game.times != "none":
            months[in_zone(game.started_at, UTC if game.times == "day" else zone).month - 1] += 1
    return tuple(months)
