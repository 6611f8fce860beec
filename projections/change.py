"""What a finished game changed in the standings of its title."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Generic

from msgspec import Struct
from msgspec.structs import replace

from projections.person import PersonRuleset, Persons
from projections.standings import RATED_GAMES_MIN, IdT, Standing, rank


class Change(Struct, Generic[IdT], frozen=True, kw_only=True):
    """A player's place in the standings after a game, from 1, and before it (None: the first game).

    `rating`: how much the game added to it. `streak`: games won in a row, this one included.
    """

    player: IdT
    place: int
    place_before: int | None
    rating: float
    streak: int


def changes(
    persons: Persons[IdT], title: str, game_id: IdT, players: Sequence[IdT]
) -> tuple[Change[IdT], ...]:
    """Return what a game changed for `players`, the people for whom it counts, in seat order.

    () unless it is the last game of all of them.
    """
    table = next((standing for standing in persons.standings() if standing.title == title), None)
    records = [
        record
        for player in players
        for record in persons.person(player)
        if record.title == title and record.results and record.results[-1].game_id == game_id
    ]
    if table is None or len(records) != len(players):
        return ()
    earlier = {
        record.standing.player: _before(record)
        for record in records
        if record.standing.figures.finished > 1
    }
    others = [standing for standing in table.standings if standing.player not in players]
    played_before = [other for other in others if other.figures.finished]
    before = sorted(map(rank, [*played_before, *earlier.values()]))
    now = [rank(standing) for standing in table.standings if standing.figures.finished]
    return tuple(
        Change(
            player=record.standing.player,
            place=bisect_left(now, rank(record.standing)) + 1,
            place_before=bisect_left(before, rank(earlier[record.standing.player])) + 1
            if record.standing.player in earlier
            else None,
            rating=_ordinal(record, -1) - _ordinal(record, -2),
            streak=record.standing.figures.streak,
        )
        for record in records
    )


def _before(record: PersonRuleset[IdT]) -> Standing[IdT]:
    """Return a player's standing before their last game, as far as the order needs it."""
    figures, last = record.standing.figures, record.results[-1]
    finished = figures.finished - 1
    places = round((figures.place or 0) * record.standing.placed)
    placed = record.standing.placed - (last.place is not None)
    return replace(
        record.standing,
        figures=replace(
            figures,
            games=figures.games - 1,
            finished=finished,
            wins=figures.wins - (last.place == 1),
            place=(places - (last.place or 0)) / placed if placed else None,
        ),
        rating=record.results[-2].rating,
        provisional=finished < RATED_GAMES_MIN,
    )


def _ordinal(record: PersonRuleset[IdT], at: int) -> float:
    """Return the rating after one of the last games; before the first, it is 0."""
    rating = record.results[at].rating if len(record.results) >= -at else None
    return rating.ordinal if rating else 0.0
