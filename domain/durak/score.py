"""Compute places, points, the next dealer and the next leader."""

from collections.abc import Callable
from itertools import takewhile

from msgspec import UNSET, Struct, UnsetType

from domain.durak.state import SIDES, Deal, Seats, clockwise
from domain.table.dealing import next_dealer
from domain.table.rules import Game, Outcome, Ranking
from schemas.durak import Detail, Options

Places = tuple[tuple[int, ...], ...]


def leader_next(game: Game) -> int | None:
    """Return the leader of a new deal (`durak.next-lead`); None: the lowest trump decides."""
    last: Detail | None = game.details[-1] if game.details else None
    if last is None or last.durak is None:
        return None
    options: Options = game.options
    if options.next_lead == "winner":
        return last.places[0][0]
    step = -1 if options.next_lead == "teach" else 1
    return (last.durak + step) % game.seats


def outcome(game: Game, places: Places, durak: int | None, dealer: int | None) -> Outcome:
    """Score a deal (`deal_ended.points`) and pass the deal on (`durak.dealer`).

    `dealer` is None if unknown.
    """
    losers: tuple[int, ...] = () if durak is None else (durak,)
    if durak is not None and game.options.teams is True:
        losers = (durak, (durak + 2) % game.seats)
    points = tuple(int(seat in losers) for seat in range(game.seats))
    left = next_dealer(dealer, game.seats)
    return Outcome(points, Detail(places=places, durak=durak), left if durak is None else durak)


def outcome_if_over(game: Game, deal: Deal, newly: tuple[int, ...]) -> Outcome | None:
    """Return the end of the deal; None while two players (two teams) have cards.

    `newly` are the seats whose hands emptied in this bout (`durak.end`, `durak.drawn`,
    `durak.teams`).
    """
    if _continues(deal.holding, teams=game.options.teams is True):
        return None
    holding = clockwise(deal.holding, 0)
    before = tuple((seat,) for seat in (*deal.out, *deal.emptied) if holding or seat not in newly)
    if not holding:
        return outcome(game, (*before, tuple(sorted(newly))), None, deal.dealer)
    roles = deal.roles or ()
    durak = next((seat for seat in holding if seat in roles), holding[0])
    return outcome(game, (*before, holding), durak, deal.dealer)


def _continues(holding: Seats, *, teams: bool) -> bool:
    if teams:
        even, odd = SIDES
        return holding & even != 0 and holding & odd != 0
    return holding & (holding - 1) != 0


def ranking(game: Game) -> Ranking:
    """Rank the players by `winner_by`; ties are broken by the following criteria in turn.

    Games recorded before this option: fewest points, then the smallest sum of places.
    """
    by: str | UnsetType = game.options.winner_by
    criteria = _BEFORE
    if by is not UNSET:
        first = WINNER_CRITERIA.index(by)
        criteria = (*_COUNTED[first:], *_COUNTED[:first])
    counts = [criterion(game) for criterion in criteria]
    standing = [tuple(count[seat] for count in counts) for seat in range(game.seats)]
    return tuple(
        tuple(seat for seat in range(game.seats) if standing[seat] == best)
        for best in sorted(set(standing))
    )


class Counted(Struct, frozen=True, gc=False):
    """Per seat: the sum of its places (0 is the first), and the deals in which it was not first."""

    place_sums: tuple[int, ...]
    not_first: tuple[int, ...]


def count_deal(game: Game, detail: Detail) -> Counted:
    before = _counted(game)
    seats = range(game.seats)
    return Counted(
        tuple(before.place_sums[seat] + _ranked_before(detail, seat) for seat in seats),
        tuple(before.not_first[seat] + (seat not in detail.places[0]) for seat in seats),
    )


def _counted(game: Game) -> Counted:
    return game.counted or Counted((0,) * game.seats, (0,) * game.seats)


def _ranked_before(detail: Detail, seat: int) -> int:
    return sum(map(len, takewhile(lambda group: seat not in group, detail.places)))


WINNER_CRITERIA = ("durak", "places", "first")
_COUNTED: tuple[Callable[[Game], tuple[int, ...]], ...] = (
    lambda game: game.totals,
    lambda game: _counted(game).place_sums,
    lambda game: _counted(game).not_first,
)
_BEFORE = _COUNTED[:2]
